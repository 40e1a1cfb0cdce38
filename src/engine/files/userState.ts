import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { unlessMissing } from '../errors/systemError';
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
