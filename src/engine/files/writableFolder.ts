import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { message, t } from '../../core/text/l10n';
import { hasCode, isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { fileStatus } from './fileStatus';

/** Rejects with a `UserError` if the file at `path` could not be created, with the folders that are missing. */
export async function requireWritableFolder(path: string): Promise<void> {
  try {
    await access(await nearestFolder(dirname(path)), constants.W_OK);
  } catch (error) {
    throw isSystemError(error) ? unwritableError(path, error) : error;
  }
}

/** The error of a failed write, for the user. */
export function unwritableError(path: string, error: NodeJS.ErrnoException): UserError {
  return new UserError(
    () => t('{0} cannot be written: {1}', path, systemReason(error)),
    () => t(hasCode(error, 'ENOSPC', 'EDQUOT') ? FREE_SPACE : NAME_ANOTHER),
  );
}

const FREE_SPACE = message('Free some space, and record again.');
const NAME_ANOTHER = message('Choose a file in a folder that you can write to.');

async function nearestFolder(folder: string): Promise<string> {
  const status = await fileStatus(folder);
  if (status === undefined) return nearestFolder(dirname(folder));
  if (status.isFolder) return folder;
  throw new UserError(
    () => t('{0} is not a folder', folder),
    () => t(NAME_ANOTHER),
  );
}
