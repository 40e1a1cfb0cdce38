import { hasCode } from '../errors/systemError';
import { linkOrCopy, makeExecutable, remove, removeFolder, replaceFile, writeInPlace } from './changeFile';
import { fileStatus } from './fileStatus';
import { deviceOfUser, entryInProject, folderOf, isInState, ownFolder, placeOfUser } from './projectPaths';
import { placesToWrite } from './stateFolder';

/**
 * Replaces or creates a file of the project at `root`, atomically, with its folders; what is in the project's own folder,
 * for this user only. Rejects with a `UserError` if the file, or the project's own folder, leads out of the project.
 */
export async function writeInProject(
  root: string,
  path: string,
  content: string | Uint8Array,
  { durable = true }: { readonly durable?: boolean } = {},
): Promise<void> {
  const { target, aside } = await placesToWrite(root, path);
  await replaceFile(target, content, aside, { isPrivate: isInState(root, path), durable });
}

/** Paths of open files, such as /dev/stdout: replacing such a file would cut it off from its other writers. */
const OPEN_FILE = /^\/(?:dev|proc)\//;

/**
 * Writes a file that the user named, anywhere, with its folders; atomically where that is possible. A device or a pipe is
 * written to, and so is a file in a folder that takes no new files, or that is mounted by itself.
 */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const old = await fileStatus(path);
  if (old !== undefined && (!old.isFile || OPEN_FILE.test(path))) return writeInPlace(deviceOfUser(path), content);
  const target = await placeOfUser(path);
  try {
    await replaceFile(target, content, folderOf(target), { isPrivate: false, durable: true });
  } catch (error) {
    if (old === undefined || !hasCode(error, 'EACCES', 'EPERM', 'EBUSY')) throw error;
    await writeInPlace(target, content);
  }
}

/** Writes a program that the user asked for, anywhere, which this user may then start. */
export async function writeProgram(path: string, content: string): Promise<void> {
  await writeOutput(path, content);
  await makeExecutable(await placeOfUser(path));
}

/** Removes a file that the user named, anywhere, where it is there. */
export async function removeOutput(path: string): Promise<void> {
  await remove(await placeOfUser(path));
}

/** Removes a file of the project where it is there. Rejects like `writeInProject`. */
export async function removeInProject(root: string, path: string): Promise<void> {
  await remove(await entryInProject(root, path));
}

/** Removes a folder that Tapedeck has made for one thing, with all that is in it, where it is there. Rejects like `ownFolder`. */
export async function removeOwnFolder(root: string, path: string): Promise<void> {
  await removeFolder(await ownFolder(root, path));
}

/**
 * Keeps the content of `source`, which is about to be replaced and is no link, as `target` in the project: as a hard link,
 * or as a copy where the file system has none. False when `target` exists, which then stays as it is.
 */
export async function keepCopy(root: string, source: string, target: string): Promise<boolean> {
  const places = await placesToWrite(root, target);
  return linkOrCopy(source, places.target, places.aside);
}
