import { removeInProject, writeInProject, writeOutput } from '../files/writeFile';
import type { RecordedContent } from './recordedContent';

/**
 * Writes a file that holds recorded values: a tape, a take, an artifact, a baseline, a cache of these. Rejects like
 * `writeInProject`.
 */
export function writeRecorded(
  root: string,
  path: string,
  content: RecordedContent,
  options: { readonly durable?: boolean } = {},
): Promise<void> {
  return writeInProject(root, path, content.bytes, options);
}

/** Writes recorded values into a file that the user named. Rejects like `writeOutput`. */
export function exportRecorded(path: string, content: RecordedContent): Promise<void> {
  return writeOutput(path, content.bytes);
}

/** Removes a folder of recordings, or a cache of them, from the project. Rejects like `writeInProject`. */
export function removeRecorded(root: string, path: string): Promise<void> {
  return removeInProject(root, path);
}
