import { spawn } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import { hasCode } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { realPath } from '../files/fileStatus';

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
  const lines = Buffer.concat(said).toString('utf8').trim().split('\n');
  throw failure(args[0] ?? '', lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '');
}

function failure(command: string, reason: string): UserError {
  const lock = /'([^']*\.lock)': File exists/.exec(reason)?.[1];
  if (lock !== undefined)
    return new UserError(
      `another git is at work in this repository: ${lock} exists`,
      'Wait until it is done. If none is running, it was killed: delete that file and try again.',
    );
  return new UserError(`git ${command} failed: ${reason}`, fixFor(reason));
}

function fixFor(reason: string): string {
  if (NO_REPOSITORY.test(reason)) return 'Run this inside a git repository, or make one: git init';
  const foreign = /dubious ownership in repository at '(.*)'/.exec(reason)?.[1];
  if (foreign !== undefined) return `If you trust it: git config --global --add safe.directory '${foreign}'`;
  return 'Mend that, and try again.';
}

/** What git says of a folder that is in none. Of a repository whose parts are missing it says `not a git repository: PATH`. */
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

/** As `repositoryOf`; rejects when there is none. */
export async function requireRepository(root: string): Promise<string> {
  const repository = await repositoryOf(root);
  if (repository !== undefined) return repository;
  throw new UserError(`${root} is in no git repository`, 'Make one, and commit what there is: git init');
}

/** A file of the project from the top of its repository. One may be named through a symbolic link, the other not. */
export async function pathInRepository(repository: string, root: string, path: string): Promise<string> {
  return relative(repository, join((await realPath(root)) ?? root, path))
    .split(sep)
    .join('/');
}
