import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { UserError } from '../project/userError';
import { hasCode } from '../recording/fileErrors';

/** Whatever the repository says, git starts no monitor and no hook for us, and takes no lock that others wait for. */
const SAFELY = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'core.hooksPath=/dev/null'];
/** A path is that path, even if it has a `*` in it. */
const ENVIRONMENT = { GIT_OPTIONAL_LOCKS: '0', GIT_LITERAL_PATHSPECS: '1', LC_ALL: 'C' };

/** Runs git in a folder and gives what it prints. Rejects with a `UserError` when it fails. */
export async function git(cwd: string, args: readonly string[], input?: string | Uint8Array): Promise<Buffer> {
  const child = spawn('git', [...SAFELY, ...args], { cwd, env: { ...process.env, ...ENVIRONMENT } });
  const [printed, said]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((settle, fail) => {
    child.once('close', settle);
    child.once('error', (error) => fail(hasCode(error, 'ENOENT') ? NO_GIT : error));
  });
  if (code === 0) return Buffer.concat(printed);
  throw failure(args[0] ?? '', Buffer.concat(said).toString('utf8').trim().split('\n')[0] ?? '');
}

function failure(command: string, reason: string): UserError {
  const lock = /'([^']*\.lock)': File exists/.exec(reason)?.[1];
  if (lock !== undefined)
    return new UserError(
      `another git is at work in this repository: ${lock} exists`,
      'Wait until it is done. If none is running, it was killed: delete that file and try again.',
    );
  const isNone = /not a git repository/i.test(reason);
  const wayOut = isNone ? 'Run this inside a git repository, or make one: git init' : 'Mend that, and try again.';
  return new UserError(`git ${command} failed: ${reason}`, wayOut);
}

const NO_GIT = new UserError('git is not installed', 'Install git, or compare two files with: tapedeck diff A B');

/** The top folder of the repository that a folder is in; undefined when it is in none. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  try {
    return (await git(folder, ['rev-parse', '--show-toplevel'])).toString('utf8').replace(/\n$/, '');
  } catch (error) {
    if (error instanceof UserError && error !== NO_GIT) return undefined;
    throw error;
  }
}

/** A file of the project from the top of its repository. One may be named through a symbolic link, the other not. */
export async function pathInRepository(repository: string, root: string, path: string): Promise<string> {
  return relative(repository, join(await realpath(root), path))
    .split(sep)
    .join('/');
}
