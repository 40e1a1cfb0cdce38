import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { LISTED_BYTES, LISTED_GZIP } from '../../core/bytes/fileLimits';
import { PRICES_DATE } from '../../core/prices/pricesDate';
import type { PriceTable } from '../../core/prices/priceTable';
import { Sketcher } from '../../core/search/sketch';
import { type TapeFacts, tapeFacts } from '../../core/search/tapeFacts';
import { type TapeFile, tapeFileOf } from '../../core/tapes/tapeFile';
import { PatternTooSlow } from '../../core/text/patternMatch';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { stampOfFile } from '../files/fileStatus';
import { readContent } from '../files/readFile';
import { validConfig } from '../project/projectConfig';
import type { Recorder } from '../recording/recorder';
import { version } from '../version';
import { type IndexedFiles, readIndex, writeIndex } from './indexFile';

/** How long files are read before others have their turn, such as a cancellation. */
const TURN_MS = 20;
/** What was read of so many files is written when it is cancelled. */
const WORTH_WRITING = 50;

export interface RefreshOptions {
  readonly signal: AbortSignal;
  /** How many files are looked at; called at most once a turn, and only where some have to be read. */
  onProgress(done: number, of: number): void;
}

/** A file that cannot be searched. */
export interface SkippedFile {
  /** From the project's root. */
  readonly path: string;
  readonly reason: string;
}

/** What is known of the tapes of one project. It is kept in the project between commands, all but tapes with secrets. */
export class TapeIndex {
  readonly #sketcher = new Sketcher();

  private constructor(
    readonly root: string,
    readonly recorder: Recorder,
    private readonly prices: PriceTable | undefined,
    private readonly rules: string,
    private readonly files: IndexedFiles,
  ) {}

  /** @param known An index of the same project that this process has; used where its rules are still the same. */
  static async open(root: string, recorder: Recorder, known?: TapeIndex): Promise<TapeIndex> {
    const { prices } = await validConfig(root);
    const rules = rulesOf([version, PRICES_DATE, prices ?? null, recorder.stamp]);
    const files = known?.rules === rules ? known.files : await readIndex(root, rules);
    return new TapeIndex(root, recorder, prices, rules, files);
  }

  /** What is known of a tape since the last refresh; undefined for what is none. */
  facts(path: string): TapeFacts | undefined {
    return this.files.get(path)?.facts;
  }

  /** Reads those of the files that are new or have changed; with those that cannot be read. False where it was cancelled. */
  async refresh(
    paths: readonly string[],
    { signal, onProgress }: RefreshOptions,
  ): Promise<readonly SkippedFile[] | false> {
    const skipped: SkippedFile[] = [];
    let [turn, read] = [performance.now(), 0];
    for (const [at, path] of paths.entries()) {
      const stamp = stampOfFile(join(this.root, path));
      if (stamp === undefined) this.files.delete(path);
      else if (this.files.get(path)?.stamp !== stamp) {
        const reason = await this.#read(path, stamp);
        if (reason !== undefined) skipped.push({ path, reason });
        read += 1;
      }
      if (performance.now() - turn < TURN_MS) continue;
      if (read > 0) onProgress(at + 1, paths.length);
      await pause();
      if (signal.aborted) break;
      turn = performance.now();
    }
    if (read >= (signal.aborted ? WORTH_WRITING : 1)) await this.#write();
    return signal.aborted ? false : skipped;
  }

  /** The content of a tape. Rejects with the system's error. */
  async open(path: string): Promise<TapeFile> {
    return tapeFileOf(path, await readContent(join(this.root, path), LISTED_BYTES), LISTED_GZIP);
  }

  /** Resolves with the reason where the file cannot be searched. */
  async #read(path: string, stamp: string): Promise<string | undefined> {
    this.files.delete(path);
    try {
      const file = await this.open(path);
      const { prices, recorder } = this;
      const facts = tapeFacts(file, { prices, search: recorder.search, sketcher: this.#sketcher });
      this.files.set(path, { stamp, ...(facts && { facts }) });
      return undefined;
    } catch (error) {
      if (isSystemError(error)) return systemReason(error);
      if (error instanceof PatternTooSlow) return error.message;
      throw error;
    }
  }

  async #write(): Promise<void> {
    try {
      await writeIndex(this.root, this.rules, this.files, this.recorder);
    } catch (error) {
      // A project that cannot be written to is searched anew each time.
      if (!isSystemError(error) && !(error instanceof UserError)) throw error;
    }
  }
}

function rulesOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
