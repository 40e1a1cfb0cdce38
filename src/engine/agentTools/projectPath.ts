import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { isInside } from '../project/caseFiles';
import { isSystemError, systemReason, UserError } from '../project/userError';

/** The absolute path of a file that an agent named. Rejects with a `UserError` for one that is not there, or outside of `root`, also by a link. */
export async function projectPath(root: string, named: string): Promise<string> {
  const path = resolve(root, named);
  if (!isInside(root, path)) throw outside(named);
  try {
    // A case that is one of several in its file is named by both.
    const file = existsSync(path) ? path : parseCaseAddress(path).path;
    if (!isInside(await realpath(root), await realpath(file))) throw outside(named);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${named}: ${systemReason(error)}`, 'list_cases names the cases and their tapes.');
  }
  return path;
}

function outside(named: string): UserError {
  return new UserError(`${named} is outside of this project`, 'Paths start at the root of the project.');
}
