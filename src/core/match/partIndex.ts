import type { Signature, Sketches } from './signature';

/** Lists of numbers, one after the other: list `n` is from `starts[n]` up to `starts[n + 1]` in `items`. */
export interface NumberLists {
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

/**
 * The parts of recorded requests: what a search for the nearest of them reads, as lists of numbers that are the same in memory and in
 * a file. A part is known by the place of its digest.
 */
export interface PartIndex {
  /** Of all parts, each once, in rising order. */
  readonly digests: Float64Array;
  /** By part; empty for one that is not compared by its words. */
  readonly sketches: NumberLists;
  /** By part: the recordings that contain it. */
  readonly holders: NumberLists;
  /** By recording: its messages, then its long parameters. */
  readonly texts: NumberLists;
  /** By recording: how many of its texts are messages. */
  readonly messages: Uint32Array;
  /** By recording. */
  readonly tools: NumberLists;
  /** By recording: the model and the parameters, the long ones as well. */
  readonly settings: NumberLists;
  /** By recording: the place of its address in `names`. */
  readonly addresses: Uint32Array;
  readonly names: readonly string[];
}

export function indexParts(signatures: readonly Signature[], sketches: Sketches): PartIndex {
  const digests = Float64Array.from(new Set(signatures.flatMap(partsOf))).sort();
  const places = new Map<number, number>();
  for (const [place, digest] of digests.entries()) places.set(digest, place);
  const placesOf = (list: readonly number[]): number[] => list.map((digest) => places.get(digest) ?? 0);
  const names = [...new Set(signatures.map(({ address }) => address))];
  const numbers = new Map(names.map((name, number) => [name, number]));
  return {
    digests,
    sketches: numberLists(Array.from(digests, (digest) => sketches.get(digest) ?? [])),
    holders: holdersOf(
      signatures.map((signature) => new Set(placesOf(partsOf(signature)))),
      digests.length,
    ),
    texts: numberLists(signatures.map((signature) => placesOf(textsOf(signature, sketches)))),
    messages: Uint32Array.from(signatures, ({ messages }) => messages.length),
    tools: numberLists(signatures.map(({ tools }) => placesOf(tools))),
    settings: numberLists(signatures.map(({ settings }) => placesOf(settings))),
    addresses: Uint32Array.from(signatures, ({ address }) => numbers.get(address) ?? 0),
    names,
  };
}

/** The digests of the parts that are compared by their words: all messages, and the parameters with a sketch. */
export function textsOf({ messages, settings }: Signature, sketches: Sketches): readonly number[] {
  return [...messages, ...settings.filter((digest) => sketches.has(digest))];
}

/** The digests of all parts. */
export function partsOf({ messages, tools, settings }: Signature): readonly number[] {
  return [...messages, ...tools, ...settings];
}

/** The place of a digest; -1 where no recording has the part. */
export function placeOfPart({ digests }: PartIndex, digest: number): number {
  let low = 0;
  let high = digests.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((digests[middle] ?? 0) < digest) low = middle + 1;
    else high = middle;
  }
  return digests[low] === digest ? low : -1;
}

/** The sketch of a part; undefined where it has none, or no words. */
export function sketchOfPart({ sketches }: PartIndex, part: number): readonly number[] | undefined {
  const sketch = part === -1 ? [] : Array.from(listAt(sketches, part));
  return sketch.length === 0 ? undefined : sketch;
}

function numberLists(lists: readonly (readonly number[])[]): NumberLists {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  const items = new Uint32Array(starts[lists.length] ?? 0);
  for (const [at, list] of lists.entries()) items.set(list, starts[at]);
  return { starts, items };
}

export function listAt({ starts, items }: NumberLists, at: number): Uint32Array {
  return items.subarray(starts[at], starts[at + 1]);
}

export function lengthAt({ starts }: NumberLists, at: number): number {
  return (starts[at + 1] ?? 0) - (starts[at] ?? 0);
}

/** Turns the parts of each recording into the recordings of each part. */
function holdersOf(recordings: readonly ReadonlySet<number>[], parts: number): NumberLists {
  const starts = new Uint32Array(parts + 1);
  for (const places of recordings) for (const part of places) starts[part + 1] = (starts[part + 1] ?? 0) + 1;
  for (let part = 0; part < parts; part += 1) starts[part + 1] = (starts[part + 1] ?? 0) + (starts[part] ?? 0);
  const items = new Uint32Array(starts[parts] ?? 0);
  const next = starts.slice();
  for (const [recording, places] of recordings.entries())
    for (const part of places) {
      const at = next[part] ?? 0;
      items[at] = recording;
      next[part] = at + 1;
    }
  return { starts, items };
}
