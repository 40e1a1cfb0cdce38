import { createHash } from 'node:crypto';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { reviewStamp, type SeenContent, type SeenSides, seenSides } from '../../core/review/stamp';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { digestIfThere } from '../files/readFile';

/** Both sides of a review as bytes; a side without a file is absent. */
export interface ReviewSides {
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

export function seenOf(sides: ReviewSides): SeenSides {
  return seenSides(sides, sha256);
}

/** The stamp of a review: see `reviewStamp`. */
export function stampOf(sides: SeenSides, { rules }: Normaliser): string {
  return reviewStamp(sides, rules, sha256);
}

/** The SHA-256, in hex. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Identifies the content of a file; `-` where there is no file. Decision files name rejected takes by it. */
export function contentDigest(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '-' : createHash('sha1').update(bytes).digest('hex');
}

/** A file whose content a review shows. */
export interface SeenFile {
  /** Absolute. */
  readonly path: string;
  /** Absent if there is no file. */
  readonly content?: SeenContent | undefined;
}

/** Rejects when a file is no longer what the review showed: for right before writing, because others write, too. */
export async function requireUnchanged(name: string, { path, content }: SeenFile): Promise<void> {
  if ((await digestIfThere(path, FILE_LIMITS.tape)) === content?.digest) return;
  throw changedSinceReview(name);
}

/** The error for a decision on something else than what the review showed. */
export function changedSinceReview(name: string): UserError {
  return new UserError(t('{0} has changed since this review', name), t('Review it again, then decide.'));
}
