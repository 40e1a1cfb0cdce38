import { gunzipSync, gzipSync, unzipSync, zipSync } from 'fflate';
import type { TapeFormat } from '../../src/core/tapes/format';
import { formats } from '../../src/core/tapes/registry';
import { decodeTapeFile } from '../../src/core/tapes/tapeFile';
import { keptBytes, mostKept, unpackedBytes } from './keptBytes';
import { type SeedFile, type Seeds, seedFiles } from './seedFiles';

/** The hostile file of a format whose tape keeps most. */
export interface Worst {
  readonly format: string;
  /** Kept bytes for each of the text. */
  readonly ratio: number;
  readonly isWithin: boolean;
  readonly interactions: number;
  readonly piece: string;
  readonly tried: number;
}

export interface Choice {
  readonly corpus: string | undefined;
  readonly formats: readonly string[];
  /** Bytes that a file is grown to. */
  readonly size: number;
  /** Milliseconds for each format. */
  readonly budget: number;
}

/** What a list may have thousands of. A line is added to every kind of list that the file has. */
const TOKENS = ['{}', '[]', '""', '1', 'null', '{"a":1}', '[{}]', '{"a":{"b":{}}}', '[[],[]]'];

/** Grows every line, value and short range of the small seeds of a format, and measures what the tape then keeps. */
export async function worstOf(format: TapeFormat, seeds: Seeds, { size, budget }: Choice): Promise<Worst> {
  let worst: Worst = { format: format.id, ratio: 0, isWithin: true, interactions: 0, piece: '', tried: 0 };
  let tried = 0;
  const known = new Set<string>();
  const end = performance.now() + budget;
  for (const candidate of interleaved([...seeds.small, ...seeds.large].map((seed) => grownFiles(seed, size)))) {
    if (performance.now() > end) break;
    const { seed, piece } = candidate;
    const input = Buffer.from(seed.bytes);
    const name = `${seed.path} ${piece}`;
    if (known.has(name)) continue;
    known.add(name);
    const text = unpackedBytes(seed.path, input);
    tried += 1;
    let kept = await keptBytes(format, seed.path, input, worst.ratio * text);
    // Some of it may be for code that was not compiled before.
    if (kept > worst.ratio * text) kept = Math.min(kept, await keptBytes(format, seed.path, input, worst.ratio * text));
    const ratio = kept / Math.max(1, text);
    if (ratio <= worst.ratio) continue;
    const { interactions } = format.read(decodeTapeFile(seed.path, input));
    const isWithin = kept <= mostKept(seed.path, input);
    worst = { format: format.id, ratio, isWithin, interactions: interactions.length, piece, tried };
  }
  return { ...worst, tried };
}

export function chosen({ corpus, formats: ids }: Choice): readonly (readonly [TapeFormat, Seeds])[] {
  const seeds = seedFiles(corpus);
  return formats
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .map((format) => [format, seeds.get(format.id) ?? { small: [], large: [] }]);
}

interface Grown {
  readonly seed: SeedFile;
  readonly piece: string;
}

/** One of each in turn: time may not be enough for all. */
function* interleaved<T>(lists: readonly Generator<T>[]): Generator<T> {
  let open = lists;
  while (open.length > 0) {
    const left: Generator<T>[] = [];
    for (const list of open) {
      const { done, value } = list.next();
      if (done) continue;
      yield value;
      left.push(list);
    }
    open = left;
  }
}

function* grownFiles(seed: SeedFile, size: number): Generator<Grown> {
  const unpacked = unpack(seed);
  if (unpacked === undefined) return;
  const text = Buffer.from(unpacked.bytes).toString('latin1');
  for (const { start, end, piece } of pieces(text)) {
    const times = Math.max(1, Math.floor((size - text.length) / piece.length));
    const grown = text.slice(0, start) + piece.repeat(times) + text.slice(end);
    yield { seed: { path: seed.path, bytes: unpacked.pack(Buffer.from(grown, 'latin1')) }, piece };
  }
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly piece: string;
}

/** What is repeated, in place of what: lines; tiny values at the start of lists; and a few bytes around each line. */
function* pieces(text: string): Generator<Piece> {
  const starts = [...text.matchAll(/^/gm)].map(({ index }) => index);
  for (const match of text.matchAll(/\[\s*(?=[\]{["\d-])/g)) {
    const start = match.index + match[0].length;
    const isEmpty = text[start] === ']';
    for (const token of TOKENS)
      yield { start, end: start, piece: isEmpty ? `${token},${token},`.slice(0, -1) : `${token},` };
  }
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? text.length;
    const line = text.slice(start, end);
    if (line.trim() === '') continue;
    const whole = line.endsWith('\n') ? line : `${line}\n`;
    yield { start: end, end, piece: whole };
    const indent = /^[ -]*/.exec(line)?.[0] ?? '';
    if (indent.includes('-'))
      for (const item of ['{}', '[]', 'a', '', '{a: {}}', 'a: 1'])
        yield { start, end: start, piece: `${indent}${item}\n` };
    for (const length of [3, 6, 9, 14, 20, 30])
      if (length < whole.length) {
        yield { start: end, end, piece: whole.slice(-length) };
        yield { start: start + length, end: start + length, piece: line.slice(0, length) };
      }
  }
}

/** What is packed is grown inside. */
function unpack({ bytes }: SeedFile): { bytes: Uint8Array; pack(grown: Uint8Array): Uint8Array } | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { bytes: gunzipSync(bytes), pack: (grown) => gzipSync(grown) };
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return { bytes, pack: (grown) => grown };
  try {
    const entries = unzipSync(bytes);
    const [name, entry] = Object.entries(entries).find(([key]) => key.startsWith('samples/')) ?? [];
    if (name === undefined || entry === undefined) return undefined;
    return { bytes: entry, pack: (grown) => zipSync({ ...entries, [name]: grown }, { level: 0 }) };
  } catch {
    return undefined;
  }
}
