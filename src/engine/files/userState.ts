import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { isSystemError, unlessMissing } from '../errors/systemError';
import { readTextIfThere } from './readFile';

/** Where this user's own state is, outside of every project; as the system has it, or the XDG base directories. */
export function userStateFile(name: string, { XDG_STATE_HOME, APPDATA } = process.env): string {
  if (XDG_STATE_HOME !== undefined && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'tapedeck', name);
  if (process.platform === 'win32') return join(APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'tapedeck', name);
  const folder = process.platform === 'darwin' ? 'Library/Application Support' : '.local/state';
  return join(homedir(), folder, 'tapedeck', name);
}

export function readUserState(name: string): Promise<string | undefined> {
  return readTextIfThere(userStateFile(name), FILE_LIMITS.config);
}

/** The same for a secret: undefined also where others than the user may read the file. */
export async function readPrivateState(name: string): Promise<string | undefined> {
  const status = await unlessMissing(stat(userStateFile(name)));
  const isShared = status !== undefined && process.platform !== 'win32' && (status.mode & 0o077) !== 0;
  return isShared ? undefined : readUserState(name);
}

/** In days. What is kept is made again when it is missed. */
const OLDEST = 60;

/**
 * The folder of a version of this program, in which only the user can write; undefined where that is not certain, or none can
 * be made. When it is made, the folders of other versions that are older than two months are removed.
 */
export async function privateStateFolder(kind: string, version: string): Promise<string | undefined> {
  const all = userStateFile(kind);
  const folder = join(all, version);
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await removeOld(all);
    return isOwn(await lstat(all)) && isOwn(await lstat(folder)) ? folder : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Whether only this user can write in what is itself a folder. On Windows, the user's profile is closed to others. */
function isOwn(status: Stats): boolean {
  const isClosed = process.platform === 'win32' || (status.uid === process.getuid?.() && (status.mode & 0o022) === 0);
  return status.isDirectory() && isClosed;
}

async function removeOld(folder: string): Promise<void> {
  const oldest = Date.now() - OLDEST * 24 * 60 * 60 * 1000;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await lstat(path)).mtimeMs < oldest) await rm(path, { recursive: true, force: true });
  }
}

/** Replaces a file of the user's state, which only the user may read. */
export async function writeUserState(name: string, content: string | Uint8Array): Promise<void> {
  const path = userStateFile(name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}
