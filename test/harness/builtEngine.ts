import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cli } from './inProcess';

const PROJECT = resolve(__dirname, '../..');
const ENGINE = join(PROJECT, 'dist/engine.js');
const SOURCES = ['src/core', 'src/contracts', 'src/engine', 'src/start', 'package.json'];

/** For a suite's `before`: builds `dist/engine.js` unless it is newer than its sources. */
export function buildEngine(this: Mocha.Context): void {
  this.timeout(60_000);
  const newest = Math.max(...SOURCES.map((source) => changedAt(join(PROJECT, source))));
  if (existsSync(ENGINE) && statSync(ENGINE).mtimeMs > newest) return;
  const built = spawnSync(process.execPath, ['esbuild.mjs', 'node'], { cwd: PROJECT, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the engine cannot be built: ${built.stderr}`);
}

function changedAt(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface EngineOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The user that it runs as, and the group of the same number; by default the one of the tests. */
  readonly uid?: number;
  /** A command that runs it, such as in another network. */
  readonly within?: readonly string[];
}

/** On Windows, names have no case, and hardly anything starts without the second line. */
const KEPT = [
  ...['PATH', 'HOME', 'TMPDIR', 'XDG_STATE_HOME'],
  ...['SYSTEMROOT', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'APPDATA', 'USERPROFILE', 'NODE_OPTIONS'],
];

/** The variables of the tests without the API keys of the developer. */
export function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && KEPT.includes(name.toUpperCase()) ? [[name, value]] : [],
    ),
  );
}

/** The built engine as a child process, without colours and without the API keys of the developer. */
export function startEngine(
  args: readonly string[],
  { cwd, env, uid, within = [] }: EngineOptions = {},
): ChildProcessWithoutNullStreams {
  const [program, ...words] = [...within, process.execPath, uid === undefined ? ENGINE : engineForAll(), ...args];
  return spawn(program ?? process.execPath, words, {
    cwd: cwd ?? PROJECT,
    env: { ...cleanEnvironment(), ...env },
    stdio: 'pipe',
    ...(uid !== undefined && { uid, gid: uid }),
  });
}

let copied: string | undefined;

/** A copy of the build that every user may read: the folders above the project's may be closed to others. */
function engineForAll(): string {
  if (copied !== undefined) return copied;
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-engine-'));
  for (const name of ['engine.js', 'chunks', 'preload'])
    cpSync(join(PROJECT, 'dist', name), join(folder, name), { recursive: true });
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  copied = join(folder, 'engine.js');
  return copied;
}

/** Runs the built engine to its end. */
export async function engine(args: readonly string[], options: EngineOptions = {}): Promise<Ended> {
  const child = startEngine(args, options);
  child.stdin.end();
  return ended(child);
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((settle) => child.once('close', settle));
  return { code, stdout, stderr };
}

/** Makes files in a temporary folder of their own, runs the test there, and removes them. */
export async function inProject(
  files: Readonly<Record<string, string>>,
  test: (project: TestProject) => Promise<void>,
): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tapedeck-test-')));
  try {
    const project = new TestProject(root);
    for (const [path, text] of Object.entries(files)) await project.write(path, text);
    await test(project);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

export class TestProject {
  constructor(readonly root: string) {}

  path(path: string): string {
    return join(this.root, path);
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), text);
  }

  read(path: string): Promise<string> {
    return readFile(this.path(path), 'utf8');
  }

  async json(path: string): Promise<Record<string, unknown>> {
    return JSON.parse(await this.read(path)) as Record<string, unknown>;
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** Runs a command line in this process. Not for `exec`, whose agent has the output of its process. */
  cli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return cli(this.root, args, { env });
  }

  /** Runs the built engine in this project, or in a folder of it. */
  engine(args: readonly string[], env: Readonly<Record<string, string>> = {}, folder = '.'): Promise<Ended> {
    return engine(args, { cwd: this.path(folder), env });
  }
}

/** The text of a case that plays `responses`; `more` follows as TOML. */
export function scripted(name: string, responses: readonly string[], more = ''): string {
  return `name = ${JSON.stringify(name)}\nprompt = "hi"\n[llm]\nresponses = ${JSON.stringify(responses)}\n${more}`;
}

/** The text of a case with a tape. */
export function taped(name: string, tape: string, more = ''): string {
  return `name = "${name}"\nprompt = "hi"\n[llm]\ntape = "${tape}"\n${more}`;
}

/** A MoFA tape with these responses. */
export function tapeOf(name: string, responses: readonly string[]): string {
  return JSON.stringify({ version: 1, case_name: name, interactions: responses.map((response) => ({ response })) });
}

/** A case that runs for 25 seconds unless it is cancelled. */
export const SLOW_CASE = `
name = "slow"
prompt = "hi"
[[tools]]
name = "wait"
description = "takes its time"
delay_ms = 25000
[[llm.steps]]
type = "tool_call"
tool = "wait"
`;
