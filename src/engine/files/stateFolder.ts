import { join } from 'node:path';
import { STATE_FOLDER } from '../../core/project/layout';
import { unlessUnreadable } from '../errors/systemError';
import { createFile } from './changeFile';
import { pathExists } from './fileStatus';
import { asideFolder, besideFile, placeInProject, placesInProject, type WritablePath } from './projectPaths';

/**
 * Where a file in the project's own folder is that is about to be written, by its way from there. That folder ignores itself,
 * so that `git add -A` adds none of it. Rejects like `placeInProject`.
 */
export async function placeInState(root: string, ...way: readonly string[]): Promise<WritablePath> {
  const place = await placeInProject(root, join(root, STATE_FOLDER, ...way));
  await ignoreState(await placeInProject(root, asideFolder(root)));
  return place;
}

/** Where a file of the project is that is about to be written. Rejects like `placesInProject`. */
export async function placesToWrite(root: string, path: string): ReturnType<typeof placesInProject> {
  const places = await placesInProject(root, path);
  await ignoreState(places.aside);
  return places;
}

async function ignoreState(aside: WritablePath): Promise<void> {
  const file = besideFile(aside, '.gitignore');
  // Where it cannot be made, what is written next says why, or can be written all the same.
  if (!pathExists(file)) await unlessUnreadable(createFile(file, '*\n'));
}
