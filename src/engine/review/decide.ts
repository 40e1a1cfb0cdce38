import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type {
  DecidedSubject,
  DecideParams,
  DecideTogetherParams,
  LastDecision,
  StagedFiles,
  StageParams,
  SubjectParams,
} from '../../contracts/engine/engineReviews';
import type { NamedChange, ReviewKind, ReviewSubject } from '../../contracts/engine/review';
import { owningCasePath, STATE_FOLDER } from '../../core/project/layout';
import type { Decision } from '../../core/review/decisions';
import { sameEdits } from '../../core/review/sameEdits';
import { withLock } from '../files/lock';
import { fromRoot, isInside } from '../files/projectPaths';
import { CaseReader } from '../project/casesByTape';
import { changedReview, changedReviews } from './changedReviews';
import { OwnDecisions, rememberDecision } from './decisionFile';
import { DecisionHistory } from './decisionHistory';
import { FileSubject } from './fileSubject';
import {
  editsOf,
  isSubject,
  membersOf,
  placesOf,
  type Recording,
  recordingOf,
  recordingStamp,
  reviewsOf,
} from './recording';
import { RunSubject } from './runSubject';
import { stageAccepted, stageReviewed } from './staging';
import { changedSinceReview, requireUnchanged } from './stamp';
import type { DecidableSubject, SubjectReview } from './subject';

/**
 * The only writer of decisions: editor, command line and agents' tools all decide through it. A subject is a run, a tape
 * or a baseline; a decision names changes, a verdict and the stamp of the review in which they were seen.
 */
export class Reviews {
  /** What is known of the cases of projects. */
  readonly cases = new CaseReader();

  /** The current review of a subject; undefined if nothing differs, or the case has not run. */
  async open({ root, subject }: SubjectParams): Promise<SubjectReview | undefined> {
    return subjectOf(root, subject).open();
  }

  /** A tape and the results of its case that differ, to which a subject belongs; undefined where it is decided by itself. */
  async recording({ root, subject }: SubjectParams): Promise<Recording | undefined> {
    const members = membersOf(subject, this.cases.read(root));
    if (members.length === 1) return undefined;
    const reviews = await Promise.all(members.map((member) => this.open({ root, subject: member })));
    const recording = recordingOf(reviews);
    return recording && reviewsOf(recording).some((review) => isSubject(review, subject)) ? recording : undefined;
  }

  /** Returns the changes that were decided as well, because they belong to those that were named. */
  async decide({ root, verdict, reason, ...member }: DecideParams): Promise<readonly NamedChange[]> {
    return this.decideTogether({ root, verdict, members: [member], reason });
  }

