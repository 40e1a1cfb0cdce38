import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isSystemError, systemReason, UserError } from '../project/userError';

/** The bytes of a file that was named on the command line. Rejects with a `UserError` that says why there are none. */
export async function readBytes(path: string, cwd: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, 'Correct the path.');
  }
}
