import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asideFolder, isInside } from '../project/caseFiles';
import { UserError } from '../project/userError';
import { unlessMissing } from './fileErrors';

/** Rejects with a `UserError` for a place that is not in the project, or that links lead out of it: nothing is written there. */
export async function requireInside(root: string, path: string): Promise<void> {
  const place = await realPlace(path);
  // The root may itself be reached by a link.
  if (isInside(await realPlace(root), place)) return;
  const way = isInside(root, path) ? `leads by a link to ${place}, which ` : '';
  throw new UserError(
    `${path} ${way}is outside the project ${root}: nothing is written there`,
    'Move the file into the project, or put tapedeck.toml into the folder that holds both.',
  );
}

/** The same for a tape, and for where its takes are kept. */
export async function requireTapeInside(root: string, tapePath: string): Promise<void> {
  for (const place of [asideFolder(root), tapePath]) await requireInside(root, place);
}

/** Where a file is, or would be made. */
async function realPlace(path: string): Promise<string> {
  const parent = dirname(path);
  const place = await unlessMissing(realpath(path));
  return place ?? (parent === path ? path : join(await realPlace(parent), basename(path)));
}
