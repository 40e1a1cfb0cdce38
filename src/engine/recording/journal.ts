import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { JOURNAL_FOLDER } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { isSystemError, systemReason } from '../errors/systemError';
import type { AppendedFile } from '../files/changeFile';
import type { FileIdentity } from '../files/fileStatus';
import { ownIdentity } from '../files/isAlive';
import { createJournalFile } from '../files/journalFile';
import { fromRoot } from '../files/projectPaths';
import type { HiddenInteraction } from './hidden';
import { entryLine, FAILED_LINE, type JournalHead, savingLine } from './journalLines';
import type { RecordedContent } from './recordedContent';
import type { TapePlace } from './takes';
import { removeRecorded } from './writeRecorded';

interface JournalOptions extends TapePlace {
  /** The format of a tape that does not exist yet. */
  readonly format: string | undefined;
  /** The id of the test that is recorded. */
  readonly test?: string | undefined;
  /** The recording is added to the tape instead of replacing it. */
  readonly append: boolean;
  /** Where a recording continues a tape: that tape. */
  readonly continues?: FileIdentity | undefined;
  /** The tape that is continued, where that is another file; absolute. */
  readonly base?: string | undefined;
  /** Called once, with a line for the user, when the journal cannot be written. */
  onProblem?(message: string): void;
}

/**
 * What a proxy is recording, on disk as it happens: every interaction is in the file before the agent has the end of its
 * response, so that a process that is killed loses only those in progress. Nothing is waited for to reach the disk itself: a
 * power failure loses what the system had not written yet, of about the last half minute.
 *
 * A file of JSON lines in `.tapedeck/journal/`, created with the first interaction, and removed when the recording has ended:
 * a head, then an interaction a line. See `journalLines.ts`.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #name: string;
  readonly #since = new Date().toISOString();
  #file: Promise<AppendedFile> | undefined;
  #hasProblem = false;
  #isKept = false;
  #kept = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#name = `${this.#since.replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.jsonl`;
  }

  /** Adds an interaction, with its number by arrival; one that is added again takes the place of the earlier one. Where that fails, the recording goes on in memory. */
  async add(number: number, { http, mcp, timing }: HiddenInteraction): Promise<void> {
    if (await this.#append(`\n${entryLine({ number, http, mcp, timing })}`)) this.#kept += 1;
  }

  /** How many interactions are in it. */
  get kept(): number {
    return this.#kept;
  }

  /** Notes what is about to be the tape: where the process is killed after that, it is not saved once more. */
  async saving(tape: RecordedContent): Promise<void> {
    if (this.#file !== undefined) await this.#append(savingLine(tape));
  }

  /** Leaves the journal where it is when it ends: the recording can be recovered. */
  keep(): void {
    this.#isKept = true;
  }

  /** The same for the recording of a run that failed. Resolves with the number of interactions that can be recovered. */
  async keepFailed(): Promise<number> {
    if (this.#file === undefined) return 0;
    this.keep();
    await this.#append(FAILED_LINE);
    return this.#kept;
  }

  /** Removes the journal when it ends: the recording is on its tape, or is not wanted. That is so by default. */
  forget(): void {
    this.#isKept = false;
  }

  /** Ends the journal. */
  async end(): Promise<void> {
    if (this.#file === undefined) return;
    const file = await this.#file.catch(() => undefined);
    file?.close();
    this.#file = undefined;
    if (file !== undefined && !this.#isKept) await this.#removeFile();
  }

  /** False if it cannot be written. */
  async #append(text: string): Promise<boolean> {
    try {
      this.#file ??= this.#create();
      (await this.#file).append(text);
      return true;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // Tried again with the next one, because a disk may have room again.
      if (this.#hasProblem) return false;
      this.#hasProblem = true;
      this.#options.onProblem?.(
        t(
          '{0}/{1} cannot be written: {2}. The recording goes on in memory, and is lost if this process is killed.',
          JOURNAL_FOLDER,
          this.#name,
          systemReason(error),
        ),
      );
      return false;
    }
  }

  async #create(): Promise<AppendedFile> {
    const { root, tapePath, format, test, append, continues, base } = this.#options;
    const head: JournalHead = {
      journal: 1,
      tape: fromRoot(root, tapePath),
      append,
      since: this.#since,
      by: ownIdentity(),
      format,
      test,
      continues,
      ...(base !== undefined && { base: fromRoot(root, base) }),
    };
    let file: AppendedFile | undefined;
    try {
      file = await createJournalFile(root, this.#name);
      file.append(JSON.stringify(head));
      return file;
    } catch (error) {
      file?.close();
      this.#file = undefined;
      if (file !== undefined && !this.#isKept) await this.#removeFile();
      throw error;
    }
  }

  async #removeFile(): Promise<void> {
    const { root } = this.#options;
    await removeRecorded(root, join(root, JOURNAL_FOLDER, this.#name));
  }
}
