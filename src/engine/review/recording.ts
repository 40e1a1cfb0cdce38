import { dirname, join } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readArtifact } from '../../core/cases/artifactFile';
import type { Change } from '../../core/model/change';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { artifactPath, baselinePath, owningCasePath, RUNS_FOLDER } from '../../core/project/layout';
import type { Decision } from '../../core/review/decisions';
import { sameEdits } from '../../core/review/sameEdits';
import { pathExists, stampOfFile } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { OwnState } from '../project/ownState';
import type { SubjectReview } from './subject';

/** A tape that changed, with what its recording has changed in the result of its case. They are decided as one. */
export interface Recording {
  readonly tape: SubjectReview;
  /** The last run of the case, and its baseline, as far as they differ. */
  readonly results: readonly SubjectReview[];
}

/** A change, of one of the reviews of a recording. */
export interface PlacedChange {
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

/** Which case of a project was last run with which tape. What was read of a run is kept for as long as its file is the same. */
export class RecordedCases {
  readonly #known = new Map<string, { readonly stamp: string; readonly tape: string | undefined }>();

  /** The tape of a case's last run, from the root; undefined where it had none, or there is no run. */
  async tapeOf(root: string, casePath: string): Promise<string | undefined> {
    const own = new OwnState(root);
    const path = artifactPath(casePath);
    const stamp = stampOfFile(join(root, path));
    if (stamp === undefined) return undefined;
    const known = this.#known.get(join(root, path));
    if (known?.stamp === stamp) return known.tape;
    const text = await own.readText(path, FILE_LIMITS.artifact);
    const named = text === undefined ? undefined : readArtifact(text).value?.tapedeck?.tape;
    const tape = named === undefined ? undefined : tapeFrom(root, casePath, named);
    this.#known.set(join(root, path), { stamp, tape });
    return tape;
  }

  /** The cases that were last run with each tape, by its path from the root. */
  async byTape(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const names = await new OwnState(root).files(RUNS_FOLDER);
    const cases = new Set(names.flatMap((name) => owningCasePath(`${RUNS_FOLDER}/${name}`) ?? []));
    const found = new Map<string, string[]>();
    for (const path of cases) {
      const tape = isThere(root, path) ? await this.tapeOf(root, path) : undefined;
      if (tape !== undefined) found.set(tape, [...(found.get(tape) ?? []), path]);
    }
    return found;
  }

  /** The tape, and then the results, of the recording that a subject belongs to; the subject alone where it belongs to none. */
  async members(root: string, subject: ReviewSubject): Promise<readonly ReviewSubject[]> {
    const tape =
      subject.kind === 'tape' ? subject.path : await this.tapeOf(root, owningCasePath(subject.path) ?? subject.path);
    // What a tape of several cases changes is not the result of one of them.
    const [casePath, ...others] = tape === undefined ? [] : ((await this.byTape(root)).get(tape) ?? []);
    if (tape === undefined || casePath === undefined || others.length > 0) return [subject];
    return [{ kind: 'tape', path: tape }, ...resultsOf(casePath)];
  }
}

/** The last run of a case, and its baseline. */
export function resultsOf(casePath: string): readonly ReviewSubject[] {
  return [
    { kind: 'run', path: casePath },
    { kind: 'baseline', path: baselinePath(casePath) },
  ];
}

/** A tape is named from the folder of its case. */
function tapeFrom(root: string, casePath: string, named: string): string {
  return fromRoot(root, join(root, dirname(parseCaseAddress(casePath).path), named));
}

function isThere(root: string, casePath: string): boolean {
  return pathExists(join(root, parseCaseAddress(casePath).path));
}
