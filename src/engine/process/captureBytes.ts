import { spawn } from 'node:child_process';

export interface CaptureCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array | undefined;
}

export interface CapturedOutput {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The largest size of a Buffer on every system. */
const MAX_OUTPUT_BYTES = 2 ** 31 - 1;

/** Runs a program that ends by itself, for its output. Rejects with the system's error when it cannot be started. */
export function captureBytes({ command, cwd, environment, input = '' }: CaptureCommand): Promise<CapturedOutput> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...environment }, windowsHide: true });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      stdout.push(chunk);
      if (length <= MAX_OUTPUT_BYTES) return;
      child.kill();
      reject(new Error(`${program} printed more than ${MAX_OUTPUT_BYTES} bytes`));
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') }),
    );
    // The program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
