import { spawn } from 'node:child_process';
import { UserError } from '../project/userError';
import { hasCode } from '../recording/fileErrors';

/** Whatever the repository says, git starts no other program for us, and takes no lock that others wait for. */
const SAFELY = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
const ENVIRONMENT = { GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };

/** Runs git in a folder and gives what it prints. Rejects with a `UserError` when it fails. */
export async function git(cwd: string, args: readonly string[], input?: string): Promise<Buffer> {
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
  const reason = Buffer.concat(said).toString('utf8').trim().split('\n')[0] ?? '';
  throw new UserError(`git ${args[0]} failed: ${reason}`, 'Run this inside a git repository.');
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
