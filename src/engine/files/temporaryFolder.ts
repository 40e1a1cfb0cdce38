import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { unlessMissing } from '../errors/systemError';
import { isAlive } from './isAlive';
import { readBytes } from './readFile';

/** A file of a temporary folder, as it is now. */
export interface TemporaryFile {
  /** From the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly bytes: Uint8Array;
}

const NAME = /^tapedeck-(\d+)-[A-Za-z0-9]{6}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Once for each process: folders are left behind only by processes that were killed. */
let swept: Promise<void> | undefined;

/** A new folder in the system's temporary folder. Its creator removes it. */
export class TemporaryFolder {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Rejects with the system's error where none can be made. */
  static async create(): Promise<TemporaryFolder> {
    swept ??= sweepTemporaryFolders(tmpdir());
    await swept;
    return new TemporaryFolder(await mkdtemp(join(tmpdir(), `tapedeck-${process.pid}-`)));
  }

  /** Whether `path`, from the folder, is in it. */
  contains(path: string): boolean {
    return resolve(this.root, path).startsWith(this.root + sep);
  }

  /** Writes a file in the folder, with its folders. Rejects with the system's error. */
  async write(path: string, content: string): Promise<void> {
    if (!this.contains(path)) throw new Error(`${path} is outside the temporary folder`);
    const target = resolve(this.root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }

  /** All files, at any depth, in no order. */
  async files(): Promise<readonly TemporaryFile[]> {
    const paths = await readdir(this.root, { recursive: true });
    const files = await Promise.all(paths.map((path) => this.#read(path)));
    return files.flat();
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  /** The file at `path`; nothing for a folder. */
  async #read(path: string): Promise<readonly TemporaryFile[]> {
    const status = await stat(join(this.root, path));
    if (!status.isFile()) return [];
    const bytes = await readBytes(join(this.root, path), FILE_LIMITS.tape);
    return [{ path: path.split(sep).join('/'), size: status.size, modifiedMs: Math.trunc(status.mtimeMs), bytes }];
  }
}

/** Removes from `folder` the temporary folders of processes that were killed more than a day ago, and of no other user. */
export async function sweepTemporaryFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(folder, name);
    const status = await unlessMissing(stat(path));
    if (status === undefined || !status.isDirectory()) continue;
    const isOwn = status.uid === (process.getuid?.() ?? status.uid);
    if (isOwn && Date.now() - status.mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}
