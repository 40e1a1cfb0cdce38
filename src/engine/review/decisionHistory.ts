import { join } from 'node:path';
import type { LastDecision } from '../../contracts/engine/engineReviews';
import { reviewSubject } from '../../contracts/engine/review';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { isTapePath } from '../../core/project/filePatterns';
import { UNDO_FOLDER } from '../../core/project/layout';
import { parseDocument } from '../../core/schema/parseDocument';
import { constant, count, list, optional, shape, text, type Value } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { realPath } from '../files/fileStatus';
import { digestIfThere, readBytesIfThere } from '../files/readFile';
import { keepCopy } from '../files/writeFile';
import { OwnState } from '../project/ownState';
import { copiedContent } from '../recording/recordedContent';
import { removeRecorded, removeRecordings, writeRecorded } from '../recording/writeRecorded';
import { recordingOf } from './fileReview';
import type { DecidableSubject } from './subject';

/** What a decision did to the files that it may write: the reviewed file, and the decision file. */
const STEP = shape({
  version: constant(1),
  subject: reviewSubject,
  /** Decisions that were made together share one. */
  group: text(),
  /** When it was decided, in milliseconds since 1970. */
  at: count(),
  files: list(
    shape({
      /** The SHA-256 of the content before, and since; absent if there is no file. */
      before: optional(text()),
      after: optional(text()),
    }),
  ),
});

interface Step extends Value<typeof STEP> {
  /** Its folder, from the root, with the files that changed as they were before, by their number. */
  readonly folder: string;
}

/** Steps in a project. Once there are more than the second, the oldest are forgotten, with all that were made together. */
const KEPT_STEPS = 200;
const MAX_STEPS = 250;
const STEP_FILE = 'step.json';
/** Of a step, in bytes. */
const STEP_LIMIT = 1e6;

/** Makes the subject of a step, as the one that decided did. */
type SubjectOf = (subject: Step['subject']) => DecidableSubject;

/**
 * The effects of decisions on the files of a project, so that they can be undone, the last one first. They are kept beside the decisions,
 * so that another window, or this one after a reload, knows them. Everything is called by who has the lock on decisions.
 */
export class DecisionHistory {
  readonly #own: OwnState;

  constructor(
    private readonly root: string,
    private readonly subjectOf: SubjectOf,
  ) {
    this.#own = new OwnState(root);
  }

  /** Carries out a decision and remembers it. */
  async during<T>(about: DecidableSubject, decide: () => Promise<T>, group: string): Promise<T> {
    const known = await this.#folders();
    const folder = await this.#newFolder(known.at(-1));
    await removeRecordings(this.root, join(this.root, folder));
    const before = await digestsOf(about);
    for (const [index, file] of decidedFilesOf(about).entries()) {
      // Resolved, because a hard link to a symbolic link would keep the link and not the file.
      const source = await realPath(file);
      if (source !== undefined) await keepCopy(this.root, source, join(this.root, folder, String(index)));
    }
    let decided: T;
    try {
      decided = await decide();
    } catch (error) {
      await removeRecordings(this.root, join(this.root, folder));
      throw error;
    }
    const after = await digestsOf(about);
    const files = after.map((now, index) => {
      const old = before[index];
      return { before: old, after: now };
    });
    if (!files.some(isChanged)) {
      await removeRecordings(this.root, join(this.root, folder));
      return decided;
    }
    for (const [index, file] of files.entries())
      if (!isChanged(file)) await removeRecorded(this.root, join(this.root, folder, String(index)));
    // A review is a subject, too, with all that is compared.
    const { kind, path } = about.subject;
    const step: Value<typeof STEP> = { version: 1, subject: { kind, path }, group, at: Date.now(), files };
    await writeRecorded(this.root, join(this.root, folder, STEP_FILE), copiedContent(`${JSON.stringify(step)}\n`));
    if (known.length >= MAX_STEPS) await this.#forget(group);
    return decided;
  }

