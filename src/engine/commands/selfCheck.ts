import { homedir } from 'node:os';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { compilePattern } from '../../core/text/compilePattern';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { userStateFile } from '../files/userState';
import { requireWritableFolder } from '../files/writableFolder';
import { installedGit } from '../git/installedGit';
import { MODEL_KEYS } from '../network/knownKeys';
import { preloadFile } from '../network/preloadFile';
import { basicEnvironment } from '../process/basicEnvironment';
import { runProcess } from '../process/runProcess';
import type { SelfCheckDocument } from '../reporters/documents';
import { jsonDocument } from '../reporters/jsonDocument';
import type { Terminal } from '../terminal/terminal';
import { version } from '../version';

type Check = SelfCheckDocument['checks'][number];

const MARKS = { ok: 'ok     ', absent: 'absent ', broken: 'BROKEN ' } as const;
const OLDEST_NODE = 20;

/** Says what of this machine Tapedeck can use, and what is missing for what. */
export async function selfCheck(wantsJson: boolean, terminal: Terminal): Promise<number> {
  const checks = [
    ownFiles(),
    node(),
    await git(terminal.cwd),
    ...(await python(terminal.signal)),
    await state(),
    await folder(terminal.cwd),
    keys(),
  ];
  const isOk = checks.every(({ state }) => state !== 'broken');
  const facts = { version, node: process.versions.node, platform: `${process.platform} ${process.arch}` };
  if (wantsJson) terminal.print(jsonDocument<SelfCheckDocument>(isOk, { ...facts, checks }));
  else terminal.print(textOf(facts, checks));
  return isOk ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function textOf(facts: { readonly version: string; readonly platform: string }, checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, says, fix }) => [
    `${MARKS[state]} ${name.padEnd(width)}  ${says}`,
    ...(fix === undefined ? [] : [`${' '.repeat(MARKS[state].length + width + 3)}${fix}`]),
  ]);
  return `tapedeck ${facts.version} on ${facts.platform}\n${lines.join('\n')}\n`;
}

/** Whether everything is there that is loaded only when it is needed. */
function ownFiles(): Check {
  const name = 'own files';
  try {
    const preloaded = (['node.cjs', 'python', 'relay.cjs'] as const).map(preloadFile);
    const missing = preloaded.find((path) => !pathExists(path));
    if (missing !== undefined) throw new Error(`${missing} is missing`);
    const pattern = compilePattern('^[0-9]+$', 'javascript');
    if (!('test' in pattern) || !pattern.test('42')) throw new Error('patterns are not matched');
    return { name, state: 'ok', says: 'all there' };
  } catch (error) {
    return { name, state: 'broken', says: messageOf(error), fix: 'Install Tapedeck again.' };
  }
}

function node(): Check {
  const { node: now } = process.versions;
  if (Number.parseInt(now, 10) >= OLDEST_NODE) return { name: 'Node', state: 'ok', says: now };
  return { name: 'Node', state: 'broken', says: now, fix: `Install Node ${OLDEST_NODE} or newer.` };
}

async function git(cwd: string): Promise<Check> {
  try {
    return { name: 'git', state: 'ok', says: await installedGit(cwd) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const says = `${error.message}: without it, nothing is compared with the last commit`;
    return { name: 'git', state: 'absent', says, ...(error.fix !== undefined && { fix: error.fix }) };
  }
}

async function python(signal: AbortSignal): Promise<readonly Check[]> {
  for (const program of ['python3', 'python']) {
    const found = await printed(program, 'import platform; print(platform.python_version())', signal);
    if (found === undefined) continue;
    const pytest = await printed(program, 'import pytest; print(pytest.__version__)', signal);
    return [
      { name: 'Python', state: 'ok', says: `${found} (${program})` },
      pytest === undefined
        ? {
            name: 'pytest',
            state: 'absent',
            says: `is not installed for ${program}: the editor cannot run the tests of pytest's tapes with it`,
          }
        : { name: 'pytest', state: 'ok', says: pytest },
    ];
  }
  return [{ name: 'Python', state: 'absent', says: 'is not installed: only agents in Python need it' }];
}

/** What a line of Python prints. It is isolated: no module of this folder, or of the environment, is loaded. */
async function printed(program: string, code: string, signal: AbortSignal): Promise<string | undefined> {
  const command = [program, '-I', '-c', code];
  const environment = basicEnvironment(process.env);
  const run = { command, cwd: homedir(), environment, stdio: 'captured', timeoutMs: 10_000, signal } as const;
  const ended = await runProcess(run).catch(() => undefined);
  return ended?.code === 0 ? ended.stdout.trim() : undefined;
}

/** Where keys of the proxy and the program for git's hook are kept. */
async function state(): Promise<Check> {
  const path = userStateFile('.');
  const problem = await writingProblem(userStateFile('x'));
  if (problem === undefined) return { name: 'own state', state: 'ok', says: path };
  return {
    name: 'own state',
    state: 'broken',
    says: problem,
    fix: 'Set XDG_STATE_HOME to a folder that you can write to.',
  };
}

async function folder(cwd: string): Promise<Check> {
  const problem = await writingProblem(`${cwd}/.tapedeck/runs`);
  if (problem === undefined) return { name: 'this folder', state: 'ok', says: 'can be written to' };
  const says = `${problem}: nothing can be recorded or run here, only read`;
  return { name: 'this folder', state: 'absent', says };
}

async function writingProblem(path: string): Promise<string | undefined> {
  try {
    await requireWritableFolder(path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Their names: a value is never shown. */
function keys(): Check {
  const set = MODEL_KEYS.filter((name) => (process.env[name] ?? '') !== '');
  if (set.length > 0)
    return { name: 'keys', state: 'ok', says: `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set` };
  return { name: 'keys', state: 'absent', says: 'no key of a known provider is set: replays need none, recordings do' };
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Node adds the modules that wanted one that is missing.
  return text.split('\n', 1)[0] ?? text;
}
