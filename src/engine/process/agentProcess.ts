import { type ChildProcess, spawn } from 'node:child_process';
import { UserError } from '../project/userError';
import { hasCode } from '../recording/fileErrors';
import { CappedText } from './cappedText';
import { endTree, startsOwnTree } from './processTree';

export interface AgentCommand {
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
export interface AgentEnd {
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
export async function runAgentProcess(options: AgentCommand): Promise<AgentEnd> {
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
    const { code, endedBy } = await ending(child, program, cwd);
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

function ending(child: ChildProcess, program: string, cwd: string): Promise<Pick<AgentEnd, 'code' | 'endedBy'>> {
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
