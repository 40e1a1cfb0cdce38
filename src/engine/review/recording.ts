import type { ReviewSubject } from '../../contracts/engine/review';
import type { Change } from '../../core/model/change';
import { baselinePath, owningCasePath } from '../../core/project/layout';
import type { Decision } from '../../core/review/decisions';
import { sameEdits } from '../../core/review/sameEdits';
import type { CasesByTape } from '../project/casesByTape';
import type { ListedChange, ListedReview, SubjectReview } from './subject';

/** A tape that changed, with what its recording has changed in the result of its case. They are decided as one. */
export interface Recording {
  readonly tape: SubjectReview;
  /** The last run of the case, and its baseline, as far as they differ. */
  readonly results: readonly SubjectReview[];
}

/** A change, of one of the reviews of a recording. */
interface PlacedChange {
  readonly review: SubjectReview;
  readonly change: Change;
}

/** An edit of a recording: a change of the tape, with its counterparts in the results; or one that only a result has. */
export interface Edit extends PlacedChange {
  readonly counterparts: readonly PlacedChange[];
}

/** The recording of which these are the reviews; undefined where only the tape, or only results differ. */
export function recordingOf(reviews: readonly (SubjectReview | undefined)[]): Recording | undefined {
  const differing = reviews.filter((review) => review !== undefined && review.changes.length > 0) as SubjectReview[];
  const tape = differing.find(({ kind }) => kind === 'tape');
  // The first run of a case, and one that ended in an error, have nothing to decide with a tape.
  const results = differing.filter(
    ({ kind, sides, error }) =>
      kind !== 'tape' && error === undefined && (kind !== 'run' || sides.before !== undefined),
  );
  return tape === undefined || results.length === 0 ? undefined : { tape, results };
}

export function reviewsOf({ tape, results }: Recording): readonly SubjectReview[] {
  return [tape, ...results];
}

/**
 * The edits of a recording, those of the tape first. What a result alone had, and what was accepted into it, is over: the baseline
 * has it.
 */
export function editsOf({ tape, results }: Recording): readonly Edit[] {
  const known = results.map((review) => ({ review, same: sameEdits(review.changes, tape.changes) }));
  const counterparts = (id: string): readonly PlacedChange[] =>
    known.flatMap(({ review, same }) =>
      review.changes.filter((change) => same.get(change.id) === id).map((change) => ({ review, change })),
    );
  const ofTape = tape.changes.map((change) => ({ review: tape, change, counterparts: counterparts(change.id) }));
  const others = known.flatMap(({ review, same }) =>
    review.changes
      .filter(({ id }) => !same.has(id) && review.decisions[id]?.verdict !== 'accepted')
      .map((change) => ({ review, change, counterparts: [] })),
  );
  return [...ofTape, ...others];
}

/** The change of an edit, and its counterparts. */
export function placesOf({ review, change, counterparts }: Edit): readonly PlacedChange[] {
  return [{ review, change }, ...counterparts];
}

/** What is decided about an edit: it is pending as long as it is so anywhere. */
export function decisionOnEdit(edit: Edit): 'open' | Decision {
  if (placesOf(edit).some(isPending)) return 'open';
  return edit.review.decisions[edit.change.id]?.verdict ?? 'open';
}

function isPending({ review, change: { id } }: PlacedChange): boolean {
  return review.pending.some((one) => one.id === id);
}

/** The stamp of a recording: those of its reviews. */
export function recordingStamp(recording: Recording): string {
  return reviewsOf(recording)
    .map(({ stamp }) => stamp)
    .join(' ');
}

/** A recording as one review, as lists show it: its edits are the changes of its tape. */
function reviewOfRecording(recording: Recording): ListedReview {
  const { tape, results } = recording;
  const edits = editsOf(recording);
  const changeOf = ({ review, change }: Edit): ListedChange =>
    review === tape ? change : { ...change, of: { kind: review.kind, path: review.path } };
  return {
    ...tape,
    stamp: recordingStamp(recording),
    results: results.map(({ kind, path }) => ({ kind, path })),
    changes: edits.map(changeOf),
    pending: edits.filter((edit) => decisionOnEdit(edit) === 'open').map(changeOf),
    hidden: reviewsOf(recording).flatMap(({ hidden }) => hidden),
    notices: [...new Set(reviewsOf(recording).flatMap(({ notices }) => notices))],
    decisions: Object.assign({}, ...results.map(({ decisions }) => decisions), tape.decisions),
  };
}

/** The reviews of a list, in which tapes are one with the results of their cases. */
export function withRecordings(
  reviews: readonly SubjectReview[],
  readCases: () => CasesByTape,
): readonly ListedReview[] {
  const differs = (isTape: boolean): boolean =>
    reviews.some(({ kind, changes }) => (kind === 'tape') === isTape && changes.length > 0);
  if (!differs(true) || !differs(false)) return reviews;
  const cases = readCases();
  const bySubject = new Map(reviews.map((review) => [subjectKey(review), review]));
  const folded = new Set<SubjectReview>();
  const joined = new Map<SubjectReview, ListedReview>();
  for (const tape of reviews) {
    const casePath = tape.kind === 'tape' ? cases.only(tape.path) : undefined;
    if (casePath === undefined) continue;
    const recording = recordingOf([tape, ...resultsOf(casePath).map((one) => bySubject.get(subjectKey(one)))]);
    if (recording === undefined) continue;
    joined.set(tape, reviewOfRecording(recording));
    for (const result of recording.results) folded.add(result);
  }
  return reviews.flatMap((review) => (folded.has(review) ? [] : [joined.get(review) ?? review]));
}

/** The tape, and then the results, of the recording that a subject belongs to; the subject alone where it belongs to none. */
export function membersOf(subject: ReviewSubject, cases: CasesByTape): readonly ReviewSubject[] {
  const tape = subject.kind === 'tape' ? subject.path : cases.tapeOf(owningCasePath(subject.path) ?? subject.path);
  const casePath = tape === undefined ? undefined : cases.only(tape);
  return tape === undefined || casePath === undefined
    ? [subject]
    : [{ kind: 'tape', path: tape }, ...resultsOf(casePath)];
}

export function isSubject({ kind, path }: ReviewSubject, subject: ReviewSubject): boolean {
  return kind === subject.kind && path === subject.path;
}

function subjectKey({ kind, path }: ReviewSubject): string {
  return `${kind} ${path}`;
}

/** The case whose result is decided with a tape; undefined where none is. */
export function caseOfResults({ results }: Pick<ListedReview, 'results'>): string | undefined {
  const [result] = results ?? [];
  return result && (owningCasePath(result.path) ?? result.path);
}

/** The last run of a case, and its baseline. */
function resultsOf(casePath: string): readonly ReviewSubject[] {
  return [
    { kind: 'run', path: casePath },
    { kind: 'baseline', path: baselinePath(casePath) },
  ];
}
