import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { sizeOfFile } from '../files/fileStatus';
import { windowsCommand } from './windowsCommand';

interface ProgramOptions extends SpawnOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a program, without a shell. Throws a `UserError` for arguments that it cannot be given; else its `error` event tells. */
export function startProgram(command: readonly string[], options: ProgramOptions): ChildProcess {
  const [name = '', ...args] = command;
  if (process.platform !== 'win32') return spawn(name, args, options);
  const found = windowsCommand(command, { cwd: options.cwd, environment: options.env, sizeOf: sizeOfFile });
  const isHidden = options.stdio !== 'inherit';
  return spawn(found.program, found.args, {
    ...options,
    windowsHide: isHidden,
    windowsVerbatimArguments: found.isQuoted,
  });
}
