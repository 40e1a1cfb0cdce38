import { fromRoot, isInState } from '../files/projectPaths';
import { removeInProject, removeOwnFolder, writeInProject, writeOutput } from '../files/writeFile';
import { OwnState } from '../project/ownState';
import type { RecordedContent } from './recordedContent';

/**
 * Writes a file that holds recorded values: a tape, a take, an artifact, a baseline, a cache of these. Rejects like
 * `writeInProject`, and in the project's own folder like `OwnState.requireUncommitted`.
 */
export async function writeRecorded(
  root: string,
  path: string,
  content: RecordedContent,
  options: { readonly durable?: boolean } = {},
): Promise<void> {
  await requireUncommitted(root, path);
  await writeInProject(root, path, content.bytes, options);
}

/** Writes recorded values into a file that the user named. Rejects like `writeOutput`. */
export function exportRecorded(path: string, content: RecordedContent): Promise<void> {
  return writeOutput(path, content.bytes);
}

/** Removes such a file of the project. Rejects like `writeRecorded`. */
export async function removeRecorded(root: string, path: string): Promise<void> {
  await requireUncommitted(root, path);
  await removeInProject(root, path);
}

/** Removes a folder of such files. Rejects like `writeRecorded`. */
export async function removeRecordings(root: string, folder: string): Promise<void> {
  await requireUncommitted(root, folder);
  await removeOwnFolder(root, folder);
}

async function requireUncommitted(root: string, path: string): Promise<void> {
  if (isInState(root, path)) await new OwnState(root).requireUncommitted(fromRoot(root, path));
}
