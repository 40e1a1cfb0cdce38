import type { Interaction } from '../../core/model/interaction';
import { limitsOf } from '../../core/tapes/unheld';
import { listed } from '../../core/text/counts';
import { shellWord } from '../../core/text/shellWord';
import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import type { OpenProxy } from '../proxy/openProxy';
import type { ProxyMode } from '../proxy/session/sessionOptions';
import { claimTape, type Release } from '../recording/claimTape';
import { discardFailed, interruptedRecordings } from '../recording/interrupted';
import { Journal } from '../recording/journal';
import { requireWritable, saveRecording } from '../recording/saveRecording';
import { usageAdvice } from '../recording/streamsWithoutUsage';
import { holdingPath, UnheldError } from '../recording/unheldError';
import { leftOutText } from '../recording/unhiddenError';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';

type Note = Terminal['note'];

export interface ProxyRecordingPlan {
  readonly mode: ProxyMode;
  /** The project's root. */
  readonly root: string;
  readonly tapePath: string;
  /** The format of a new tape, as given by the user. */
  readonly format: string | undefined;
  /** The id of the test that is recorded. */
  readonly test?: string | undefined;
}

interface FinishedRecording extends Pick<OpenProxy, 'recorded' | 'recorder'> {
  /** The part of the existing tape that the recording takes the place of; by default all of it. */
  replaces?(interaction: Interaction): boolean;
}

/** What a proxy of the command line records: kept on disk while it is made, and saved as the tape at its end. */
export class ProxyRecording {
  readonly journal: Journal;
  readonly #plan: ProxyRecordingPlan;
  readonly #note: Note;
  readonly #release: Release;
  readonly #tell: Note;

  private constructor(plan: ProxyRecordingPlan, note: Note, release: Release, tell: Note) {
    const { root, tapePath, format, mode, test } = plan;
    this.#plan = plan;
    this.#note = note;
    this.#release = release;
    this.#tell = tell;
    const onProblem = (message: string): void => note(`tapedeck: ${message}`);
    this.journal = new Journal({ root, tapePath, format, test, append: mode === 'auto', onProblem });
  }

  /**
   * Says what the tape cannot hold. Rejects with a `UserError` if it could not be written at the end. `tell` gets what is only
   * for who reads along.
   */
  static async begin(plan: ProxyRecordingPlan, note: Note, tell = note): Promise<ProxyRecording> {
    const format = await requireWritable(plan.root, plan.tapePath, plan.format);
    const limits = limitsOf(format, { path: plan.tapePath });
    if (limits.length > 0)
      tell(
        `tapedeck: ${plan.mode}: ${plan.tapePath} (${format.label}) cannot hold ${listed(limits)}; a recording that contains them is not saved there`,
      );
    const release = await claimTape(plan, (line) => note(`tapedeck: ${line}`));
    return new ProxyRecording(plan, note, release, tell);
  }

  /** Saves what was recorded. Where that fails, it can be recovered. */
  async save({ recorded, recorder, replaces }: FinishedRecording): Promise<void> {
    if (recorded.length === 0) return;
    const { root, tapePath: path, format, mode, test } = this.#plan;
    try {
      const saved = await saveRecording({
        root,
        path,
        format,
        test,
        recorded,
        recorder: await recorder.get(),
        append: mode === 'auto' || replaces !== undefined,
        replaces,
        journal: this.journal,
      });
      // What was recorded in part is of no use once all of it is recorded.
      if (mode === 'record' && replaces === undefined) await discardFailed(root, fromRoot(root, path));
      this.#tell(`tapedeck: ${path} now has ${quantity(saved.interactions, 'interaction')}`);
      for (const one of saved.leftOut ?? []) this.#note(`tapedeck: ${leftOutText(one)}`);
      const advice = usageAdvice(recorded);
      if (advice !== undefined) this.#note(`tapedeck: ${advice}`);
    } catch (error) {
      this.keep(recorded.length, error instanceof UnheldError ? holdingPath(path) : undefined);
      throw error;
    }
  }

  /**
   * Leaves what was recorded, as far as it is on the disk, to be recovered: as the tape, or as another where it cannot be that.
   * Otherwise it is forgotten at the end.
   */
  keep(interactions: number, as?: string): void {
    const { kept } = this.journal;
    if (kept === 0) return;
    const { root, tapePath } = this.#plan;
    this.journal.keep();
    const text = keptText(fromRoot(root, tapePath), interactions, as && fromRoot(root, as));
    this.#note(`tapedeck: ${kept < interactions ? `${kept} of ` : ''}${text}`);
  }

  /** The same for what a failed run recorded. */
  async keepFailed(): Promise<void> {
    const kept = await this.leaveFailed();
    if (kept === undefined) return;
    this.#note(`tapedeck: the tape is unchanged: the run failed. ${keptText(kept.tape, kept.interactions)}`);
  }

  /** The same without telling of it. Undefined if nothing was recorded. */
  async leaveFailed(): Promise<KeptRecording | undefined> {
    const interactions = await this.journal.keepFailed();
    const { root, tapePath } = this.#plan;
    return interactions === 0 ? undefined : { tape: fromRoot(root, tapePath), interactions };
  }

  /** For whatever way a recording ends. */
  async end(): Promise<void> {
    await this.journal.end();
    await this.#release();
  }
}

/** What a failed run recorded, and can be recovered. */
export interface KeptRecording {
  /** From the root. */
  readonly tape: string;
  readonly interactions: number;
}

/** Tells of recordings of the project that were not saved, and how to save or discard them. */
export async function offerInterrupted(root: string, note: Note): Promise<void> {
  let all: Awaited<ReturnType<typeof interruptedRecordings>>;
  try {
    all = await interruptedRecordings(root);
  } catch (error) {
    // What begins does not depend on what was interrupted.
    if (!(error instanceof UserError)) throw error;
    return note(`tapedeck: cannot tell whether recordings were interrupted: ${error.message}`);
  }
  for (const { tape, since, interactions } of all.filter(({ failed }) => !failed))
    note(`tapedeck: a recording of ${tape}, started ${since}, was interrupted. ${keptText(tape, interactions)}`);
  const failed = all.filter((one) => one.failed).length;
  if (failed > 0)
    note(`tapedeck: ${quantity(failed, 'recording')} of failed runs kept. To list, save, or discard: tapedeck recover`);
}

export function keptText(tape: string, interactions: number, as?: string): string {
  const word = shellWord(tape);
  const save =
    as === undefined
      ? `as the tape: tapedeck recover --save ${word}`
      : `elsewhere: tapedeck recover --save ${word} --as ${shellWord(as)}`;
  return `${quantity(interactions, 'recorded interaction')} kept.
  To save ${save}
  To discard: tapedeck recover --discard ${word}`;
}
