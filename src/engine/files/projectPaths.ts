import { realpath as requireRealPath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { STATE_FOLDER } from '../../core/project/layout';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { pathExists, realPath } from './fileStatus';

/** The folder where files are written before they are renamed; on the same file system as the project. */
export function asideFolder(root: string): string {
  return join(root, STATE_FOLDER, 'tmp');
}

/** `path`, in whatever form the system gives it, with `/`. */
export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** `path` from `root`, with `/` on every system. */
export function fromRoot(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Whether `path` is the folder, or in it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Rejects with a `UserError` for a path that is not in the project, or that leads out of it by a link. */
export async function requireInProject(root: string, path: string): Promise<void> {
  const place = await realPlace(path);
  // The root may itself be reached by a link.
  if (isInside(await realPlace(root), place)) return;
  const way = isInside(root, path) ? `leads by a link to ${place}, which ` : '';
  throw new UserError(
    `${path} ${way}is outside the project ${root}: nothing is written there`,
    'Move the file into the project, or put tapedeck.toml into the folder that holds both.',
  );
}

/** The same for a tape, and for the folder in which it is written. */
export async function requireTapeInProject(root: string, tapePath: string): Promise<void> {
  for (const place of [asideFolder(root), tapePath]) await requireInProject(root, place);
}

/** The path of a file without links, also where it does not exist yet. */
async function realPlace(path: string): Promise<string> {
  const parent = dirname(path);
  const place = await realPath(path);
  return place ?? (parent === path ? path : join(await realPlace(parent), basename(path)));
}

/** The absolute path of a file that an agent named. Rejects with a `UserError` for one that is missing, or outside of `root`, also by a link. */
export async function resolveInProject(root: string, named: string): Promise<string> {
  const path = resolve(root, named);
  if (!isInside(root, path)) throw outsideProject(named);
  try {
    // The address of one of several cases is its file and its id.
    const file = pathExists(path) ? path : parseCaseAddress(path).path;
    if (!isInside(await requireRealPath(root), await requireRealPath(file))) throw outsideProject(named);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${named}: ${systemReason(error)}`, 'list_cases names the cases and their tapes.');
  }
  return path;
}

function outsideProject(named: string): UserError {
  return new UserError(`${named} is outside of this project`, 'Pass a path from the root of the project.');
}
