import { endTree, startsOwnTree } from './processTree';
import { startError } from './runProcess';
import { startProgram } from './startProgram';

interface PipedCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  onOutput(chunk: Buffer): void;
  /** Called once, with the reason where it could not be started. */
  onEnd(error: Error | undefined): void;
}

/** A program that is talked to over its standard streams. Its stderr is this process's own. */
export interface PipedProcess {
  write(text: string): void;
  /** Closes its input, gives it a moment to end by itself, and ends all that it has started. */
  end(): Promise<void>;
}

/** How long a program may take to end after its input has. */
const FAREWELL_MS = 1_500;

export function startPiped({ command, cwd, environment, onOutput, onEnd }: PipedCommand): PipedProcess {
  const [program = ''] = command;
  const child = startProgram(command, {
    cwd,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: startsOwnTree(true),
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
      onEnd(undefined);
    });
    child.once('error', (error) => {
      resolve();
      onEnd(startError(error, program, cwd));
    });
  });
  child.stdout?.on('data', onOutput);
  child.stdin?.on('error', () => undefined);
  return {
    write: (text) => void child.stdin?.write(text),
    async end() {
      child.stdin?.end();
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FAREWELL_MS);
      });
      await Promise.race([ended, enough]);
      clearTimeout(timer);
      await endTree(child);
    },
  };
}
