import { existsSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shape, text, type Value } from '../../core/schema/schema';
import { hasCode, isSystemError, unlessMissing } from '../errors/systemError';
import { isElsewhere, requireNamedMachine } from './machines';

interface FileStatus {
  readonly size: number;
  readonly modifiedMs: number;
  readonly isFile: boolean;
  readonly isFolder: boolean;
  /** Only where links are not followed. */
  readonly isLink: boolean;
  /** By its owner. */
  readonly isExecutable: boolean;
}

/**
 * The status of the file at `path`, following links by default; undefined if there is none. Synchronous, because that is faster
 * than another thread.
 */
export async function fileStatus(path: string, { followLinks = true } = {}): Promise<FileStatus | undefined> {
  const status = statusOf(path, followLinks ? statSync : lstatSync);
  return (
    status && {
      size: status.size,
      modifiedMs: status.mtimeMs,
      isFile: status.isFile(),
      isFolder: status.isDirectory(),
      isLink: status.isSymbolicLink(),
      isExecutable: (status.mode & 0o100) !== 0,
    }
  );
}

/** Whether there is a file or a folder at `path`. Synchronous, for the few checks before anything else begins. */
export function pathExists(path: string): boolean {
  return !isElsewhere(path) && existsSync(path);
}

/** The size of the file at `path`, in bytes; undefined if there is none. One that is there and cannot be opened has 0. */
export function sizeOfFile(path: string): number | undefined {
  try {
    const status = statusOf(path);
    return status?.isFile() ? status.size : undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return lstatSync(path, { throwIfNoEntry: false }) && 0;
  }
}

/** Whether there is a folder at `path`, synchronously too. */
export function isFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() ?? false;
}

/** A text that changes whenever the file at `path` is written; undefined if there is none. Synchronous, for walks over thousands. */
export function stampOfFile(path: string): string | undefined {
  const status = statusOf(path);
  return status?.isFile() ? `${status.size} ${status.mtimeMs} ${status.ctimeMs}` : undefined;
}

/** Nothing is there for us on a machine that the user has not named. */
function statusOf(path: string, ask: typeof lstatSync = statSync): Stats | undefined {
  return isElsewhere(path) ? undefined : ask(path, { throwIfNoEntry: false });
}

/** Where `path` leads, without links; undefined if there is nothing. */
export async function realPath(path: string): Promise<string | undefined> {
  if (isElsewhere(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Where a symbolic link points to, as it is written; undefined for what is none. */
export async function linkTarget(path: string): Promise<string | undefined> {
  if (isElsewhere(path)) return undefined;
  try {
    return await readlink(path);
  } catch (error) {
    if (hasCode(error, 'EINVAL', 'ENOENT', 'UNKNOWN')) return undefined;
    throw error;
  }
}

/** The names in a folder; none if it is not there. */
export async function listFolder(path: string): Promise<readonly string[]> {
  return isElsewhere(path) ? [] : ((await unlessMissing(readdir(path))) ?? []);
}

/** The files in a folder and below it, as paths from it with `/`; none if it is not there. Links are left out, and not followed. */
export async function filesBelow(path: string): Promise<readonly string[]> {
  const entries = isElsewhere(path) ? [] : ((await unlessMissing(readdir(path, { withFileTypes: true }))) ?? []);
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : [];
    return (await filesBelow(join(path, entry.name))).map((below) => `${entry.name}/${below}`);
  });
  return (await Promise.all(found)).flat();
}

/** Whether both paths are one file, by links of any kind; false if either is missing. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  if (isElsewhere(a) || isElsewhere(b)) return false;
  const [first, second] = await Promise.all([unlessMissing(stat(a)), unlessMissing(stat(b))]);
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/** Which state of which file: no change of a file leaves all of these as they were. */
export const FILE_IDENTITY = shape({ size: text(), modified: text(), changed: text(), inode: text() });
export type FileIdentity = Value<typeof FILE_IDENTITY>;

/** Rejects with the system's error if there is no file. */
export async function fileIdentity(path: string): Promise<FileIdentity> {
  requireNamedMachine(path);
  const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
  return { size: `${size}`, modified: `${mtimeNs}`, changed: `${ctimeNs}`, inode: `${ino}` };
}

export function isSameState(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.size === other.size &&
    one.modified === other.modified &&
    one.changed === other.changed &&
    one.inode === other.inode
  );
}
