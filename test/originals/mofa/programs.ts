import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { projectFolder } from '../../corpus';
import { copyOriginal } from '../originals';
import type { MofaCase } from './mofaCase';
import { startUpstream, type Upstream, type UpstreamRequest } from './upstream';

/** A program with the arguments that come first. */
export type Program = readonly [command: string, ...leading: string[]];

/** What a program did with a case. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly UpstreamRequest[];
  /** The files that are new or changed, by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly root: string;
  readonly upstream: string;
}

/** Builds MoFA's command line. Throws where its source or Rust is missing, and when it does not compile. */
export function buildMofa(): Program {
  const folder = copyOriginal('mofa-test-dsl');
  const { error, status } = spawnSync('cargo', ['build', '--quiet', '-p', 'mofa-cli'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, RUSTFLAGS: '-Awarnings' },
  });
  if (error !== undefined || status !== 0)
    throw new Error(`NOTHING WAS COMPARED: MoFA cannot be built: ${error?.message ?? `cargo ended with ${status}`}`);
  return [join(folder, 'target/debug/mofa')];
}

export const TAPEDECK: Program = [process.execPath, join(projectFolder, 'dist/engine.js')];

/** Runs a program on a case, in a new folder that is removed afterwards. */
export async function runCase(program: Program, one: MofaCase): Promise<Run> {
  const upstream = await startUpstream(one.upstream ?? []);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'beside-mofa-')));
  try {
    // A folder in it, so that a path out of the project still is in a folder of this run alone.
    return await runIn(join(folder, 'project'), program, one, upstream);
  } finally {
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runIn(root: string, program: Program, one: MofaCase, upstream: Upstream): Promise<Run> {
  const fill = (text: string) => text.replaceAll('{{upstream}}', upstream.address).replaceAll('{{root}}', root);
  const given = new Map<string, Buffer>();
  for (const [path, content] of Object.entries(one.files)) {
    const bytes = Buffer.from(typeof content === 'string' ? fill(content) : content);
    given.set(path, bytes);
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
  const cwd = join(root, one.cwd ?? '.');
  await mkdir(cwd, { recursive: true });
  const ended = await start(program, one.args.map(fill), cwd, environment(one, fill));
  const files = new Map<string, Buffer>();
  for (const path of await filesIn(dirname(root))) {
    const name = relative(root, path);
    const bytes = await readFile(path);
    if (given.get(name)?.equals(bytes) !== true) files.set(name, bytes);
  }
  return { ...ended, requests: upstream.requests, files, root, upstream: upstream.address };
}

function environment({ env = {} }: MofaCase, fill: (text: string) => string): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), RUST_BACKTRACE: '0', NO_PROXY: '*', ...own };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function start(
  [command, ...leading]: Program,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Run, 'code' | 'stdout' | 'stderr'>> {
  return new Promise((settle, fail) => {
    const child = spawn(command, [...leading, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.once('error', fail);
    child.once('close', (code) => settle({ code, stdout: `${Buffer.concat(out)}`, stderr: `${Buffer.concat(err)}` }));
  });
}
