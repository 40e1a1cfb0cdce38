import { access, constants, copyFile, link, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, isSystemError, systemReason, unlessMissing } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { throughAside, writeAtomically } from './atomicWrite';
import { fileStatus } from './fileStatus';
import { asideFolder, requireInProject } from './projectPaths';

/**
 * Replaces or creates a file of the project at `root`, atomically, with its folders. Rejects with a `UserError` where the
 * file, or the project's own folder, leads out of the project.
 */
export async function writeInProject(
  root: string,
  path: string,
  content: string | Uint8Array,
  options: { readonly durable?: boolean } = {},
): Promise<void> {
  await requireInProject(root, asideFolder(root));
  await requireInProject(root, path);
  await writeAtomically(path, content, { asideFolder: asideFolder(root), ...options });
}

/** Paths of open files, such as /dev/stdout: replacing such a file would cut it off from its other writers. */
const OPEN_FILE = /^\/(?:dev|proc)\//;

/**
 * Writes a file that the user named, anywhere, with its folders; atomically where that is possible. A device or a pipe is
 * written to, and so is a file in a folder that takes no new files, or that is mounted by itself.
 */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const old = await unlessMissing(stat(path));
  if (old !== undefined && (!old.isFile() || OPEN_FILE.test(path))) return writeFile(path, content);
  try {
    await writeAtomically(path, content, { asideFolder: dirname(path) });
  } catch (error) {
    if (old === undefined || !hasCode(error, 'EACCES', 'EPERM', 'EBUSY')) throw error;
    await writeFile(path, content);
  }
}

/** Removes a file of the project, where it is there. Rejects like `writeInProject`. */
export async function removeFile(root: string, path: string): Promise<void> {
  await requireInProject(root, path);
  await rm(path, { force: true });
}

/** Removes a folder of the project with all that is in it. Rejects like `writeInProject`. */
export async function removeFolder(root: string, path: string): Promise<void> {
  await requireInProject(root, path);
  await rm(path, { recursive: true, force: true });
}

/**
 * Keeps the content of `source`, which is about to be replaced and is no link, as `target` in the project: as a hard link,
 * or as a copy where the file system has none. False when `target` exists, which then stays as it is.
 */
export async function keepCopy(root: string, source: string, target: string): Promise<boolean> {
  const aside = asideFolder(root);
  for (const place of [aside, dirname(target)]) await requireInProject(root, place);
  await mkdir(dirname(target), { recursive: true });
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!hasCode(error, 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS')) throw error;
  }
  if ((await fileStatus(target)) !== undefined) return false;
  // Made aside, so that a kept copy is never half a file.
  await mkdir(aside, { recursive: true });
  await throughAside(aside, target, (path) => copyFile(source, path));
  return true;
}

/** Rejects with a `UserError` where the file at `path` could not be created, with the folders that are missing. */
export async function requireWritableFolder(path: string): Promise<void> {
  try {
    await access(await nearestFolder(dirname(path)), constants.W_OK);
  } catch (error) {
    throw isSystemError(error) ? unwritableError(path, error) : error;
  }
}

/** The error of a failed write, for the user. */
export function unwritableError(path: string, error: NodeJS.ErrnoException): UserError {
  return new UserError(`${path} cannot be written: ${systemReason(error)}`, NAME_ANOTHER);
}

const NAME_ANOTHER = 'Name a file in a folder that you may write to.';

async function nearestFolder(folder: string): Promise<string> {
  const status = await fileStatus(folder);
  if (status === undefined) return nearestFolder(dirname(folder));
  if (status.isFolder) return folder;
  throw new UserError(`${folder} is not a folder`, NAME_ANOTHER);
}
