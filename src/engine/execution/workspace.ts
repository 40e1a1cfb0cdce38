import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { sipHash } from '../../core/hash/sipHash';
import type { WorkspaceFile, WorkspaceSnapshot } from '../../core/model/artifact';
import type { BootstrapFile, Case } from '../../core/model/case';
import { AgentError, ProviderError } from '../errors/runErrors';
import { errorCode, unlessMissing } from '../errors/systemError';
import { isAlive } from '../files/atomicWrite';

const NAME = /^tapedeck-(\d+)-[A-Za-z0-9]{6}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

let swept: Promise<void> | undefined;

/** A run's own folder, under the system's temporary folder. Whoever makes one removes it. */
export class Workspace {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Makes an empty workspace. Rejects with an `AgentError` when there is no place for it. */
  static async create(): Promise<Workspace> {
    try {
      swept ??= sweepWorkspaces(tmpdir());
      await swept;
      return new Workspace(await mkdtemp(join(tmpdir(), `tapedeck-${process.pid}-`)));
    } catch (error) {
      const message = `no workspace could be made in ${tmpdir()}: ${errorCode(error)}`;
      throw new AgentError('agent', message, 'Make room there, or set TMPDIR to another folder.');
    }
  }

  /** Writes the case's files. Rejects with an `AgentError` that names the file which cannot be. */
  async write(files: readonly BootstrapFile[]): Promise<void> {
    for (const { path, content } of files) {
      const target = resolve(this.root, path);
      // The reader of cases refuses such paths already; nothing is ever written outside, whatever it lets through.
      if (!target.startsWith(this.root + sep)) throw unwritableFile(path, 'it is outside the workspace');
      try {
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, content);
      } catch (error) {
        throw unwritableFile(path, errorCode(error) ?? String(error));
      }
    }
  }

  /** The files as they are now, by path. */
  async snapshot(): Promise<WorkspaceSnapshot> {
    const paths = await readdir(this.root, { recursive: true });
    const files = await Promise.all(paths.map((path) => this.#describe(path)));
    return { files: files.flat().sort((a, b) => (a.relative_path < b.relative_path ? -1 : 1)) };
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  /** One file; nothing for a folder. */
  async #describe(path: string): Promise<readonly WorkspaceFile[]> {
    const status = await stat(join(this.root, path));
    if (!status.isFile()) return [];
    const file = {
      relative_path: path.split(sep).join('/'),
      size_bytes: status.size,
      modified_ms: Math.trunc(status.mtimeMs),
      checksum: sipHash(await readFile(join(this.root, path))),
    };
    return [file];
  }
}

function unwritableFile(path: string, reason: string): AgentError {
  const message = `bootstrap file \`${path}\` cannot be written: ${reason}`;
  return new AgentError('case', message, 'Change its path under [[bootstrap_files]].');
}

/** Removes workspaces of runs that were killed more than a day ago. Others may be in use, or are not ours. */
export async function sweepWorkspaces(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(folder, name);
    const status = await unlessMissing(stat(path));
    if (status === undefined || !status.isDirectory()) continue;
    const ours = status.uid === (process.getuid?.() ?? status.uid);
    if (ours && Date.now() - status.mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}

const NO_FILES: WorkspaceSnapshot = { files: [] };

/** What a run left behind in its workspace. */
export interface WorkspaceOutcome {
  /** What the work ended with, where that is a result of the run. */
  readonly error: ProviderError | AgentError | null;
  readonly before: WorkspaceSnapshot;
  readonly after: WorkspaceSnapshot;
  /** Where it was; empty when none could be made. */
  readonly root: string;
}

/** Gives the work a workspace with the files of the case, and takes it away again, whatever happens. */
export async function withWorkspace(
  { bootstrapFiles }: Pick<Case, 'bootstrapFiles'>,
  work: (root: string) => Promise<void>,
): Promise<WorkspaceOutcome> {
  let workspace: Workspace | undefined;
  let before = NO_FILES;
  let error: WorkspaceOutcome['error'] = null;
  try {
    try {
      workspace = await Workspace.create();
      await workspace.write(bootstrapFiles);
      before = await workspace.snapshot();
      await work(workspace.root);
    } catch (thrown) {
      error = requireRunError(thrown);
    }
    return { error, root: workspace?.root ?? '', before, after: (await workspace?.snapshot()) ?? NO_FILES };
  } finally {
    await workspace?.remove();
  }
}

/** The errors that are a run's result. Everything else, a cancellation too, goes on to the caller. */
function requireRunError(thrown: unknown): ProviderError | AgentError {
  if (thrown instanceof ProviderError || thrown instanceof AgentError) return thrown;
  throw thrown;
}
