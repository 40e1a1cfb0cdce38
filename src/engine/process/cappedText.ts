import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const HEAD = 256 * 1024;
const TAIL = 256 * 1024;

/** What comes out of a stream: all of it, or the beginning and the end of what is too long to keep. */
export class CappedText {
  readonly #decoder = new StringDecoder('utf8');
  readonly #stream: Readable | null;
  readonly #done: Promise<void>;
  #head = '';
  #tail = '';
  #dropped = 0;

  constructor(stream: Readable | null) {
    this.#stream = stream;
    stream?.on('data', (chunk: Buffer) => this.#add(this.#decoder.write(chunk)));
    this.#done = new Promise((resolve) => {
      if (stream === null) resolve();
      else stream.once('close', resolve);
    });
  }

  /** Waits for the end of the stream, but not for long, and then listens no more. */
  async ended(patienceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.#done, enough]);
    clearTimeout(timer);
    this.#stream?.destroy();
  }

  text(): string {
    const missing = this.#dropped === 0 ? '' : `\n… ${this.#dropped} characters left out …\n`;
    return this.#head + missing + this.#tail;
  }

  #add(text: string): void {
    const room = HEAD - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    if (text.length <= room) return;
    this.#tail += text.slice(Math.max(0, room));
    if (this.#tail.length <= 2 * TAIL) return;
    this.#dropped += this.#tail.length - TAIL;
    this.#tail = this.#tail.slice(-TAIL);
  }
}
