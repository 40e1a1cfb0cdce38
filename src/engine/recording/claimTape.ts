import { t } from '../../core/text/l10n';
import { isSystemError } from '../errors/systemError';
import { tryLock } from '../files/lock';
import { fromRoot } from '../files/projectPaths';
import { inTheirLanguage } from '../language';
import type { TapePlace } from './takes';

/** Ends a claim. */
export type Release = () => Promise<void>;

/**
 * Marks a tape as being recorded, until the claim is released or the process ends. Where another recording of it is going on,
 * that is told with a line, and both go on: they save one after the other, and each keeps the take that it replaces.
 */
export async function claimTape({ root, tapePath }: TapePlace, tell: (line: string) => void): Promise<Release> {
  try {
    const claim = await tryLock(root, tapePath);
    if ('release' in claim) return () => claim.release();
    const { pid, since } = claim.holder;
    const who = () => (pid === process.pid ? t('another run of this process') : t('process {0}', pid));
    const line = inTheirLanguage(() =>
      t(
        '{0} is also being recorded by {1}, since {2}. No take is lost: the one that ends last is the tape, earlier ones are kept in .tapedeck/takes.',
        fromRoot(root, tapePath),
        who(),
        since,
      ),
    );
    tell(line);
  } catch (error) {
    // Where no lock can be written, saving the take reports why.
    if (!isSystemError(error)) throw error;
  }
  return async () => undefined;
}
