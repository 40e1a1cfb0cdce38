import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import type { SearchedInteraction } from '../../core/model/found';
import type { InteractionKind } from '../../core/model/interaction';
import { PRICES_DATE } from '../../core/prices/pricesDate';
import type { PriceTable } from '../../core/prices/priceTable';
import { SEARCH_INDEX_PATH } from '../../core/project/layout';
import { parseDocument } from '../../core/schema/parseDocument';
import { anything, constant, list, shape, text, trusted, type Value } from '../../core/schema/schema';
import type { TapeFacts } from '../../core/search/tapeFacts';
import { isSystemError, unlessUnreadable } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { stampOfFile } from '../files/fileStatus';
import { OwnState } from '../project/ownState';
import { validConfig } from '../project/projectConfig';
import type { ReaderPool } from '../readers/readerPool';
import type { Recorder } from '../recording/recorder';
import { writeRecorded } from '../recording/writeRecorded';
import { version } from '../version';
import { type FactsSetup, factsReader, factsTask, type ProjectFile, projectFile } from './factsTask';

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

/** The facts of a project's files, by their paths from its root. */
type IndexedFiles = Map<string, IndexedFile>;

/** An index of ten thousand tapes has about 10 MB. */
const MOST_BYTES = 2 ** 28;

/**
 * The names in an index have numbers: few models and tools are on many tapes. It is our own file, in a folder that only this user can
 * write to, so its version determines the rest of its shape.
 */
const WRITTEN = shape({
  version: constant(3),
  rules: text(),
  names: list(text()),
  files: list(trusted<WrittenFile>(list(anything()))),
});

/** Stands for what is absent. */
const NONE = -1;

class Names {
  readonly #numbers = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  number(name: string | undefined): number {
    if (name === undefined) return NONE;
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }
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

/** The facts of a file at the time of this stamp. */
interface IndexedFile {
  readonly stamp: string;
  /** Absent if it is not a tape. */
  readonly facts?: TapeFacts;
}

type WrittenFile = readonly [path: string, stamp: string, tape?: WrittenTape];

type WrittenTape = readonly [
  format: number,
  label: number,
  problems: number,
  sketch: string,
  isPlain: 0 | 1,
  interactions: readonly WrittenInteraction[],
];

type WrittenInteraction = readonly [
  kind: number,
  model: number,
  tools: readonly number[],
  status: number,
  isFailed: 0 | 1,
  cost: number,
  recordedAt: number,
  askedModel: number,
];

/** Reads the index of a project; empty if there is none, or it was made by other rules. */
async function readIndex(root: string, rules: string): Promise<IndexedFiles> {
  const source = await unlessUnreadable(new OwnState(root).readText(SEARCH_INDEX_PATH, MOST_BYTES));
  // One that was cut off, or is another file, is rebuilt.
  const written = parseDocument(WRITTEN, source ?? '');
  if (written === undefined || written.rules !== rules) return new Map();
  const name = (at: number): string => written.names[at] ?? '';
  return new Map(
    written.files.map(([path, stamp, tape]) => [path, { stamp, ...(tape && { facts: readTape(tape, name) }) }]),
  );
}

/** Writes the index, without the tapes in which there are secrets. */
async function writeIndex(root: string, rules: string, files: IndexedFiles, recorder: Recorder): Promise<void> {
  const names = new Names();
  const kept = [...files].filter(([, { facts }]) => facts === undefined || facts.secrets === 0);
  const written = kept.map(
    ([path, { stamp, facts }]): WrittenFile =>
      facts === undefined ? [path, stamp] : [path, stamp, writtenTape(facts, (name) => names.number(name))],
  );
  const content = recorder.page(names.all, (hidden) =>
    JSON.stringify({ version: 3, rules, names: hidden, files: written } satisfies Value<typeof WRITTEN>),
  );
  await writeRecorded(root, join(root, SEARCH_INDEX_PATH), content, { durable: false });
}

type NumberOf = (name: string | undefined) => number;

function writtenTape(
  { format, formatLabel, problems, sketch, isPlain, interactions }: TapeFacts,
  numberOf: NumberOf,
): WrittenTape {
  const rows = interactions.map((one) => writtenInteraction(one, numberOf));
  const bits = Buffer.from(sketch).toString('base64');
  return [numberOf(format), numberOf(formatLabel), problems, bits, isPlain ? 1 : 0, rows];
}

function writtenInteraction(
  { kind, model, askedModel, tools, status = NONE, isFailed, cost = NONE, recordedAt = NONE }: SearchedInteraction,
  numberOf: NumberOf,
): WrittenInteraction {
  const [ofKind, ofModel, ofAsked] = [numberOf(kind), numberOf(model), numberOf(askedModel)];
  return [ofKind, ofModel, tools.map(numberOf), status, isFailed ? 1 : 0, cost, recordedAt, ofAsked];
}

type NameOf = (number: number) => string;

function readTape([format, label, problems, sketch, isPlain, interactions]: WrittenTape, name: NameOf): TapeFacts {
  return {
    format: name(format),
    formatLabel: name(label),
    problems,
    secrets: 0,
    sketch: Buffer.from(sketch, 'base64'),
    isPlain: isPlain === 1,
    interactions: interactions.map((one) => readInteraction(one, name)),
  };
}

function readInteraction(written: WrittenInteraction, name: NameOf): SearchedInteraction {
  const [kind, model, tools, status, isFailed, cost, recordedAt, askedModel] = written;
  return {
    kind: name(kind) as InteractionKind,
    ...(model !== NONE && { model: name(model) }),
    ...(askedModel !== NONE && { askedModel: name(askedModel) }),
    tools: tools.map(name),
    ...(status !== NONE && { status }),
    isFailed: isFailed === 1,
    ...(cost !== NONE && { cost }),
    ...(recordedAt !== NONE && { recordedAt }),
  };
}
