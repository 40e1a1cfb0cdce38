import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { t } from '../../core/text/l10n';
import { hasCode } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { ConnectionWatch, type ReachedAddress } from './connectionWatch';
import { endTree, startsOwnTree } from './processTree';
import { startProgram } from './startProgram';

export interface ProcessCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `inherit`: the program has this process's own terminal. */
  readonly stdio: 'inherit' | 'captured';
  /** Its standard input, where that is captured. */
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Notes which public addresses it reaches. */
  readonly isWatched?: true;
}

/** How a program ended. */
export interface ProcessExit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly endedBy: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Empty if they were not captured. Of very long output the middle is left out. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** Where it was watched. */
  readonly reached?: readonly ReachedAddress[];
}

/** How long output is still read from processes that the program has left behind. */
const LAST_OUTPUT_MS = 200;

/**
 * Runs a program to its end. Whatever it has started ends with it, when it is done as well as when the signal or the
 * timeout ends it. Rejects with a `UserError` when it cannot be started.
 */
export async function runProcess(options: ProcessCommand): Promise<ProcessExit> {
  options.signal.throwIfAborted();
  const started = performance.now();
  const child = start(options);
  const watch = options.isWatched && new ConnectionWatch();
  if (child.pid !== undefined) watch?.begin(child.pid);
  const stdout = new CappedText(child.stdout);
  const stderr = new CappedText(child.stderr);
  // The program need not read its input.
  child.stdin?.on('error', () => undefined).end(options.input ?? '');
  const stop = stopOnTime(child, options);
  try {
    const { code, endedBy } = await exitOf(child, options);
    await Promise.all([stdout.ended(LAST_OUTPUT_MS), stderr.ended(LAST_OUTPUT_MS)]);
    return {
      code,
      endedBy,
      timedOut: stop.timedOut,
      stdout: stdout.text(),
      stderr: stderr.text(),
      durationMs: Math.round(performance.now() - started),
      ...(watch && { reached: watch.end() }),
    };
  } finally {
    watch?.end();
    stop.clear();
    await endTree(child);
  }
}

function start({ command, cwd, environment, stdio }: ProcessCommand): ChildProcess {
  const captured = stdio === 'captured';
  return startProgram(command, {
    cwd,
    env: { ...environment },
    stdio: captured ? 'pipe' : 'inherit',
    detached: startsOwnTree(captured),
  });
}

/** Ends the child when the signal is aborted, or the time is over, until that is cleared. */
function stopOnTime(child: ChildProcess, { timeoutMs, signal }: ProcessCommand) {
  const stop = (): void => void endTree(child);
  const state = {
    timedOut: false,
    clear: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
  const onTimeout = (): void => {
    state.timedOut = true;
    stop();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  return state;
}

function exitOf(
  child: ChildProcess,
  { command: [program = ''], cwd }: ProcessCommand,
): Promise<Pick<ProcessExit, 'code' | 'endedBy'>> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(error, program, cwd)));
    child.once('exit', (code, endedBy) => resolve({ code, endedBy }));
  });
}

/** The reason why a program could not be started, for the user. */
export function startError(error: Error, program: string, cwd: string): Error {
  if (hasCode(error, 'ENOENT'))
    return new UserError(
      () => t('{0} cannot be started: the program or the folder {1} does not exist', program, cwd),
      () => t('Correct the command, or install the program.'),
    );
  if (hasCode(error, 'EACCES', 'EPERM', 'E2BIG', 'ENOTDIR'))
    return new UserError(
      () => t('{0} cannot be started: {1}', program, error.message),
      () => t('Correct the command.'),
    );
  return error;
}

const HEAD = 256 * 1024;
const TAIL = 256 * 1024;
/** A word may be a key; longer ones are data. */
const LONGEST_WORD = 4096;
const FIRST_WORD = /^\S{0,4096}/;

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && end > text.length - LONGEST_WORD && /\S/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** The text of a stream: all of it, or the beginning and the end where it is too long to keep. */
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

  /** Waits for the end of the stream, but not longer than `patienceMs`, and closes it. */
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
    if (this.#dropped === 0) return this.#head + this.#tail;
    // A secret that is cut in two would not be found.
    const head = withoutLastWord(this.#head);
    const tail = this.#tail.replace(FIRST_WORD, '');
    const dropped = this.#dropped + this.#head.length - head.length + this.#tail.length - tail.length;
    return `${head}\n… ${dropped} characters left out …\n${tail}`;
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
