import { asCount, asList, asString } from '../json/fields';
import { isRecord, type Json } from '../json/json';
import { isRequestKind, type RecordedRequest } from './recordings';
import type { Signature, Sketches } from './signature';

/** A request on a tape, as far as a search needs it. */
export type IndexedRequest = Omit<RecordedRequest, 'wire' | 'chat' | 'key' | 'model' | 'digests'> & {
  readonly signature: Signature;
};

/**
 * What a search among the requests of a tape needs, so that they need not be read: hashes of their parts, and no text besides
 * their addresses.
 */
export interface RequestIndex {
  readonly requests: readonly IndexedRequest[];
  readonly sketches: Sketches;
}

/** The index as JSON. Parts that requests share, such as the beginning of a conversation, are written once. */
export function writeRequestIndex({ requests, sketches }: RequestIndex): string {
  const digests = new Numbered<number>();
  const names = new Numbered<string>();
  const rows = requests.map(({ index, kind, address, host, signature: { key, plainKey, ...parts } }) => [
    index,
    kind,
    address === undefined ? null : names.numberOf(address),
    host === undefined ? null : names.numberOf(host),
    names.numberOf(parts.address),
    key,
    key === plainKey ? null : plainKey,
    ...[parts.messages, parts.tools, parts.settings].map((list) => list.map((digest) => digests.numberOf(digest))),
  ]);
  const list = digests.values();
  return JSON.stringify({
    names: names.values(),
    digests: list,
    sketches: list.map((digest) => sketches.get(digest) ?? null),
    requests: rows,
  });
}

/** The index in a text; undefined if that is none. A first drift waits for this, so it is written for code that runs once. */
export function readRequestIndex(text: string): RequestIndex | undefined {
  const written = parsed(text);
  if (!isRecord(written)) return undefined;
  const names = asList(written.names);
  const digests = numbersIn(written.digests);
  if (digests === undefined) return undefined;
  const requests: IndexedRequest[] = [];
  for (const row of asList(written.requests)) {
    const request = readRow(asList(row), names, digests);
    if (request === undefined) return undefined;
    requests.push(request);
  }
  const sketches: Sketches = new Map();
  const lists = asList(written.sketches);
  for (let at = 0; at < digests.length; at += 1) {
    const sketch = numbersIn(lists[at]);
    if (sketch !== undefined) sketches.set(digests[at] ?? 0, sketch);
  }
  return { requests, sketches };
}

function readRow(row: readonly Json[], names: readonly Json[], digests: readonly number[]): IndexedRequest | undefined {
  const [position, key, kind] = [asCount(row[0]), asString(row[5]), asString(row[1])];
  const messages = digestsAt(row[7], digests);
  const tools = digestsAt(row[8], digests);
  const settings = digestsAt(row[9], digests);
  if (position === undefined || key === undefined || kind === undefined || !isRequestKind(kind)) return undefined;
  if (messages === undefined || tools === undefined || settings === undefined) return undefined;
  const [address, host, place] = [nameAt(row[2], names), nameAt(row[3], names), nameAt(row[4], names)];
  return {
    index: position,
    kind,
    ...(address !== undefined && { address }),
    ...(host !== undefined && { host }),
    signature: { key, plainKey: asString(row[6]) ?? key, address: place ?? '', messages, tools, settings },
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function nameAt(at: Json | undefined, names: readonly Json[]): string | undefined {
  return asString(names[asCount(at) ?? -1]);
}

/** The digests at the places in a list; undefined if one is nowhere. */
function digestsAt(places: Json | undefined, digests: readonly number[]): number[] | undefined {
  const found: number[] = [];
  for (const at of asList(places)) {
    const digest = typeof at === 'number' ? digests[at] : undefined;
    if (digest === undefined) return undefined;
    found.push(digest);
  }
  return found;
}

/** A list of numbers; undefined for anything else. */
function numbersIn(list: Json | undefined): readonly number[] | undefined {
  if (!Array.isArray(list)) return undefined;
  for (const item of list) if (typeof item !== 'number') return undefined;
  return list as readonly number[];
}

/** Numbers values in the order in which they are first met. */
class Numbered<T> {
  readonly #numbers = new Map<T, number>();

  numberOf(value: T): number {
    const known = this.#numbers.get(value) ?? this.#numbers.size;
    this.#numbers.set(value, known);
    return known;
  }

  values(): readonly T[] {
    return [...this.#numbers.keys()];
  }
}
