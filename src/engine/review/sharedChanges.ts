import type { SharedChange } from '../../contracts/engine/review';
import { likenessOf } from '../../core/review/likeness';
import type { ListedReview } from './subject';

/** The most changes of one review that are looked for in others. */
const MAX_SHARED = 200;

/** The pending changes that are the same in several reviews. Changes of runs and of files are decided separately: a run is compared with a file. */
export function sharedChanges(reviews: readonly ListedReview[]): ReadonlyMap<ListedReview, readonly SharedChange[]> {
  const places = new Map<string, Set<ListedReview>>();
  const all = new Map(reviews.map((review) => [review, pendingOf(review)]));
  for (const [review, changes] of all)
    for (const { key } of changes) places.set(key, (places.get(key) ?? new Set()).add(review));
  return new Map(
    [...all].map(([review, changes]) => [
      review,
      changes.filter(({ key }) => (places.get(key)?.size ?? 0) > 1).slice(0, MAX_SHARED),
    ]),
  );
}

/** A run that ended in an error has nothing to decide. What only the result of a tape has is decided with that tape. */
function pendingOf({ kind, pending, error }: ListedReview): readonly SharedChange[] {
  if (error !== undefined) return [];
  return pending.flatMap((change) => {
    if (change.of !== undefined) return [];
    const likeness = change.likeness ?? likenessOf(change);
    if (likeness === undefined) return [];
    const key = kind === 'run' ? `run ${likeness.key}` : likeness.key;
    return [{ ...likeness, key, id: change.id, title: change.title }];
  });
}
