import type { Interaction } from '../model/interaction';
import type { FormatId, Tape } from '../model/tape';
import { t } from '../text/l10n';
import { flattenString, weakMemo } from '../text/memo';
import type { Problem, Severity } from '../text/source';
import type { TapeFormat } from './format';
import { LazyTape } from './lazyTape';
import { type TapeFile, textParts } from './tapeFile';

/** The limits below which a reading is kept: this many times the text, and for any tape this many bytes. */
const MAX_TEXT_MULTIPLE = 7;
const ALWAYS_KEPT_BYTES = 256 * 1024;
/** Memory of an interaction with its position, its problems and its source. */
const BYTES_PER_INTERACTION = 600;

/** Wraps a format so that its tapes take little more memory than their text while they are unused. */
export function withEvictableTapes(format: TapeFormat): TapeFormat {
  return { ...format, read: (file) => new EvictableTape(file, (one) => withinReason(format.read(one))) };
}

/** Far more than any run makes. What works on a tape holds a little for each. */
const MAX_INTERACTIONS = 50_000;

/** The tape, or one that has the number of its interactions as its only problem. */
function withinReason(tape: Tape): Tape {
  const count = tape.interactions.length;
  if (count <= MAX_INTERACTIONS) return tape;
  const message = t('the file has {0} interactions; at most {1} are read', count, MAX_INTERACTIONS);
  const fix = t('Split it into smaller tapes, or restore it from version control.');
  const { format, name, version } = tape;
  const problems: Problem[] = [{ severity: 'error', message, fix, span: { start: 0, end: 0 } }];
  return { format, name, version, interactions: [], problems };
}

/**
 * A tape that releases its interactions when nothing holds them, and reads the file again when they are needed: a file
 * can have an interaction in every three bytes, and the tree of a YAML text takes many times the text. A tape that is
 * known to take little memory is kept.
 */
class EvictableTape implements Tape {
  readonly format: FormatId;
  readonly name: string | undefined;
  readonly test: string | undefined;
  readonly version: string | undefined;
  readonly records: number | undefined;
  readonly #reading: () => Tape;
  readonly #interactions: () => readonly Interaction[];
  #problems: readonly Problem[] | undefined;

  constructor(file: TapeFile, read: (file: TapeFile) => Tape) {
    const reading = read(file);
    this.format = reading.format;
    this.name = reading.name && flattenString(reading.name);
    this.test = reading.test && flattenString(reading.test);
    this.version = reading.version && flattenString(reading.version);
    this.records = reading.records;
    this.#reading = isCheapToKeep(reading, file) ? constant(reading) : weakMemo(() => read(file), reading);
    // The list of interactions may outlive the tape.
    this.#interactions = weakMemo(() => this.#reading().interactions, reading.interactions);
  }

  get interactions(): readonly Interaction[] {
    return this.#interactions();
  }

  get problems(): readonly Problem[] {
    this.#problems ??= limitProblems(this.#reading().problems);
    return this.#problems;
  }

  get problemsOfFile(): readonly Problem[] | undefined {
    return this.#reading().problemsOfFile;
  }

  toJSON(): Tape {
    const { format, name, test, version, records, interactions, problems } = this;
    return { format, name, test, version, records, interactions, problems };
  }
}

function isCheapToKeep(reading: Tape, file: TapeFile): boolean {
  if (!(reading instanceof LazyTape) || reading.retainedBytes === undefined) return false;
  const bytes = reading.retainedBytes + reading.interactions.length * BYTES_PER_INTERACTION;
  return bytes <= Math.max(ALWAYS_KEPT_BYTES, textParts(file).length * MAX_TEXT_MULTIPLE);
}

/** A function outside of the constructor: closures made in one scope keep alive everything that any of them uses. */
function constant<T>(value: T): () => T {
  return () => value;
}

/** More problems than anyone fixes before verifying again. */
const MAX_PROBLEMS = 500;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** The problems, or as many as can be listed and a last one with the number of the others and their worst severity. */
export function limitProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const [first, ...others] = problems.slice(MAX_PROBLEMS);
  if (first === undefined || others.length === 0) return problems;
  const grave = new Set(problems.slice(MAX_PROBLEMS).map(({ severity }) => severity));
  const more: Problem = {
    severity: SEVERITIES.find((severity) => grave.has(severity)) ?? first.severity,
    message: t('{0} more problems are not listed', others.length + 1),
    fix: t('Fix the first {0} problems: this many usually have one cause.', MAX_PROBLEMS),
    span: first.span,
  };
  return [...problems.slice(0, MAX_PROBLEMS), more];
}
