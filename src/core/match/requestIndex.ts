import { asCount, asList, asString } from '../json/fields';
import { isRecord, type Json, type JsonRecord } from '../json/json';
import { parseJson } from '../json/readJson';
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

/** The index in a text; undefined if that is none. */
export function readRequestIndex(text: string): RequestIndex | undefined {
  const written = parseJson(text);
  if (!isRecord(written)) return undefined;
  const digests = asList(written.digests);
  const lists = asList(written.sketches);
  const requests = asList(written.requests).map((row) => readRow(asList(row), written));
  if (!digests.every(isNumber) || !requests.every((request) => request !== undefined)) return undefined;
  const sketches: Sketches = new Map();
  for (const [at, digest] of digests.entries()) {
    const sketch = lists[at];
    if (Array.isArray(sketch) && sketch.every(isNumber)) sketches.set(digest, sketch);
  }
  return { requests, sketches };
}

function readRow(row: readonly Json[], written: JsonRecord): IndexedRequest | undefined {
  const [index, kind, address, host, place, key, plainKey, ...lists] = row;
  const digests = asList(written.digests);
  const nameAt = (at: Json | undefined) => asString(asList(written.names)[asCount(at) ?? -1]);
  const [messages, tools, settings] = lists.map((list) => asList(list).map((at) => digests[asCount(at) ?? -1] ?? null));
  const position = asCount(index);
  const kindOf = asString(kind);
  const own = asString(key);
  if (position === undefined || own === undefined || kindOf === undefined || !isRequestKind(kindOf)) return undefined;
  if (!messages?.every(isNumber) || !tools?.every(isNumber) || !settings?.every(isNumber)) return undefined;
  const [named, at] = [nameAt(address), nameAt(host)];
  const signature = { key: own, plainKey: asString(plainKey) ?? own, address: nameAt(place) ?? '' };
  return {
    index: position,
    kind: kindOf,
    ...(named !== undefined && { address: named }),
    ...(at !== undefined && { host: at }),
    signature: { ...signature, messages, tools, settings },
  };
}

function isNumber(value: Json): value is number {
  return typeof value === 'number';
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
