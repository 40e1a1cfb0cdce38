import { removeInProject, writeInProject, writeOutput } from '../files/writeFile';

/**
 * Writes a file that holds recorded values: a tape, a take, an artifact, a baseline, a cache of these. Only this module and
 * engine/review write such files, so that this is where secrets are looked for. Rejects like `writeInProject`.
 */
export function writeRecorded(
  root: string,
  path: string,
  content: string | Uint8Array,
  options: { readonly durable?: boolean } = {},
): Promise<void> {
  return writeInProject(root, path, content, options);
}

/** Writes recorded values into a file that the user named. Rejects like `writeOutput`. */
export function exportRecorded(path: string, content: string | Uint8Array): Promise<void> {
  return writeOutput(path, content);
}

/** Removes a folder of recordings from the project. Rejects like `writeInProject`. */
export function removeRecorded(root: string, folder: string): Promise<void> {
  return removeInProject(root, folder);
}
