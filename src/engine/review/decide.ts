import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type {
  DecideParams,
  DecideTogetherParams,
  LastDecision,
  StagedFiles,
  StageParams,
  SubjectParams,
} from '../../contracts/engine/engineReviews';
import type { NamedChange, ReviewSubject } from '../../contracts/engine/review';
import { owningCasePath, STATE_FOLDER } from '../../core/project/layout';
import { withLock } from '../files/lock';
import { fromRoot, isInside } from '../files/projectPaths';
import { changedReview, changedReviews } from './changedReviews';
import { OwnDecisions, rememberDecision } from './decisionFile';
import { DecisionHistory } from './decisionHistory';
import { FileSubject } from './fileSubject';
import { RunSubject } from './runSubject';
import { stageAccepted, stageReviewed } from './staging';
import { changedSinceReview, requireUnchanged } from './stamp';
import type { DecidableSubject, SubjectReview } from './subject';

/**
 * The only writer of decisions: editor, command line and agents' tools all decide through it. A subject is a run, a tape
 * or a baseline; a decision names changes, a verdict and the stamp of the review in which they were seen.
 */
export class Reviews {
  /** The current review of a subject; undefined if nothing differs, or the case has not run. */
  async open({ root, subject }: SubjectParams): Promise<SubjectReview | undefined> {
    return subjectOf(root, subject).open();
  }

  /** Returns the changes that were decided as well, because they belong to those that were named. */
  async decide(params: DecideParams): Promise<readonly NamedChange[]> {
    const subject = subjectOf(params.root, params.subject);
    const decide = () => carryOut(subject, params);
    return alone(subject, () => historyOf(params.root).during(subject, decide, randomUUID()));
  }

  /** Decides on several subjects as one: on all of them or, where one of them cannot be decided, on none. Returns what `decide` does. */
  async decideTogether({ root, verdict, members, reason }: DecideTogetherParams): Promise<readonly NamedChange[]> {
    const group = randomUUID();
    const history = historyOf(root);
    const done: DecidableSubject[] = [];
    const belonging: NamedChange[] = [];
    for (const { subject, stamp } of members)
      if ((await this.open({ root, subject }))?.stamp !== stamp) throw changedSinceReview(subject.path);
    try {
      for (const member of members) {
        const subject = subjectOf(root, member.subject);
        const params = { root, verdict, ...member, ...(reason !== undefined && { reason }) };
        belonging.push(
          ...(await alone(subject, () => history.during(subject, () => carryOut(subject, params), group))),
        );
        done.push(subject);
      }
    } catch (error) {
      for (const subject of done.reverse()) await alone(subject, () => history.undo(subject));
      throw error;
    }
    return belonging;
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
    for (const one of together) await history.requireUndoable(one, decided);
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
      const decision = { root, subject: subject.subject, verdict: 'rejected', changes: ids, stamp } as const;
      await alone(subject, () => carryOut(subject, decision));
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

async function carryOut(
  subject: DecidableSubject,
  { root, subject: { path: name }, verdict, changes, stamp, reason }: DecideParams,
): Promise<readonly NamedChange[]> {
  const review = await subject.open();
  if (review === undefined) throw subject.missing();
  if (review.stamp !== stamp) throw changedSinceReview(name);
  await new OwnDecisions(subject.root).requireCounted(subject.decisionFile);
  const { decided, alike = [], left, write } = await subject.prepare(review, verdict, changes);
  for (const file of subject.seen(review)) await requireUnchanged(name, file);
  await write?.();
  const shown = review.changes.map(({ id }) => id);
  await rememberDecision({
    root,
    path: subject.decisionFile,
    verdict,
    ids: [...decided, ...alike],
    ...(reason !== undefined && { reason }),
    ...(left && { remainder: { shown, decided, left } }),
  });
  return review.changes
    .filter(({ id }) => decided.includes(id) && !changes.includes(id))
    .map(({ id, title }) => ({ id, title }));
}
