import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { PRICES_DATE } from '../../core/prices/pricesDate';
import type { PriceTable } from '../../core/prices/priceTable';
import type { TapeFacts } from '../../core/search/tapeFacts';
import { isSystemError } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { stampOfFile } from '../files/fileStatus';
import { validConfig } from '../project/projectConfig';
import type { ReaderPool } from '../readers/readerPool';
import type { Recorder } from '../recording/recorder';
import { version } from '../version';
import { type FactsSetup, factsReader, factsTask, type ProjectFile, projectFile } from './factsTask';
import { type IndexedFiles, readIndex, writeIndex } from './indexFile';

/** How long files are read before others have their turn, such as a cancellation. */
const TURN_MS = 20;
/** After a cancellation, the index is written if at least this many files were read. */
const WORTH_WRITING = 50;

interface RefreshOptions {
  readonly signal: AbortSignal;
  readonly readers: ReaderPool;
  /** Reports how many files were checked, at most once a turn, and only if some have to be read. */
  onProgress(done: number, of: number): void;
}

interface ChangedFile extends ProjectFile {
  /** Its current state. */
  readonly stamp: string;
}

/** A file that cannot be searched. */
interface SkippedFile {
  /** From the project's root. */
  readonly path: string;
  readonly reason: string;
}

/** The index of one project's tapes. It is stored in the project between commands, except for tapes with secrets. */
export class TapeIndex {
  private constructor(
    readonly root: string,
    readonly recorder: Recorder,
    private readonly prices: PriceTable | undefined,
    private readonly rules: string,
    private readonly files: IndexedFiles,
  ) {}

  /** @param known An earlier index of the same project; reused if its rules are still the same. */
  static async open(root: string, recorder: Recorder, known?: TapeIndex): Promise<TapeIndex> {
    const { prices } = await validConfig(root);
    const rules = rulesOf([version, PRICES_DATE, prices ?? null, recorder.stamp]);
    const files = known?.rules === rules ? known.files : await readIndex(root, rules);
    return new TapeIndex(root, recorder, prices, rules, files);
  }

  /** The facts of a tape since the last refresh; undefined for any other file. */
  facts(path: string): TapeFacts | undefined {
    return this.files.get(path)?.facts;
  }

  /** Reads the files that are new or have changed. Returns those that cannot be read, or false if it was cancelled. */
  async refresh(
    names: readonly string[],
    { signal, readers, onProgress }: RefreshOptions,
  ): Promise<readonly SkippedFile[] | false> {
    const changed = await this.#changed(names, signal);
    if (changed.length === 0 || signal.aborted) return signal.aborted ? false : [];
    const skipped: SkippedFile[] = [];
    const { recorder, prices } = this;
    let [turn, read] = [performance.now(), 0];
    await readers.read(changed, factsTask, { secrets: recorder.sources, prices } satisfies FactsSetup, {
      signal,
      here: factsReader(recorder, prices),
      done: ({ name, stamp }, outcome) => {
        if ('reason' in outcome) skipped.push({ path: name, reason: outcome.reason });
        else this.files.set(name, { stamp, ...outcome });
        read += 1;
        if (performance.now() - turn < TURN_MS) return;
        onProgress(names.length - changed.length + read, names.length);
        turn = performance.now();
      },
    });
    if (read >= (signal.aborted ? WORTH_WRITING : 1)) await this.#write();
    return signal.aborted ? false : skipped;
  }

  /** Forgets the facts of files that have changed, and returns those that still exist. */
  async #changed(names: readonly string[], signal: AbortSignal): Promise<readonly ChangedFile[]> {
    const changed: ChangedFile[] = [];
    let turn = performance.now();
    for (const name of names) {
      const file = projectFile(this.root, name);
      const stamp = stampOfFile(file.path);
      if (stamp === undefined || this.files.get(name)?.stamp !== stamp) this.files.delete(name);
      if (stamp !== undefined && !this.files.has(name)) changed.push({ ...file, stamp });
      if (performance.now() - turn < TURN_MS) continue;
      await pause();
      if (signal.aborted) break;
      turn = performance.now();
    }
    return changed;
  }

  async #write(): Promise<void> {
    try {
      await writeIndex(this.root, this.rules, this.files, this.recorder);
    } catch (error) {
      // A project that cannot be written to is read again each time.
      if (!isSystemError(error) && !(error instanceof UserError)) throw error;
    }
  }
}

function rulesOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
