import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError, systemReason, UserError } from '../project/userError';
import { unlessMissing } from './fileErrors';

/** Rejects with a `UserError` where the file at `path` could not be made, with the folders that are not there yet. */
export async function requireWritableFolder(path: string): Promise<void> {
  try {
    await access(await nearestFolder(dirname(path)), constants.W_OK);
  } catch (error) {
    throw isSystemError(error) ? unwritable(path, error) : error;
  }
}

/** What the system says against writing a file, for the user. */
export function unwritable(path: string, error: NodeJS.ErrnoException): UserError {
  return new UserError(`${path} cannot be written: ${systemReason(error)}`, 'Name a file in a folder of yours.');
}

async function nearestFolder(folder: string): Promise<string> {
  const there = await unlessMissing(stat(folder));
  if (there === undefined) return nearestFolder(dirname(folder));
  if (there.isDirectory()) return folder;
  throw new UserError(`${folder} is no folder`, 'Name a file in a folder of yours.');
}
