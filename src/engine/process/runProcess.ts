import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { hasCode } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { endTree, startsOwnTree } from './processTree';

export interface ProcessCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `inherit` gives the agent this process's own terminal. */
  readonly stdio: 'inherit' | 'captured';
  /** What the agent reads from its standard input, where that is captured. */
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

/** How an agent ended. */
export interface ProcessExit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly endedBy: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Empty where they were not captured; the middle of what is very long is left out. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** How long output may still come from what the agent has started and left behind. */
const LAST_OUTPUT_MS = 200;

/**
 * Runs an agent to its end. Whatever it has started ends with it, when it is done as well as when the signal or the
 * timeout ends it. Rejects with a `UserError` when it cannot be started.
 */
export async function runProcess(options: ProcessCommand): Promise<ProcessExit> {
  const { command, cwd, environment, stdio, input = '', timeoutMs, signal } = options;
  const [program = '', ...args] = command;
  signal.throwIfAborted();
  const started = performance.now();
  const captured = stdio === 'captured';
  const child = spawn(program, args, {
    cwd,
    env: { ...environment },
    stdio: captured ? 'pipe' : 'inherit',
    detached: startsOwnTree(captured),
    windowsHide: true,
  });
  const outputs = [new CappedText(child.stdout), new CappedText(child.stderr)] as const;
  // An agent need not read what it is told.
  child.stdin?.on('error', () => undefined).end(input);
  let timedOut = false;
  const stop = () => void endTree(child);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          stop();
        }, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { code, endedBy } = await exitOf(child, program, cwd);
    await Promise.all(outputs.map((output) => output.ended(LAST_OUTPUT_MS)));
    const [stdout, stderr] = outputs.map((output) => output.text());
    return {
      code,
      endedBy,
      timedOut,
      stdout: stdout ?? '',
      stderr: stderr ?? '',
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await endTree(child);
  }
}

function exitOf(child: ChildProcess, program: string, cwd: string): Promise<Pick<ProcessExit, 'code' | 'endedBy'>> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error, program, cwd)));
    child.once('exit', (code, endedBy) => resolve({ code, endedBy }));
  });
}

function notStarted(error: Error, program: string, cwd: string): Error {
  if (hasCode(error, 'ENOENT'))
    return new UserError(
      `${program} cannot be started: there is no such program, or no folder ${cwd}`,
      'Correct the command, or install the program.',
    );
  if (hasCode(error, 'EACCES', 'EPERM', 'E2BIG', 'ENOTDIR'))
    return new UserError(`${program} cannot be started: ${error.message}`, 'Correct the command.');
  return error;
}

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
