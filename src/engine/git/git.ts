import { join, relative, sep } from 'node:path';
import { hasCode } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { realPath } from '../files/fileStatus';
import { type CapturedOutput, captureBytes } from '../process/captureBytes';

/** Whatever the repository configures, git starts no monitor and no hook, and takes no lock that others wait for. */
const SAFELY = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'core.hooksPath=/dev/null'];
/** A path is that path, even if it has a `*` in it. */
const ENVIRONMENT = { GIT_OPTIONAL_LOCKS: '0', GIT_LITERAL_PATHSPECS: '1', LC_ALL: 'C' };

/** Runs git in a folder and gives what it prints. Rejects with a `UserError` when it fails. */
export async function git(cwd: string, args: readonly string[], input?: string | Uint8Array): Promise<Buffer> {
  const environment = { ...process.env, ...ENVIRONMENT };
  const { code, stdout, stderr } = await captureGit(cwd, [...SAFELY, ...args], environment, input);
  if (code === 0) return stdout;
  const lines = stderr.trim().split('\n');
  throw failure(args[0] ?? '', lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '');
}

async function captureGit(
  cwd: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  input: string | Uint8Array | undefined,
): Promise<CapturedOutput> {
  try {
    return await captureBytes({ command: ['git', ...args], cwd, environment, input });
  } catch (error) {
    throw hasCode(error, 'ENOENT') ? NO_GIT : error;
  }
}

function failure(command: string, reason: string): UserError {
  const lock = /'([^']*\.lock)': File exists/.exec(reason)?.[1];
  if (lock !== undefined)
    return new UserError(
      `another git command is running in this repository: ${lock} exists`,
      'Wait until it finishes. If no git command is running, one was interrupted: delete that file and try again.',
    );
  return new UserError(`git ${command} failed: ${reason}`, fixFor(reason));
}

function fixFor(reason: string): string {
  if (NO_REPOSITORY.test(reason)) return 'Run this inside a git repository, or create one: git init';
  const foreign = /dubious ownership in repository at '(.*)'/.exec(reason)?.[1];
  if (foreign !== undefined) return `If you trust it: git config --global --add safe.directory '${foreign}'`;
  return 'Fix that, and try again.';
}

/** The message about a folder in no repository. About a repository with missing parts, it is `not a git repository: PATH`. */
const NO_REPOSITORY = /fatal: not a git repository \(or any/;

const NO_GIT = new UserError('git is not installed', 'Install git, or compare two files with: tapedeck diff A B');

/** The top folder of the repository that a folder is in; undefined when it is in none. Rejects when git refuses to read it. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  try {
    return (await git(folder, ['rev-parse', '--show-toplevel'])).toString('utf8').replace(/\n$/, '');
  } catch (error) {
    if (error instanceof UserError && NO_REPOSITORY.test(error.message)) return undefined;
    throw error;
  }
}

/** Like `repositoryOf`. Rejects with a `UserError` when there is none. */
export async function requireRepository(root: string): Promise<string> {
  const repository = await repositoryOf(root);
  if (repository !== undefined) return repository;
  throw new UserError(`${root} is not in a git repository`, 'Create one with git init, and commit your files.');
}

/** The path of a project's file from the top of its repository. Either may be named through a symbolic link. */
export async function pathInRepository(repository: string, root: string, path: string): Promise<string> {
  return relative(repository, join((await realPath(root)) ?? root, path))
    .split(sep)
    .join('/');
}