  /**
   * Decides on several subjects as one: on all of them or, where one of them cannot be decided, on none. With a change of a recording,
   * its counterparts are decided. Returns what `decide` does.
   */
  async decideTogether(params: DecideTogetherParams): Promise<readonly NamedChange[]> {
    const { root, members } = params;
    const group = randomUUID();
    const done: DecidableSubject[] = [];
    const belonging: NamedChange[] = [];
    const parts: Part[] = [];
    for (const member of members) parts.push(...(await this.#partsOf(params, member)));
    try {
      for (const part of parts) {
        const { subject } = part;
        const decide = () => carryOut(part, params);
        belonging.push(...(await alone(subject, () => historyOf(root).during(subject, decide, group))));
        done.push(subject);
      }
    } catch (error) {
      for (const subject of done.reverse()) await alone(subject, () => historyOf(root).undo(subject, group));
      throw error;
    }
    return belonging;
  }

  /** What is decided where, for changes of one subject. Rejects with a `UserError` where it has changed since it was seen. */
  async #partsOf({ root, verdict }: DecideTogetherParams, member: DecidedSubject): Promise<readonly Part[]> {
    const { subject, stamp, changes } = member;
    const recording = changes.length === 0 ? undefined : await this.recording({ root, subject });
    if (recording !== undefined) return partsOfRecording(root, recording, verdict, member);
    const about = subjectOf(root, subject);
    const review = await about.open();
    if (review === undefined) throw about.missing();
    if (review.stamp !== stamp) throw changedSinceReview(subject.path);
    return [{ subject: about, stamp, ids: () => changes }];
  }

  /**
   * Reverts the last decision on a subject, with everything that was decided together: all of it, or none. A decision on a baseline
   * may have been made on the run of its case. Returns the subjects.
   */
  async undo({ root, subject }: SubjectParams): Promise<readonly ReviewSubject[]> {
    const about = subjectOf(root, subject);
    const casePath = subject.kind === 'run' ? undefined : owningCasePath(subject.path);
    const history = historyOf(root);
    const isRun = casePath !== undefined && (await history.count(about)) === 0;
    const decided = isRun ? subjectOf(root, { kind: 'run', path: casePath }) : about;
    const together = await history.decidedWith(decided);
    await history.requireUndoable(decided);
    for (const one of [...together].reverse()) await alone(one, () => history.undo(one));
    return together.map((one) => one.subject);
  }

  /** Puts the file of a subject into git's index; without one, every file whose changes are all accepted. */
  async stage({ root, subject, stamp }: StageParams): Promise<StagedFiles> {
    if (subject === undefined) return stageAccepted(root);
    const path = fromRoot(root, subjectOf(root, subject).reviewedFile);
    const review = await changedReview(root, path);
    if (stamp !== undefined && review?.stamp !== stamp) throw changedSinceReview(path);
    return { staged: await stageReviewed(root, review === undefined ? [] : [review]), pending: [] };
  }

  /**
   * Removes rejected changes from tapes and baselines where they are back, as after another recording with the same
   * result. Returns the paths, from the project's root, of the written files.
   */
  async reapplyRejections(root: string): Promise<readonly string[]> {
    const written: string[] = [];
    for (const review of await changedReviews(root)) {
      const { path, changes, decisions, stamp } = review;
      const ids = changes.filter(({ id }) => decisions[id]?.verdict === 'rejected').map(({ id }) => id);
      if (ids.length === 0) continue;
      const subject = new FileSubject(root, { kind: review.kind, path });
      await alone(subject, () => carryOut({ subject, stamp, ids: () => ids }, { verdict: 'rejected' }));
      written.push(path);
    }
    return written;
  }

  /** The files of a project that a rejection restored, and that nothing has written since. */
  async restoredFiles(root: string): Promise<readonly ReviewSubject[]> {
    return (await historyOf(root).writtenFiles()).map(({ subject }) => subject);
  }

  /** The subject of the last decision in a project, if it can be undone. */
  lastDecision(root: string): Promise<LastDecision | undefined> {
    return historyOf(root).last();
  }
}

/**
 * Runs `work` while nobody else decides in this project, because decisions on several subjects share a file, and while no
 * recording or run replaces the file that is decided about.
 */
function alone<T>({ root, reviewedFile }: DecidableSubject, work: () => Promise<T>): Promise<T> {
  // Nothing is recorded outside of the project.
  const locked = isInside(root, reviewedFile) ? () => withLock(root, reviewedFile, work) : work;
  return withLock(root, join(root, STATE_FOLDER, 'reviews'), locked);
}

function historyOf(root: string): DecisionHistory {
  return new DecisionHistory(root, (subject) => subjectOf(root, subject));
}

function subjectOf(root: string, subject: ReviewSubject): DecidableSubject {
  return subject.kind === 'run' ? new RunSubject(root, subject) : new FileSubject(root, subject);
}

/** What is decided about one subject. */
interface Part {
  readonly subject: DecidableSubject;
  /** Of its review as it was seen; absent where a part before this one makes another one of that. */
  readonly stamp?: string;
  /** The changes to decide on, of the review as it is then. */
  ids(review: SubjectReview): readonly string[];
  /** Called with those that are decided because they belong to these. */
  onBelonging?(ids: readonly string[]): void;
}

/** The parts of a decision on a recording: on changes of the member's subject, and on what is the same edit in its other reviews. */
function partsOfRecording(
  root: string,
  recording: Recording,
  verdict: Decision,
  { subject, stamp, changes }: DecidedSubject,
): readonly Part[] {
  const reviews = reviewsOf(recording);
  const own = reviews.find((review) => isSubject(review, subject));
  if (stamp !== recordingStamp(recording) && stamp !== own?.stamp) throw changedSinceReview(subject.path);
  const edits = editsOf(recording);
  const chosen = edits.filter((edit) => placesOf(edit).some(({ change }) => changes.includes(change.id)));
  const isListed = (id: string): boolean => edits.some((edit) => placesOf(edit).some(({ change }) => change.id === id));
  const idsIn = (kind: ReviewKind): readonly string[] => [
    ...chosen.flatMap(placesOf).flatMap(({ review, change }) => (review.kind === kind ? [change.id] : [])),
    // Such as a change that the baseline has, and nothing else has any more.
    ...(own?.kind === kind ? changes.filter((id) => !isListed(id)) : []),
  ];
  const takenBack = recording.results.flatMap((review) =>
    review.kind === 'baseline' ? review.changes.filter(({ id }) => idsIn('baseline').includes(id)) : [],
  );
  const kinds: readonly ReviewKind[] =
    verdict === 'accepted' ? ['tape', 'run', 'baseline'] : ['tape', 'baseline', 'run'];
  const parts = kinds.flatMap((kind): readonly Part[] => {
    const review = reviews.find((one) => one.kind === kind);
    if (review === undefined && !(kind === 'run' && takenBack.length > 0)) return [];
    const ofResult = owningCasePath(recording.results[0]?.path ?? '') ?? '';
    const about = subjectOf(root, { kind, path: review?.path ?? ofResult });
    return [
      {
        subject: about,
        ids: ({ changes: current }) => {
          // A run differs again from a baseline that a change was taken out of.
          const again = verdict === 'rejected' && kind === 'run' ? [...sameEdits(current, takenBack).keys()] : [];
          return [...new Set([...idsIn(kind), ...again])].filter((id) => current.some((change) => change.id === id));
        },
        ...(kind === 'tape' && {
          onBelonging: (ids: readonly string[]) => chosen.push(...edits.filter((edit) => ids.includes(edit.change.id))),
        }),
      },
    ];
  });
  return parts;
}

async function carryOut(
  { subject, stamp, ids, onBelonging }: Part,
  { verdict, reason }: Pick<DecideTogetherParams, 'verdict' | 'reason'>,
): Promise<readonly NamedChange[]> {
  const { path: name } = subject.subject;
  const review = await subject.open();
  if (review === undefined) {
    if (stamp === undefined) return [];
    throw subject.missing();
  }
  if (stamp !== undefined && review.stamp !== stamp) throw changedSinceReview(name);
  const changes = ids(review);
  // Where parts depend on each other, one of them may have nothing left.
  if (stamp === undefined && changes.length === 0) return [];
  await new OwnDecisions(subject.root).requireCounted(subject.decisionFile);
  const { decided, alike = [], left, write } = await subject.prepare(review, verdict, changes);
  for (const file of subject.seen(review)) await requireUnchanged(name, file);
  await write?.();
  const shown = review.changes.map(({ id }) => id);
  await rememberDecision({
    root: subject.root,
    path: subject.decisionFile,
    verdict,
    ids: [...decided, ...alike],
    reason,
    ...(left && { remainder: { shown, decided, left } }),
  });
  const belonging = review.changes.filter(({ id }) => decided.includes(id) && !changes.includes(id));
  onBelonging?.(belonging.map(({ id }) => id));
  return belonging.map(({ id, title }) => ({ id, title }));
}
