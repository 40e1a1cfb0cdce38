import { basename, join } from 'node:path';
import type { RestoredTake, TakeParams, UndoRestoreParams } from '../../contracts/engine/takes';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { withLock } from '../files/lock';
import { readBytes, readBytesIfThere } from '../files/readFile';
import { copiedContent } from './recordedContent';
import { requireReplaceable, withTape } from './replaceTape';
import { forgetWithoutTakes, requireTake } from './takes';
import { isEmptyTape } from './tapeName';
import { removeRecorded, writeRecorded } from './writeRecorded';

/** Makes a kept take the tape again, byte for byte. The tape that it replaces is kept as a take before. */
export function restoreTake({ root, path, take }: TakeParams): Promise<RestoredTake> {
  const tapePath = join(root, path);
  return withTape({ root, tapePath }, async (tape) => {
    const bytes = await readBytes(await requireTake({ root, tapePath }, take), FILE_LIMITS.tape);
    requireTape(path, take, bytes);
    if ((await readBytesIfThere(tapePath, FILE_LIMITS.tape))?.equals(bytes)) return { isChanged: false };
    const { previousTakePath } = await tape.replace(copiedContent(bytes));
    return { isChanged: true, ...(previousTakePath !== undefined && { previousTake: basename(previousTakePath) }) };
  });
}

/**
 * Undoes the restoring of `take`: puts the previous tape back, and removes the take that kept it. Rejects with a `UserError` if
 * something else has written the tape since.
 */
export function undoRestore({ root, path, take, previousTake }: UndoRestoreParams): Promise<void> {
  const place = { root, tapePath: join(root, path) };
  return withLock(root, place.tapePath, async () => {
    await requireReplaceable(root, place.tapePath);
    const restored = await readBytes(await requireTake(place, take), FILE_LIMITS.tape);
    if (!(await readBytesIfThere(place.tapePath, FILE_LIMITS.tape))?.equals(restored))
      throw new UserError(
        () => t('{0} has changed since the take was restored', path),
        () => t('Choose the take to restore.'),
      );
    if (previousTake === undefined) return removeRecorded(root, place.tapePath);
    const kept = await requireTake(place, previousTake);
    await writeRecorded(root, place.tapePath, copiedContent(await readBytes(kept, FILE_LIMITS.tape)));
    await removeRecorded(root, kept);
  });
}

/** Deletes kept takes for good: all of them, or none and a `UserError`. Removes their folder with the last one. */
export async function deleteTakes(root: string, path: string, takes: readonly string[]): Promise<void> {
  const place = { root, tapePath: join(root, path) };
  await withLock(root, place.tapePath, async () => {
    const kept = await Promise.all(takes.map((take) => requireTake(place, take)));
    for (const one of kept) await removeRecorded(root, one);
    await forgetWithoutTakes(place);
  });
}

/** A file that is not a take of ours is not made a tape. */
function requireTape(path: string, take: string, bytes: Uint8Array): void {
  if (bytes.length === 0 && isEmptyTape(path)) return;
  if (detectFormat(decodeTapeFile(path, bytes)) !== undefined) return;
  throw new UserError(
    () => t('the take {0} of {1} is not a tape in a known format, so it was not restored', take, path),
    () => t('Choose another take.'),
  );
}
