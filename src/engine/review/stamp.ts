import { createHash } from 'node:crypto';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { type ReviewSides, reviewStamp } from '../../core/review/stamp';
import { UserError } from '../errors/userError';
import { readBytesIfThere } from '../files/readFile';

/** The stamp of a review: see `reviewStamp`. */
export function stampOf(sides: ReviewSides, { rules }: Normaliser): string {
  return reviewStamp(sides, rules, (content) => createHash('sha256').update(content).digest('hex'));
}

/** Identifies the content of a file; `-` where there is no file. Decision files name rejected takes by it. */
export function contentDigest(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '-' : createHash('sha1').update(bytes).digest('hex');
}

/** A file whose content a review shows. */
export interface SeenFile {
  /** Absolute. */
  readonly path: string;
  /** Absent where there is no file. */
  readonly bytes?: Uint8Array | undefined;
}

/** Rejects when a file is no longer what the review showed: for right before writing, because others write, too. */
export async function requireUnchanged(name: string, { path, bytes }: SeenFile): Promise<void> {
  const now = await readBytesIfThere(path, FILE_LIMITS.tape);
  if (now === undefined || bytes === undefined ? now === bytes : Buffer.from(bytes).equals(now)) return;
  throw changedSinceReview(name);
}

/** The error for a decision on something else than what the review showed. */
export function changedSinceReview(name: string): UserError {
  return new UserError(`${name} has changed since this review`, 'Review it again, then decide.');
}
