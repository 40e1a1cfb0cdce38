import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isSystemError, systemReason, UserError } from '../project/userError';

/** The text of a file that was named on the command line. Rejects with a `UserError` that says why there is none. */
export async function readTextFile(path: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, 'Correct the path.');
  }
}
