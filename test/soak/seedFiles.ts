import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Interaction, RecordedInteraction } from '../../src/core/model/interaction';
import type { TapeFormat } from '../../src/core/tapes/format';
import { plainInteraction } from '../../src/core/tapes/lazyTape';
import { detectFormat } from '../../src/core/tapes/readTape';
import { formats } from '../../src/core/tapes/registry';
import { decodeTapeFile } from '../../src/core/tapes/tapeFile';
import { toRecordedInteraction } from '../../src/core/tapes/writableFormat';
import { samples } from './samples';
import { shrink } from './shrink';

/** A file in order, of which broken ones are made. */
export interface SeedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The seeds of a format. What breaks a reader fits into a small file, of which more can be tried. */
export interface Seeds {
  /** The smallest first. */
  readonly small: readonly SeedFile[];
  readonly large: readonly SeedFile[];
}

const LARGEST = 64 * 1024;
const LARGE = 16 * 1024;
const SMALL = 2 * 1024;
/** So many of the smallest are taken, and all that are smaller still, up to a number. */
const LEAST_SMALL = 8;
const SMALLER = 640;
const MOST_SMALL = 40;
/** As small as a file is made that has more in it than one needs. */
const ENOUGH = 200;
const MOST_LARGE = 4;
const MOST_SHRUNK = 8;

const RECORDED: readonly RecordedInteraction[] = [
  {
    kind: 'llm',
    request: {
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'Where is "order 7"?\nPlease.', toolCalls: [] },
      ],
      tools: [{ name: 'find_order', description: 'Finds an order', schema: { type: 'object', properties: {} } }],
      params: { temperature: 0.7, max_tokens: 100 },
    },
    response: {
      content: null,
      toolCalls: [{ id: 'call_1', name: 'find_order', arguments: { id: 7, deep: [1.5, null, 'é'] } }],
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
      finishReason: 'tool_calls',
    },
  },
  {
    kind: 'llm',
    request: { messages: [{ role: 'user', content: 'And now?', toolCalls: [] }], tools: [], params: {} },
    response: { content: 'Shipped: see https://example.com/7 \u{1F600}.\nIt is on its way.', toolCalls: [] },
  },
];

/**
 * The seeds of every format: what it writes itself, our samples, files of the corpus, the same cut down to what is
 * essential, and the smallest interactions of the corpus, of every wire protocol, written in the format.
 */
export function seedFiles(corpus: string | undefined): Map<string, Seeds> {
  const found = byFormat(corpus === undefined ? own : [...own, ...corpusFiles(corpus)]);
  const interactions = [RECORDED, RECORDED.slice(0, 1), [], ...smallest([...found])];
  return new Map([...found].map(([format, files]) => [format.id, seedsOf(format, files, interactions)]));
}

/** What every format writes itself, and our samples of it. */
export function ownFiles(): Map<string, SeedFile[]> {
  return new Map([...byFormat(own)].map(([format, files]) => [format.id, [...written(format, [RECORDED]), ...files]]));
}

const own = samples.map(({ path, text }): SeedFile => ({ path, bytes: Buffer.from(text) }));

function byFormat(seeds: readonly SeedFile[]): Map<TapeFormat, SeedFile[]> {
  const found = new Map<TapeFormat, SeedFile[]>(formats.map((format) => [format, []]));
  for (const seed of seeds) {
    const format = detectFormat(decodeTapeFile(seed.path, seed.bytes));
    if (format !== undefined) found.get(format)?.push(seed);
  }
  return found;
}

function seedsOf(
  format: TapeFormat,
  files: SeedFile[],
  interactions: readonly (readonly RecordedInteraction[])[],
): Seeds {
  const bySize = [...files].sort(smallerFirst);
  const cut = bySize.slice(0, MOST_SHRUNK).map((seed) => shrink(format, seed, ENOUGH));
  const small = [...written(format, interactions), ...cut, ...bySize].filter(({ bytes }) => bytes.length <= SMALL);
  const isLarge = ({ bytes: { length } }: SeedFile): boolean => length > SMALL && length <= LARGE;
  const large = bySize.filter(isLarge).slice(0, MOST_LARGE);
  const known = new Map(small.sort(smallerFirst).map((seed) => [Buffer.from(seed.bytes).toString('latin1'), seed]));
  const chosen = [...known.values()].filter(({ bytes }, index) => index < LEAST_SMALL || bytes.length < SMALLER);
  return { small: chosen.slice(0, MOST_SMALL), large };
}

function smallerFirst(left: SeedFile, right: SeedFile): number {
  return left.bytes.length - right.bytes.length;
}

function written(format: TapeFormat, interactions: readonly (readonly RecordedInteraction[])[]): SeedFile[] {
  return interactions.flatMap((list) => {
    const text = format.serialise?.('order', list);
    const seed = { path: 'written.json', bytes: Buffer.from(text ?? '') };
    return text !== undefined && detectFormat(decodeTapeFile(seed.path, seed.bytes)) === format ? [seed] : [];
  });
}

/** The smallest interaction of each sort: of a wire protocol, streamed or not, with text, tools, or an error. */
function smallest(found: readonly (readonly [TapeFormat, readonly SeedFile[]])[]): RecordedInteraction[][] {
  const best = new Map<string, { size: number; interaction: Interaction }>();
  for (const [format, files] of found)
    for (const { path, bytes } of files)
      for (const lazy of format.read(decodeTapeFile(path, bytes)).interactions) {
        const interaction = plainInteraction(lazy);
        const { api, kind, http, response } = interaction;
        const isStreamed = response?.chunks !== undefined || http?.responseBody.type === 'chunks';
        const says = [response?.content, response?.toolCalls.length, response?.error].map(Boolean);
        const sort = [api, kind, http !== undefined, isStreamed, ...says].join(' ');
        const size = JSON.stringify([http, http ? undefined : interaction], withBigints).length;
        if (size < (best.get(sort)?.size ?? SMALL)) best.set(sort, { size, interaction });
      }
  return [...best.values()].map(({ interaction }) => [toRecordedInteraction(interaction)]);
}

function withBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

function corpusFiles(corpus: string): SeedFile[] {
  const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' });
  return names.flatMap((name) => {
    const path = join(corpus, name);
    const { size } = statSync(path);
    if (!statSync(path).isFile() || size > LARGEST || size === 0) return [];
    return [{ path: relative(corpus, path), bytes: readFileSync(path) }];
  });
}
