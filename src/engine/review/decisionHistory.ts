import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { digestIfThere, readBytesIfThere } from '../files/readFile';
import { removeInProject } from '../files/writeFile';
import { copiedContent } from '../recording/recordedContent';
import { writeRecorded } from '../recording/writeRecorded';
import { sha256 } from './stamp';
import type { DecidableSubject } from './subject';

/** The contents of the files that decisions on a subject write; absent if there is no file. */
type Snapshot = readonly (Buffer | undefined)[];

/** The effect of a decision on one file. Accepting does not change a tape, which may be large, so its content is not kept then. */
interface FileStep {
  readonly isChanged: boolean;
  /** The content before; absent if there was no file, or it did not change. */
  readonly before: Buffer | undefined;
  /** The digest of the content since; absent if there is no file. */
  readonly after: string | undefined;
}

interface Step {
  readonly files: readonly FileStep[];
  /** Decisions that were made together share one. */
  readonly group: symbol;
}

/** The effects of decisions on files, so that they can be undone, the last one first. It lasts as long as the process. */
export class DecisionHistory {
  readonly #steps = new Map<string, { readonly about: DecidableSubject; readonly steps: Step[] }>();

  /** Carries out a decision and remembers it. */
  async during<T>(about: DecidableSubject, decide: () => Promise<T>, group = Symbol()): Promise<T> {
    const before = await snapshot(about);
    const decided = await decide();
    const after = await digestsOf(about);
    const known = this.#steps.get(keyOf(about)) ?? { about, steps: [] };
    known.steps.push({ files: after.map((now, index) => stepOf(before[index], now)), group });
    this.#steps.set(keyOf(about), known);
    return decided;
  }

  /** The number of decisions that can be undone. */
  count(about: DecidableSubject): number {
    return this.#steps.get(keyOf(about))?.steps.length ?? 0;
  }

  /** The tapes and baselines of a project whose last decision wrote them, and which are still as it left them. */
  async writtenFiles(root: string): Promise<readonly DecidableSubject[]> {
    const found: DecidableSubject[] = [];
    for (const { about, steps } of this.#steps.values()) {
      const [file] = steps.at(-1)?.files ?? [];
      if (about.root !== root || about.subject.kind === 'run' || !file?.isChanged) continue;
      if ((await digestIfThere(about.reviewedFile, FILE_LIMITS.tape)) === file.after) found.push(about);
    }
    return found;
  }

  /** The subjects that were decided together with the last decision on one, in their order. Throws if there is none. */
  decidedWith(about: DecidableSubject): readonly DecidableSubject[] {
    const group = this.#last(about).group;
    const members = [...this.#steps.values()].filter(({ steps }) => steps.some((step) => step.group === group));
    return members.map((member) => member.about);
  }

  /** Rejects if the last decision on a subject, made together with that on `together`, cannot be reverted. */
  async requireUndoable(about: DecidableSubject, together: DecidableSubject): Promise<void> {
    const last = this.#last(about);
    const { path } = about.subject;
    if (last.group !== this.#last(together).group)
      throw new UserError(t('{0} has a more recent decision', path), t('Undo that decision first.'));
    const now = await digestsOf(about);
    if (!last.files.every(({ after }, index) => now[index] === after))
      throw new UserError(t('{0} has changed since this decision', path), t('Review it again, then decide.'));
  }

  /** Restores the files to what they were. Refuses when something else has written them since. */
  async undo(about: DecidableSubject): Promise<void> {
    await this.requireUndoable(about, about);
    const { files } = this.#last(about);
    for (const [index, file] of decidedFilesOf(about).entries())
      if (files[index]?.isChanged) await restoreFile(about.root, file, files[index]?.before);
    this.#steps.get(keyOf(about))?.steps.pop();
  }

  #last(about: DecidableSubject): Step {
    const last = this.#steps.get(keyOf(about))?.steps.at(-1);
    if (last !== undefined) return last;
    throw new UserError(
      t('{0}: nothing to undo', about.subject.path),
      t('Decisions of earlier sessions cannot be undone.'),
    );
  }
}

/** The files that decisions on a subject write; absolute. */
function decidedFilesOf({ reviewedFile, decisionFile }: DecidableSubject): readonly string[] {
  return [reviewedFile, decisionFile];
}

function keyOf({ root, subject: { kind, path } }: DecidableSubject): string {
  return [root, kind === 'run', path].join('\0');
}

function stepOf(before: Buffer | undefined, after: string | undefined): FileStep {
  const isChanged = (before && sha256(before)) !== after;
  return { isChanged, before: isChanged ? before : undefined, after };
}

async function snapshot(about: DecidableSubject): Promise<Snapshot> {
  return Promise.all(decidedFilesOf(about).map((file) => readBytesIfThere(file, FILE_LIMITS.tape)));
}

/** The digests of the files, which may be too large to be held once more. */
async function digestsOf(about: DecidableSubject): Promise<readonly (string | undefined)[]> {
  return Promise.all(decidedFilesOf(about).map((file) => digestIfThere(file, FILE_LIMITS.tape)));
}

async function restoreFile(root: string, path: string, bytes: Buffer | undefined): Promise<void> {
  if (bytes === undefined) await removeInProject(root, path);
  else await writeRecorded(root, path, copiedContent(bytes));
}
