import type { ReviewSubject, ReviewSummary, SharedChange } from '../../contracts/engine/review';
import { summariseChanges } from '../../core/review/compare/describeChange';
import { withDecisions } from '../../core/review/decisions';
import { fileStatus } from '../files/fileStatus';
import { Repository } from '../git/repository';
import { listReviews } from './changedReviews';
import type { Reviews } from './decide';
import { decisionFileOf } from './decisionFile';
import { decisionOnEdit, editsOf, type Recording, recordingOf, recordingStamp, resultsOf } from './recording';
import { sharedChanges } from './sharedChanges';
import type { SubjectReview } from './subject';

/**
 * Everything of a project that is to be reviewed, or was decided since the last commit; by path. A decision on a file is over with
 * the commit that follows it: only what still differs from that is listed again. A rejected run is listed as long as it differs
 * from its baseline.
 */
export async function reviewQueue(root: string, reviews: Reviews): Promise<readonly ReviewSummary[]> {
  const all = await listReviews(root, { type: 'worktree' });
  const recordings = recordingsIn(all, await reviews.casesByTape(root));
  const folded = new Set(recordings.flatMap(({ results }) => results));
  const found = all.filter((review) => !folded.has(review));
  const shared = sharedChanges(found);
  const listed = found.map((review) => {
    const recording = recordings.find(({ tape }) => tape === review);
    const entry = entryOf(review, shared.get(review) ?? []);
    return recording === undefined ? entry : recordingEntry(entry, recording);
  });
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

/** The tapes that are decided with the result of their case. */
function recordingsIn(
  reviews: readonly SubjectReview[],
  casesByTape: ReadonlyMap<string, readonly string[]>,
): readonly Recording[] {
  return reviews.flatMap((tape) => {
    const [casePath, ...others] = tape.kind === 'tape' ? (casesByTape.get(tape.path) ?? []) : [];
    if (casePath === undefined || others.length > 0) return [];
    const isResult = (review: SubjectReview): boolean =>
      resultsOf(casePath).some(({ kind, path }) => kind === review.kind && path === review.path);
    return recordingOf([tape, ...reviews.filter(isResult)]) ?? [];
  });
}

function recordingEntry(entry: ReviewSummary, recording: Recording): ReviewSummary {
  const edits = editsOf(recording);
  const count = (wanted: string) => edits.filter((edit) => decisionOnEdit(edit) === wanted).length;
  const pending = edits.filter((edit) => decisionOnEdit(edit) === 'open');
  return {
    ...entry,
    stamp: recordingStamp(recording),
    results: recording.results.map(({ kind, path }) => ({ kind, path })),
    summary: summariseChanges((pending.length > 0 ? pending : edits).map(({ change }) => change)),
    open: count('open'),
    accepted: count('accepted'),
    rejected: count('rejected'),
  };
}

function restoredEntry({ kind, path }: ReviewSubject): ReviewSummary {
  return { path, kind, summary: 'Restored', stamp: '', shared: [], open: 0, accepted: 0, rejected: 1, hidden: 0 };
}

function entryOf(
  { path, from, kind, changes, hidden, pending, decisions, stamp }: SubjectReview,
  shared: readonly SharedChange[],
): ReviewSummary {
  const decided = withDecisions(changes, pending, decisions);
  const count = (wanted: string) => decided.filter(({ decision }) => decision === wanted).length;
  return {
    path,
    ...(from !== undefined && { from }),
    kind,
    stamp,
    shared,
    summary: summariseChanges(pending.length > 0 ? pending : changes),
    open: count('open'),
    accepted: count('accepted'),
    rejected: count('rejected'),
    hidden: hidden.length,
  };
}
