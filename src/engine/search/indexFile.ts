import { join } from 'node:path';
import type { SearchedInteraction } from '../../core/model/found';
import type { InteractionKind } from '../../core/model/interaction';
import { SEARCH_INDEX_PATH } from '../../core/project/layout';
import { parseDocument } from '../../core/schema/parseDocument';
import { anything, constant, list, shape, text, trusted, type Value } from '../../core/schema/schema';
import type { TapeFacts } from '../../core/search/tapeFacts';
import { unlessUnreadable } from '../errors/systemError';
import { OwnState } from '../project/ownState';
import type { Recorder } from '../recording/recorder';
import { writeRecorded } from '../recording/writeRecorded';

/** The facts of a file at the time of this stamp. */
interface IndexedFile {
  readonly stamp: string;
  /** Absent if it is not a tape. */
  readonly facts?: TapeFacts;
}

/** The facts of a project's files, by their paths from its root. */
export type IndexedFiles = Map<string, IndexedFile>;

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

/** Stands for what is absent. */
const NONE = -1;

/** Reads the index of a project; empty if there is none, or it was made by other rules. */
export async function readIndex(root: string, rules: string): Promise<IndexedFiles> {
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
export async function writeIndex(root: string, rules: string, files: IndexedFiles, recorder: Recorder): Promise<void> {
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
