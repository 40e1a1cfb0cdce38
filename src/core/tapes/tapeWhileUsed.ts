import { flat } from '../text/flat';
import type { Problem } from '../text/source';
import { whileUsed } from '../text/whileUsed';
import { LazyTape } from './lazyTape';
import { mostProblems } from './mostProblems';
import type { FormatId, Interaction, Tape } from './tape';
import type { TapeFile } from './tapeFile';
import type { TapeFormat } from './tapeFormat';

/** What was read is kept where it takes no more: so many times the text, and of any tape as much as is not worth a word. */
const MOST_TIMES = 7;
const MOST_BYTES = 256 * 1024;
/** Of an interaction with its place, its problems, and what it is read from. */
const INTERACTION_BYTES = 600;

/** The format, with tapes that take little more memory than their text while nobody uses them. */
export function readWhileUsed(format: TapeFormat): TapeFormat {
  return { ...format, read: (file) => new TapeWhileUsed(file, format.read) };
}

/**
 * A tape that is read again when somebody asks for interactions that nobody has held for a while: a file can have one in
 * every three bytes, and the tree of a YAML text takes many times the text. A tape that is known to take little stays.
 */
class TapeWhileUsed implements Tape {
  readonly format: FormatId;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly records: number | undefined;
  readonly #reading: () => Tape;
  readonly #interactions: () => readonly Interaction[];
  #problems: readonly Problem[] | undefined;

  constructor(file: TapeFile, read: (file: TapeFile) => Tape) {
    const reading = read(file);
    this.format = reading.format;
    this.name = reading.name && flat(reading.name);
    this.version = reading.version && flat(reading.version);
    this.records = reading.records;
    this.#reading = isLight(reading, file) ? always(reading) : whileUsed(() => read(file), reading);
    // Whoever has the list of them need not have the tape.
    this.#interactions = whileUsed(() => this.#reading().interactions, reading.interactions);
  }

  get interactions(): readonly Interaction[] {
    return this.#interactions();
  }

  get problems(): readonly Problem[] {
    this.#problems ??= mostProblems(this.#reading().problems);
    return this.#problems;
  }

  toJSON(): Tape {
    const { format, name, version, records, interactions, problems } = this;
    return { format, name, version, records, interactions, problems };
  }
}

function isLight(reading: Tape, { text }: TapeFile): boolean {
  if (!(reading instanceof LazyTape) || reading.weight === undefined) return false;
  const bytes = reading.weight + reading.interactions.length * INTERACTION_BYTES;
  return bytes <= Math.max(MOST_BYTES, text.length * MOST_TIMES);
}

/** Not in the constructor: functions that are made in one place keep alive what any of them uses. */
function always<T>(value: T): () => T {
  return () => value;
}
