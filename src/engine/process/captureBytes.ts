import { spawn } from 'node:child_process';

interface CaptureCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array | undefined;
  /** How much it prints at most, where that is known and may be much: it is then held once only. */
  readonly maxBytes?: number | undefined;
}

interface CapturedOutput {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The largest size of a Buffer on every system. */
const MAX_OUTPUT_BYTES = 2 ** 31 - 1;

/** Runs a program that ends by itself, for its output. Rejects with the system's error when it cannot be started. */
export function captureBytes({
  command,
  cwd,
  environment,
  input = '',
  maxBytes = 0,
}: CaptureCommand): Promise<CapturedOutput> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...environment }, windowsHide: true });
  const stdout = new PrintedBytes(maxBytes);
  const stderr: Buffer[] = [];
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout.add(chunk);
      if (stdout.length <= MAX_OUTPUT_BYTES) return;
      child.kill();
      reject(new Error(`${program} printed more than ${MAX_OUTPUT_BYTES} bytes`));
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('close', (code) =>
      resolve({ code, stdout: stdout.whole(), stderr: Buffer.concat(stderr).toString('utf8') }),
    );
    // The program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** What a program prints. Up to the size that was expected, it is written where it stays. */
class PrintedBytes {
  length = 0;
  readonly #expected: Buffer;
  readonly #more: Buffer[] = [];

  constructor(expectedBytes: number) {
    this.#expected = Buffer.allocUnsafeSlow(expectedBytes);
  }

  add(chunk: Buffer): void {
    const written = chunk.copy(this.#expected, Math.min(this.length, this.#expected.length));
    if (written < chunk.length) this.#more.push(chunk.subarray(written));
    this.length += chunk.length;
  }

  whole(): Buffer {
    const beginning = this.#expected.subarray(0, this.length);
    return this.#more.length === 0 ? beginning : Buffer.concat([beginning, ...this.#more]);
  }
}
