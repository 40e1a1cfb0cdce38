import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { UserError } from '../errors/userError';
import { digestIfThere, readBytesIfThere } from '../files/readFile';
import { removeInProject } from '../files/writeFile';
import { copiedContent } from '../recording/recordedContent';
import { writeRecorded } from '../recording/writeRecorded';
import { sha256 } from './stamp';
import type { DecidableSubject } from './subject';

/** The contents of the files that decisions on a subject write; absent where there is no file. */
type Snapshot = readonly (Buffer | undefined)[];

/** The effect of a decision on one file. Accepting does not change a tape, which may be large, so its content is not kept then. */
interface FileStep {
  readonly isChanged: boolean;
  /** The content before; absent where there was no file, or it did not change. */
  readonly before: Buffer | undefined;
  /** The digest of the content since; absent where there is no file. */
  readonly after: string | undefined;
}

type Step = readonly FileStep[];

/** The effects of decisions on files, so that they can be undone, the last one first. It lasts as long as the process. */
export class DecisionHistory {
  readonly #steps = new Map<string, { readonly about: DecidableSubject; readonly steps: Step[] }>();

  /** Carries out a decision and remembers it. */
  async during(about: DecidableSubject, decide: () => Promise<void>): Promise<void> {
    const before = await snapshot(about);
    await decide();
    const after = await digestsOf(about);
    const known = this.#steps.get(keyOf(about)) ?? { about, steps: [] };
    known.steps.push(after.map((now, index) => stepOf(before[index], now)));
    this.#steps.set(keyOf(about), known);
  }

  /** The number of decisions that can be undone. */
  count(about: DecidableSubject): number {
    return this.#steps.get(keyOf(about))?.steps.length ?? 0;
  }

  /** The tapes and baselines of a project whose last decision wrote them, and which are still as it left them. */
  async writtenFiles(root: string): Promise<readonly DecidableSubject[]> {
    const found: DecidableSubject[] = [];
    for (const { about, steps } of this.#steps.values()) {
      const [file] = steps.at(-1) ?? [];
      if (about.root !== root || about.subject.kind === 'run' || !file?.isChanged) continue;
      if ((await digestIfThere(about.reviewedFile, FILE_LIMITS.tape)) === file.after) found.push(about);
    }
    return found;
  }

  /** Restores the files to what they were. Refuses when something else has written them since. */
  async undo(about: DecidableSubject): Promise<void> {
    const { root, subject } = about;
    const steps = this.#steps.get(keyOf(about))?.steps ?? [];
    const last = steps.at(-1);
    if (last === undefined)
      throw new UserError(`${subject.path}: nothing to undo`, 'Decisions of earlier sessions cannot be undone.');
    const now = await digestsOf(about);
    if (!last.every(({ after }, index) => now[index] === after))
      throw new UserError(`${subject.path} has changed since this decision`, 'Review it again, then decide.');
    for (const [index, file] of decidedFilesOf(about).entries())
      if (last[index]?.isChanged) await restoreFile(root, file, last[index]?.before);
    steps.pop();
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
