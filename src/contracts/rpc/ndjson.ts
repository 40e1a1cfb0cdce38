import type { Channel } from './rpc';

/**
 * A message as one line of JSON, the framing of the engine's stdio: JSON escapes line breaks. A `bigint` becomes the nearest
 * number, as readers of JSON would make of it anyway.
 */
export function encodeLine(message: unknown): string {
  return `${JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}\n`;
}

/** Splits a stream of text chunks into lines. */
export class LineSplitter {
  #rest = '';

  /** The lines that `chunk` completes, without their ends; empty ones are dropped. */
  push(chunk: string): string[] {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.filter((line) => line.trim() !== '');
  }
}

/** The message of a line; undefined for a line that is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The streams that a channel needs, of whichever runtime. The input gives text. */
interface LineStreams {
  readonly input: {
    on(event: 'data', listener: (chunk: string) => void): unknown;
    off(event: 'data', listener: (chunk: string) => void): unknown;
  };
  readonly output: { write(text: string): unknown };
}

/** A channel over two streams, one JSON value per line. Other lines are ignored. */
export function lineChannel({ input, output }: LineStreams): Channel {
  const lines = new LineSplitter();
  return {
    send: (message) => void output.write(encodeLine(message)),
    onMessage(listener) {
      const receive = (chunk: string): void => {
        for (const message of lines.push(chunk).map(parseLine)) if (message !== undefined) listener(message);
      };
      input.on('data', receive);
      return () => input.off('data', receive);
    },
  };
}