  /** The number of decisions on a subject that can be undone. */
  async count(about: DecidableSubject): Promise<number> {
    return (await this.#steps()).filter((step) => isAbout(step, about)).length;
  }

  /** The last decision; undefined if there is none, or its files have changed since. */
  async last(): Promise<LastDecision | undefined> {
    const steps = await this.#steps();
    const last = steps.at(-1);
    if (last === undefined) return undefined;
    const members = steps.filter(({ group }) => group === last.group);
    if ((await this.#changedSince(members)) !== undefined) return undefined;
    for (const member of members) if (!(await this.#holdsRecordings(member))) return undefined;
    return { subject: (members[0] ?? last).subject, at: last.at };
  }

  /** The tapes and baselines whose last decision wrote them, and which are still as it left them. */
  async writtenFiles(): Promise<readonly DecidableSubject[]> {
    const found: DecidableSubject[] = [];
    const lasts = new Map((await this.#steps()).map((step) => [keyOf(step.subject), step]));
    for (const { subject, files } of lasts.values()) {
      const [file] = files;
      if (subject.kind === 'run' || file === undefined || !isChanged(file)) continue;
      const about = this.subjectOf(subject);
      if ((await digestIfThere(about.reviewedFile, FILE_LIMITS.tape)) === file.after) found.push(about);
    }
    return found;
  }

  /** The subjects that were decided together with the last decision on one, in their order. Rejects if there is none. */
  async decidedWith(about: DecidableSubject): Promise<readonly DecidableSubject[]> {
    const steps = await this.#steps();
    const { group } = lastOf(steps, about);
    return steps.filter((step) => step.group === group).map(({ subject }) => this.subjectOf(subject));
  }

  /** Rejects if the last decision on a subject cannot be reverted, with all that was decided together. */
  async requireUndoable(about: DecidableSubject): Promise<void> {
    const steps = await this.#steps();
    const { group } = lastOf(steps, about);
    const members = steps.filter((step) => step.group === group);
    const covered = members.find((member) => lastOf(steps, member).group !== group);
    if (covered !== undefined)
      throw new UserError(t('{0} has a more recent decision', covered.subject.path), t('Undo that decision first.'));
    const changed = await this.#changedSince(members);
    if (changed !== undefined)
      throw new UserError(t('{0} has changed since this decision', changed), t('Review it again, then decide.'));
    for (const member of members) if (!(await this.#holdsRecordings(member))) throw nothingToUndo(member);
  }

  /**
   * Restores the files to what they were. Called for each subject that was decided together, the last one first. With a group, only of
   * that: a decision that has changed nothing is not remembered.
   */
  async undo(about: DecidableSubject, ofGroup?: string): Promise<void> {
    const steps = await this.#steps();
    if (ofGroup !== undefined && steps.findLast((step) => isAbout(step, about))?.group !== ofGroup) return;
    const { folder, files } = lastOf(steps, about);
    for (const [index, file] of decidedFilesOf(about).entries()) {
      if (files[index] === undefined || !isChanged(files[index])) continue;
      const bytes = await this.#before(folder, index);
      if (bytes === undefined) await removeRecorded(this.root, file);
      else await writeRecorded(this.root, file, copiedContent(bytes));
    }
    await removeRecordings(this.root, join(this.root, folder));
  }

  /**
   * The path of the first subject, of those decided together, of which a file is not as it was left; several may write the same file. One
   * that is as it was before is none: its undo was killed before the step was removed.
   */
  async #changedSince(members: readonly Step[]): Promise<string | undefined> {
    const left = new Map<string, string | undefined>();
    for (const { subject, files } of [...members].reverse())
      for (const [index, path] of decidedFilesOf(this.subjectOf(subject)).entries()) {
        const now = left.has(path) ? left.get(path) : await digestIfThere(path, FILE_LIMITS.tape);
        if (now !== files[index]?.after && now !== files[index]?.before) return subject.path;
        left.set(path, files[index]?.before);
      }
    return undefined;
  }

  /** The steps in their order. What git tracks, or a link leads to, is a stranger's, and is none. */
  async #steps(): Promise<readonly Step[]> {
    const steps = await Promise.all(
      (await this.#folders()).map(async (name): Promise<Step | undefined> => {
        const folder = `${UNDO_FOLDER}/${name}`;
        const step = parseDocument(STEP, (await this.#own.readText(`${folder}/${STEP_FILE}`, STEP_LIMIT)) ?? '');
        return step && { ...step, folder };
      }),
    );
    return steps.filter((step) => step !== undefined);
  }

  /** The names of the folders of steps, in their order. */
  async #folders(): Promise<readonly string[]> {
    const names = await this.#own.files(UNDO_FOLDER);
    return names.flatMap((name) => /^(\d{8})\/step\.json$/.exec(name)?.[1] ?? []).sort();
  }

  /** A folder after those of the known steps. One of a decision that was killed is used again. */
  async #newFolder(last = '0'): Promise<string> {
    for (let number = Number(last) + 1; ; number += 1) {
      const folder = `${UNDO_FOLDER}/${String(number).padStart(8, '0')}`;
      if (!(await this.#own.isCommitted(folder))) return folder;
    }
  }

  async #before(folder: string, index: number): Promise<Uint8Array | undefined> {
    const path = `${folder}/${index}`;
    return (await this.#own.has(path)) ? readBytesIfThere(join(this.root, path), FILE_LIMITS.tape) : undefined;
  }

  /** Whether what a step restores, and what it replaces, are recordings: an undo writes no other file, whatever the step says. */
  async #holdsRecordings({ folder, files: [file], subject }: Step): Promise<boolean> {
    if (subject.kind === 'run' || file === undefined || !isChanged(file) || isTapePath(subject.path)) return true;
    const now = await readBytesIfThere(this.subjectOf(subject).reviewedFile, FILE_LIMITS.tape);
    const sides = [await this.#before(folder, 0), now];
    return sides.every((side) => side === undefined || recordingOf(subject.path, side) !== undefined);
  }

  async #forget(current: string): Promise<void> {
    const steps = await this.#steps();
    let left = steps.length;
    for (const group of new Set(steps.map((step) => step.group))) {
      if (left <= KEPT_STEPS || group === current) return;
      const members = steps.filter((step) => step.group === group);
      for (const { folder } of members) await removeRecordings(this.root, join(this.root, folder));
      left -= members.length;
    }
  }
}

/** The files that decisions on a subject write; absolute. */
function decidedFilesOf({ reviewedFile, decisionFile }: DecidableSubject): readonly string[] {
  return [reviewedFile, decisionFile];
}

function keyOf({ kind, path }: Step['subject']): string {
  return `${kind === 'run'} ${path}`;
}

function isChanged({ before, after }: Step['files'][number]): boolean {
  return before !== after;
}

function isAbout({ subject }: Step, about: Pick<Step, 'subject'>): boolean {
  return keyOf(subject) === keyOf(about.subject);
}

function lastOf(steps: readonly Step[], about: Pick<Step, 'subject'>): Step {
  const last = steps.findLast((step) => isAbout(step, about));
  if (last !== undefined) return last;
  throw nothingToUndo(about);
}

function nothingToUndo({ subject: { path } }: Pick<Step, 'subject'>): UserError {
  return new UserError(t('{0}: nothing to undo', path), t('Only the last decisions can be undone.'));
}

/** The digests of the files, which may be too large to be held once more. */
async function digestsOf(about: DecidableSubject): Promise<readonly (string | undefined)[]> {
  return Promise.all(decidedFilesOf(about).map((file) => digestIfThere(file, FILE_LIMITS.tape)));
}
