import { homedir } from 'node:os';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { installedGit } from '../git/installedGit';
import { basicEnvironment } from '../process/basicEnvironment';
import { runProcess } from '../process/runProcess';
import type { Check } from './check';

const OLDEST_NODE = 20;

export function node(): Check {
  const { node: now } = process.versions;
  if (Number.parseInt(now, 10) >= OLDEST_NODE) return { name: 'Node', state: 'ok', says: now };
  return { name: 'Node', state: 'broken', says: now, fix: t('Install Node {0} or newer.', OLDEST_NODE) };
}

export async function git(cwd: string): Promise<Check> {
  try {
    return { name: 'git', state: 'ok', says: await installedGit(cwd) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const says = t('{0}: without it, nothing is compared with the last commit', error.message);
    return { name: 'git', state: 'absent', says, fix: error.fix ?? t('Install git.') };
  }
}

/** Python, and pytest for it. */
export async function python(signal: AbortSignal): Promise<readonly Check[]> {
  for (const program of ['python3', 'python']) {
    const found = await printed(program, 'import platform; print(platform.python_version())', signal);
    if (found === undefined) continue;
    const version = { name: 'Python', state: 'ok', says: `${found} (${program})` } as const;
    const pytest = await printed(program, 'import pytest; print(pytest.__version__)', signal);
    if (pytest !== undefined) return [version, { name: 'pytest', state: 'ok', says: pytest }];
    const says = t('is not installed for {0}: the editor cannot run pytest with it', program);
    const fix = t(
      'Install it if you have such tests: {0}. Or name another Python: "tapedeck.pytest".',
      `${program} -m pip install pytest`,
    );
    return [version, { name: 'pytest', state: 'absent', says, fix }];
  }
  const says = t('is not installed: only agents and tests in Python need it');
  return [{ name: 'Python', state: 'absent', says, fix: t('Install Python 3 if you have such agents or tests.') }];
}

/** What a line of Python prints. It is isolated: no module of this folder, or of the environment, is loaded. */
async function printed(program: string, code: string, signal: AbortSignal): Promise<string | undefined> {
  const command = [program, '-I', '-c', code];
  const environment = basicEnvironment(process.env);
  const run = { command, cwd: homedir(), environment, stdio: 'captured', timeoutMs: 10_000, signal } as const;
  const ended = await runProcess(run).catch(() => undefined);
  return ended?.code === 0 ? ended.stdout.trim() : undefined;
}
