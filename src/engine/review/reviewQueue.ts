import type { ReviewSubject, ReviewSummary, SharedChange } from '../../contracts/engine/review';
import { summariseChanges } from '../../core/review/compare/describeChange';
import { withDecisions } from '../../core/review/decisions';
import { likenessOf } from '../../core/review/likeness';
import { fileStatus } from '../files/fileStatus';
import { Repository } from '../git/repository';
import { listReviews } from './changedReviews';
import type { Reviews } from './decide';
import { decisionFileOf } from './decisionFile';
import type { ListedReview } from './subject';

/**
 * Everything of a project that is to be reviewed, or was decided since the last commit; by path. A decision on a file is over with
 * the commit that follows it: only what still differs from that is listed again. A rejected run is listed as long as it differs
 * from its baseline.
 */
export async function reviewQueue(root: string, reviews: Reviews): Promise<readonly ReviewSummary[]> {
  const found = await listReviews(root, { type: 'worktree' }, { caseReader: reviews.cases });
  const shared = sharedChanges(found);
  const listed = found.map((review) => entryOf(review, shared.get(review) ?? []));
  const isListed = ({ path }: ReviewSubject): boolean => listed.some((entry) => entry.path === path);
  // A file that was rejected as a whole is as in the last commit again, but its decision can still be undone.
  const restored = (await reviews.restoredFiles(root)).filter((subject) => !isListed(subject)).map(restoredEntry);
  const over = await decidedBeforeCommit(root, restored);
  const current = [...listed, ...restored].filter((entry) => !over.has(entry));
  return current.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** The decided entries that only their decisions keep in the list, and that the last commit is later than. */
async function decidedBeforeCommit(
  root: string,
  decided: readonly ReviewSummary[],
): Promise<ReadonlySet<ReviewSummary>> {
  const commit = decided.length === 0 ? undefined : await (await Repository.of(root))?.headMovedAt();
  const over = new Set<ReviewSummary>();
  if (commit === undefined) return over;
  for (const entry of decided) {
    const file = await fileStatus(decisionFileOf(root, entry));
    if (file !== undefined && file.modifiedMs <= commit) over.add(entry);
  }
  return over;
}

function restoredEntry({ kind, path }: ReviewSubject): ReviewSummary {
  return { path, kind, summary: 'Restored', stamp: '', shared: [], open: 0, accepted: 0, rejected: 1, hidden: 0 };
}

function entryOf(
  { path, from, kind, results, changes, hidden, pending, decisions, stamp }: ListedReview,
  shared: readonly SharedChange[],
): ReviewSummary {
  const decided = withDecisions(changes, pending, decisions);
  const count = (wanted: string) => decided.filter(({ decision }) => decision === wanted).length;
  return {
    path,
    from,
    kind,
    ...(results && { results }),
    stamp,
    shared,
    summary: summariseChanges(pending.length > 0 ? pending : changes),
    open: count('open'),
    accepted: count('accepted'),
    rejected: count('rejected'),
    hidden: hidden.length,
  };
}

/** The most changes of one review that are looked for in others. */
const MAX_SHARED = 200;

/** The pending changes that are the same in several reviews. Changes of runs and of files are decided separately: a run is compared with a file. */
function sharedChanges(reviews: readonly ListedReview[]): ReadonlyMap<ListedReview, readonly SharedChange[]> {
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
