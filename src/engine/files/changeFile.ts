import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { chmod, copyFile, type FileHandle, link, mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { splitsSurrogatePair } from '../../core/text/splicesBetween';
import { hasCode, unlessMissing } from '../errors/systemError';
import { fileStatus, isFolder } from './fileStatus';
import { isAlive } from './isAlive';
import { folderOf, type OwnFolder, type WritablePath } from './projectPaths';
import { untilFree } from './untilFree';

/**
 * The only module that changes files, besides `temporaryFolder.ts`. It takes only paths that were resolved and found to be
 * in the project, or that the user named: see `WritablePath`.
 */

/** What is only for the user: what may hold recorded values and is not committed. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Without execution, which new files do not get, and what the umask takes away. */
const SHARED_FILE = 0o666;
const SHARED_FOLDER = 0o777;
const PERMISSIONS = 0o777;

interface Placement {
  /** Only the user may read it. Otherwise it keeps the mode of the file that it replaces. */
  readonly isPrivate: boolean;
  /** False for what the next run makes again: it need not survive a power failure, and is not waited for. */
  readonly durable: boolean;
}

/**
 * Replaces the file at `target`, or creates it, with its folders. Afterwards it is the old one or the new one, whole, even
 * if the process or the machine dies meanwhile. It is written in `aside`, and at no time readable by more users than before.
 */
export async function replaceFile(
  target: WritablePath,
  content: string | Uint8Array,
  aside: WritablePath,
  placement: Placement,
): Promise<void> {
  const beside = folderOf(target);
  await makeFolder(beside, placement);
  try {
    await writeThrough(aside, target, content, placement);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    // Nothing can be renamed from one file system to another, so the content is written beside its target.
    await writeThrough(beside, target, content, placement);
  }
  if (placement.durable) await syncFolder(beside);
}

async function writeThrough(
  aside: WritablePath,
  target: WritablePath,
  content: string | Uint8Array,
  { isPrivate, durable }: Placement,
): Promise<void> {
  const old = isPrivate ? undefined : statSync(target, { throwIfNoEntry: false });
  const mode = isPrivate ? PRIVATE_FILE : old && old.mode & PERMISSIONS;
  if (!durable && content.length <= SMALL) return writeAtOnce(aside, target, content, mode);
  await throughAside(aside, target, async (path) => {
    const file = await open(path, 'wx', mode === undefined ? SHARED_FILE : PRIVATE_FILE);
    try {
      await writeContent(file, content);
      if (mode !== undefined && mode !== PRIVATE_FILE) await file.chmod(mode);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
  });
}

/** In bytes or UTF-16 units: smaller writes are faster in this thread than in another one. */
const SMALL = 2 ** 18;

async function writeAtOnce(
  aside: WritablePath,
  target: WritablePath,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  await throughAside(aside, target, async (path) => {
    const file = openSync(path, 'wx', mode === undefined ? SHARED_FILE : PRIVATE_FILE);
    try {
      writeFileSync(file, content);
      if (mode !== undefined && mode !== PRIVATE_FILE) fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
  });
}

/** In UTF-16 units. */
const PIECE = 2 ** 20;

/** Encodes a long text piece by piece. */
async function writeContent(file: FileHandle, content: string | Uint8Array): Promise<void> {
  if (typeof content !== 'string') return file.writeFile(content);
  for (let start = 0; start < content.length; ) {
    const end = splitsSurrogatePair(content, start + PIECE) ? start + PIECE + 1 : start + PIECE;
    await file.writeFile(content.slice(start, end));
    start = end;
  }
}

/** Has `write` create a file in the folder `aside`, and renames it to `target`. When either fails, that file is removed. */
async function throughAside(
  aside: WritablePath,
  target: WritablePath,
  write: (path: string) => Promise<void>,
): Promise<void> {
  await makeFolder(aside, { isPrivate: true, durable: false });
  await sweepLeftovers(aside);
  const path = asideFile(aside);
  try {
    await write(path);
    await untilFree(() => renameSync(path, target));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes into what is at `target` itself: a device, a pipe, or a file in a folder that takes no new ones. */
export async function writeInPlace(target: WritablePath, content: string | Uint8Array): Promise<void> {
  const file = await open(target, 'w');
  try {
    await writeContent(file, content);
  } finally {
    await file.close();
  }
}

/**
 * Keeps the content of `source` as `target`: as a hard link, or as a copy where the file system has none. False when
 * `target` exists, which then stays as it is.
 */
export async function linkOrCopy(source: string, target: WritablePath, aside: WritablePath): Promise<boolean> {
  const placement = { isPrivate: true, durable: true };
  await makeFolder(folderOf(target), placement);
  if (!(await linkNew(source, target))) {
    if ((await fileStatus(target, { followLinks: false })) !== undefined) return false;
    // Made aside, so that a kept copy is never half a file.
    await throughAside(aside, target, async (path) => {
      await (await open(path, 'wx', PRIVATE_FILE)).close();
      await copyFile(source, path);
      await chmod(path, PRIVATE_FILE);
    });
  }
  await syncFolder(folderOf(target));
  return true;
}

/** A hard link; false if there is something at `target`, or the file system has no hard links. */
async function linkNew(source: string, target: WritablePath): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS')) throw error;
    return false;
  }
}

/** Creates a file with this content, whole from the first moment; false if there is one already. */
export async function createFile(path: WritablePath, content: string): Promise<boolean> {
  const folder = folderOf(path);
  await makeFolder(folder, { isPrivate: true, durable: false });
  await sweepLeftovers(folder);
  const aside = asideFile(folder);
  try {
    const file = await open(aside, 'wx', PRIVATE_FILE);
    await file.writeFile(content).finally(() => file.close());
    if (await linkNew(aside, path)) return true;
    if ((await fileStatus(path, { followLinks: false })) !== undefined) return false;
    return await createDirectly(path, content);
  } finally {
    await rm(aside, { force: true });
  }
}

/** For file systems without hard links: there is a moment in which the file is empty. */
async function createDirectly(path: WritablePath, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', PRIVATE_FILE);
    await file.writeFile(content).finally(() => file.close());
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Lets those start a file who may read it. */
export async function makeExecutable(path: WritablePath): Promise<void> {
  const { mode } = await stat(path);
  await chmod(path, (mode & PERMISSIONS) | ((mode & 0o444) >> 2));
}

/** Sets the time of the last change to now; nothing where the file is gone. */
export async function touch(path: WritablePath): Promise<void> {
  const now = new Date();
  await unlessMissing(utimes(path, now, now));
}

/** Removes a file where it is there. A link is removed, not what it leads to. */
export async function remove(path: WritablePath): Promise<void> {
  await untilFree(() => rm(path, { force: true }));
}

/** Removes a folder with all that is in it, where it is there. Links in it are removed, not what they lead to. */
export async function removeFolder(path: OwnFolder): Promise<void> {
  await untilFree(() => rm(path, { recursive: true, force: true }));
}

/** A new private file that only grows. What was appended survives the process, though not a power failure. */
export class AppendedFile {
  readonly #file: number;
  #length: number;

  private constructor(file: number) {
    this.#file = file;
    this.#length = fstatSync(file).size;
  }

  /** Throws the system's error if there is no such file. */
  static open(path: WritablePath): AppendedFile {
    return new AppendedFile(openSync(path, constants.O_WRONLY | constants.O_APPEND));
  }

  static async create(path: WritablePath): Promise<AppendedFile> {
    await makeFolder(folderOf(path), { isPrivate: true, durable: false });
    return new AppendedFile(openSync(path, 'ax', PRIVATE_FILE));
  }

  /** Appends the text whole, or throws the system's error and leaves the file as it was. */
  append(text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#length += bytes.length;
    } catch (error) {
      ftruncateSync(this.#file, this.#length);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Creates a folder and those above it that are missing. */
async function makeFolder(path: WritablePath, { isPrivate, durable }: Placement): Promise<void> {
  const mode = isPrivate ? PRIVATE_FOLDER : SHARED_FOLDER;
  // Most folders exist.
  if (isFolder(path)) return;
  const first = await mkdir(path, { recursive: true, mode }).catch(async (error: unknown) => {
    // Of a read-only file system, Node says only that there is no such folder.
    if (hasCode(error, 'ENOENT')) await mkdir(await firstMissing(path), { mode });
    throw error;
  });
  if (first === undefined || !durable) return;
  for (let folder: string = path; folder !== dirname(first); ) {
    folder = dirname(folder);
    await syncFolder(folder);
  }
}

async function firstMissing(path: string): Promise<string> {
  const folder = dirname(path);
  return folder === path || (await fileStatus(folder)) !== undefined ? path : firstMissing(folder);
}

/** Makes the entries of a folder durable. Some systems do not let a folder be opened and synced; there the change has to do. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EISDIR', 'EACCES', 'EINVAL', 'ENOTSUP')) throw error;
  }
}

const ASIDE_NAME = /^\.tapedeck-(\d+)-[0-9a-f]{12}\.tmp$/;

/**
 * The process id lets the next run distinguish leftovers of dead processes from work in progress. The rest is no secret: a
 * file is only created where there is none.
 */
function asideFile(folder: WritablePath): string {
  const digits = Math.floor(Math.random() * 16 ** 12).toString(16);
  return join(folder, `.tapedeck-${process.pid}-${digits.padStart(12, '0')}.tmp`);
}

/** The folders that this process has swept; the next process sweeps what is left since. */
const swept = new Set<string>();

/** Removes the files that killed processes left in a folder, once. Work in progress stays. */
async function sweepLeftovers(folder: WritablePath): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  for (const name of await readdir(folder)) {
    const pid = ASIDE_NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}
