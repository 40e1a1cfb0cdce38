import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { UserError } from '../errors/userError';
import { realPath } from '../files/fileStatus';
import { requireTapeInProject } from '../files/projectPaths';
import { readBytesIfThere } from '../files/readFile';
import { keepTake, type TapePlace } from './takes';
import { writeRecorded } from './writeRecorded';

export interface NewTake extends TapePlace {
  /** The whole new tape. */
  readonly text: string | Uint8Array;
}

/** The writes in progress, by tape: two cases of one run may record the same tape. */
const pending = new Map<string, Promise<unknown>>();

/**
 * Writes `text` as the tape, atomically, and keeps the take it replaces. All paths are absolute. Rejects like
 * `requireReplaceable`.
 */
export async function replaceTape({ root, tapePath, text }: NewTake): Promise<{ previousTakePath?: string }> {
  const target = (await realPath(tapePath)) ?? tapePath;
  const earlier = pending.get(target) ?? Promise.resolve();
  const turn = earlier.then(() => replace(root, tapePath, text));
  const ended = turn.catch(() => undefined);
  pending.set(target, ended);
  try {
    return await turn;
  } finally {
    if (pending.get(target) === ended) pending.delete(target);
  }
}

async function replace(
  root: string,
  tapePath: string,
  text: string | Uint8Array,
): Promise<{ previousTakePath?: string }> {
  await requireReplaceable(root, tapePath);
  const previousTakePath = await keepTake({ root, tapePath });
  await writeRecorded(root, tapePath, text);
  return previousTakePath === undefined ? {} : { previousTakePath };
}

/** Rejects with a `UserError` for a path outside of the project, and for a file that is not a tape. */
export async function requireReplaceable(root: string, tapePath: string): Promise<void> {
  await requireTapeInProject(root, tapePath);
  const bytes = await readBytesIfThere(tapePath, FILE_LIMITS.tape);
  if (bytes === undefined || bytes.length === 0 || detectFormat(decodeTapeFile(tapePath, bytes)) !== undefined) return;
  throw new UserError(
    `${tapePath} is not a tape in a known format, and is not replaced by one`,
    'Choose another file for the tape, or remove this one.',
  );
}
