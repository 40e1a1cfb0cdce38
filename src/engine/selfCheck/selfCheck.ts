import { homedir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { compilePattern } from '../../core/text/compilePattern';
import { message, t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { readTextSync } from '../files/readFile';
import { userStateFile } from '../files/userState';
import { requireWritableFolder } from '../files/writableFolder';
import { installedGit } from '../git/installedGit';
import { preloadFile } from '../network/preloadFile';
import { basicEnvironment } from '../process/basicEnvironment';
import { runProcess } from '../process/runProcess';
import type { SelfCheckDocument } from '../reporters/jsonDocuments';
import { version } from '../version';
import { type Check, messageOf } from './check';
import { certificates, keys, proxy, sealing } from './network';

const OLDEST_NODE = 20;

function node(): Check {
  const { node: now } = process.versions;
  if (Number.parseInt(now, 10) >= OLDEST_NODE) return { name: 'Node', state: 'ok', says: now };
  return { name: 'Node', state: 'broken', says: now, fix: t('Install Node {0} or newer.', OLDEST_NODE) };
}

async function git(cwd: string): Promise<Check> {
  try {
    return { name: 'git', state: 'ok', says: await installedGit(cwd) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const says = t('{0}: without it, nothing is compared with the last commit', error.message);
    return { name: 'git', state: 'absent', says, fix: error.fix ?? t('Install git.') };
  }
}

/** Python, and pytest for it. */
async function python(signal: AbortSignal): Promise<readonly Check[]> {
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

/** The entry files of processes and threads, beside the folder of this code. */
const ENTRIES = ['engine.js', 'readerThread.js'];
const LOADED = /\brequire\("(\.{1,2}\/[^"]+)"\)/g;

/** Checks that every module that is loaded on demand exists. */
function ownFiles(): Check {
  const name = message('installation');
  try {
    const preloaded = (['node.cjs', 'python', 'relay.cjs'] as const).map(preloadFile);
    const missing = [...preloaded, ...modules(join(__dirname, '..'))].find((path) => !pathExists(path));
    if (missing !== undefined) throw new Error(t('{0} is missing', missing));
    const pattern = compilePattern('^[0-9]+$', 'javascript');
    if (!('test' in pattern) || !pattern.test('42')) throw new Error(t('patterns are not matched'));
    return { name, state: 'ok', says: t('all files present') };
  } catch (error) {
    return { name, state: 'broken', says: messageOf(error), fix: t('Install Tapedeck again.') };
  }
}

/** The built modules that the entries load, directly or indirectly; none when running from the source. */
function modules(built: string): readonly string[] {
  if (!pathExists(join(built, 'engine.js'))) return [];
  const found = new Set(ENTRIES.map((entry) => join(built, entry)));
  for (const path of found) {
    if (!path.endsWith('.js') || !pathExists(path)) continue;
    for (const [, name = ''] of readTextSync(path, FILE_LIMITS.tape).matchAll(LOADED))
      found.add(normalize(join(dirname(path), name)));
  }
  return [...found];
}

const STATES = { ok: 'ok', absent: message('absent'), broken: message('BROKEN') } as const;

/**
 * Checks what Tapedeck can use on this machine, and what is missing for what, with the fix.
 * @param folder absolute: whether it can be written to, and what its cases start; absent where none is open
 * @param storedKeys the names of keys that the editor gives to recordings
 */
export async function selfCheck(
  folder: string | undefined,
  signal: AbortSignal,
  storedKeys: readonly string[] = [],
): Promise<Omit<SelfCheckDocument, 'ok'>> {
  const own = ownFiles();
  const isWhole = own.state === 'ok';
  const checks = [
    own,
    node(),
    await git(folder ?? homedir()),
    ...(await python(signal)),
    await userState(),
    ...(folder === undefined ? [] : [await projectFolder(folder)]),
    ...(folder !== undefined && isWhole ? await (await import('./programs')).programs(folder) : []),
    ...proxy(process.env),
    ...(await certificates(process.env)),
    ...(isWhole ? await sealing(signal) : []),
    keys(process.env, storedKeys),
  ];
  return { version, node: process.versions.node, platform: `${process.platform} ${process.arch}`, checks };
}

export function isSound({ checks }: Pick<SelfCheckDocument, 'checks'>): boolean {
  return checks.every(({ state }) => state !== 'broken');
}

/** One line for each check, followed by its fix. */
export function selfCheckText({ checks, ...facts }: Omit<SelfCheckDocument, 'ok'>): string {
  const rows = checks.map((check) => ({ ...check, name: t(check.name), state: t(STATES[check.state]) }));
  const [states, names] = [rows.map(({ state }) => widthOf(state)), rows.map(({ name }) => widthOf(name))];
  const [stateWidth, nameWidth] = [Math.max(...states), Math.max(...names)];
  const lines = rows.flatMap(({ name, state, says, fix }) => [
    `${padded(state, stateWidth)}  ${padded(name, nameWidth)}  ${says}`,
    ...(fix === undefined ? [] : [`${' '.repeat(stateWidth + nameWidth + 4)}${fix}`]),
  ]);
  return `${t('tapedeck {0} on {1}', facts.version, facts.platform)}\n${lines.join('\n')}\n`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - widthOf(text));
}

/** In columns: an ideograph takes two. */
function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
}

/** The folder of the proxy's keys and the program for git's hook. */
async function userState(): Promise<Check> {
  const path = userStateFile('.');
  const problem = await writingProblem(userStateFile('x'));
  const name = message('state folder');
  if (problem === undefined) return { name, state: 'ok', says: path };
  return { name, state: 'broken', says: problem, fix: t('Set XDG_STATE_HOME to a folder that you can write to.') };
}

async function projectFolder(folder: string): Promise<Check> {
  const problem = await writingProblem(`${folder}/.tapedeck/runs`);
  const name = message('this folder');
  if (problem === undefined) return { name, state: 'ok', says: t('writable') };
  const says = t('{0}: tapes can be read here, but nothing can be run or recorded', problem);
  return { name, state: 'absent', says, fix: t('To run its cases, make it writable, or copy it.') };
}

async function writingProblem(path: string): Promise<string | undefined> {
  try {
    await requireWritableFolder(path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
