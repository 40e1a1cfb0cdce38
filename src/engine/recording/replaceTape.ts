import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_FOLDER } from '../../core/project/layout';
import { writeAtomically } from './atomicWrite';
import { unlessMissing } from './fileErrors';
import { keepTake, type TapePlace } from './takes';

export interface NewTake extends TapePlace {
  /** The whole new tape. */
  readonly text: string | Uint8Array;
}

/** The writes that are on their way, by tape: two cases of one run may record the same tape. */
const pending = new Map<string, Promise<unknown>>();

/** Makes `text` the tape, atomically, and keeps the take it replaces. All paths are absolute. */
export async function replaceTape({ root, tapePath, text }: NewTake): Promise<{ previousTakePath?: string }> {
  const target = (await unlessMissing(realpath(tapePath))) ?? tapePath;
  const earlier = pending.get(target) ?? Promise.resolve();
  const turn = earlier.then(() => replace(root, tapePath, text));
  const settled = turn.catch(() => undefined);
  pending.set(target, settled);
  try {
    return await turn;
  } finally {
    if (pending.get(target) === settled) pending.delete(target);
  }
}

async function replace(
  root: string,
  tapePath: string,
  text: string | Uint8Array,
): Promise<{ previousTakePath?: string }> {
  const asideFolder = join(root, STATE_FOLDER, 'tmp');
  await mkdir(asideFolder, { recursive: true });
  const previousTakePath = await keepTake({ root, tapePath }, asideFolder);
  await writeAtomically(tapePath, text, { asideFolder });
  return previousTakePath === undefined ? {} : { previousTakePath };
}

export { takeCount } from './takes';
