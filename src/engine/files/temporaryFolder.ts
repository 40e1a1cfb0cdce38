import { type Dirent, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { hasCode, isSystemError, unlessMissing } from '../errors/systemError';
import { unconfined } from './confinement';
import { isAlive } from './isAlive';
import { isInside } from './projectPaths';
import { readBytes } from './readFile';
import { untilFree } from './untilFree';

/** The current state of a file in a temporary folder. */
interface TemporaryFile {
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

/** A path like that of a new folder, where none is needed: what names it reads the same. */
export function unmadeFolder(): string {
  return join(tmpdir(), `tapedeck-${process.pid}-${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`);
}

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
    return new TemporaryFolder(mkdtempSync(join(tmpdir(), `tapedeck-${process.pid}-`)));
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

  /** Makes a folder in it. Rejects with the system's error. */
  async makeFolder(path: string): Promise<void> {
    if (!this.contains(path)) throw new Error(`${path} is outside the temporary folder`);
    await mkdir(resolve(this.root, path), { recursive: true });
  }

  /** All files, at any depth, in no order, one at a time. Others may be changing them. */
  files(): AsyncGenerator<TemporaryFile> {
    return this.#filesIn('');
  }

  async remove(): Promise<void> {
    // Most are empty.
    if (removedEmpty(this.root)) return;
    try {
      await untilFree(() => rm(this.root, { recursive: true, force: true }));
    } catch (error) {
      // On Windows it cannot be removed while a program that was left behind is in it. A later process sweeps it.
      if (process.platform !== 'win32' || !isSystemError(error)) throw error;
    }
  }

  async *#filesIn(folder: string): AsyncGenerator<TemporaryFile> {
    for (const entry of entriesOf(join(this.root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#filesIn(path);
      else {
        const file = await unlessUnreadable(this.#read(path));
        if (file !== undefined) yield file;
      }
    }
  }

  /** The file at `path`, with `/`; undefined for what is none, and for a link to a folder or out of this one. */
  async #read(path: string): Promise<TemporaryFile | undefined> {
    const place = await realpath(join(this.root, path));
    const status = await stat(place);
    if (!status.isFile() || !isInside(await realpath(this.root), place)) return undefined;
    const bytes = await unconfined(() => readBytes(place, FILE_LIMITS.tape));
    return { path, size: status.size, modifiedMs: Math.trunc(status.mtimeMs), bytes };
  }
}

function removedEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'EFBIG');
}

/** Undefined for what is gone meanwhile, may not be read, is too large, or is a link to nowhere: an agent may leave any of these. */
async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
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
