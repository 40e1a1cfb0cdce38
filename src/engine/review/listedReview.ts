import type { Change } from '../../core/model/change';
import { likenessOf } from '../../core/review/likeness';
import type { SubjectReview } from './subject';

/** In UTF-16 units: a list shows the beginning of a first line. */
const LISTED_TEXT = 2000;

/**
 * A review as lists keep it, with the beginnings of its texts and without what was compared: thousands of reviews stay in memory
 * together.
 */
export function listedReview(review: SubjectReview, shorten: (change: Change) => Change = listedChange): SubjectReview {
  const { kind, path, against, sides, changes, hidden, notices, decisions, pending, stamp, error } = review;
  const listed = { kind, path, against, sides, notices, decisions, stamp, ...(error !== undefined && { error }) };
  return {
    ...listed,
    changes: changes.map(shorten),
    hidden: hidden.map(shorten),
    pending: pending.map(shorten),
  };
}

/** The change with the beginnings of its texts. */
export function listedChange(change: Change): Change {
  const { recording: _, ...rest } = change;
  const likeness = likenessOf(change);
  return {
    ...rest,
    ...(likeness && { likeness }),
    before: beginningOf(change.before),
    after: beginningOf(change.after),
  };
}

/** A copy, because a slice would keep the whole text in memory. */
function beginningOf(text: string): string {
  return text.length <= LISTED_TEXT ? text : Buffer.from(text.slice(0, LISTED_TEXT), 'utf16le').toString('utf16le');
}
