import { canonicalJson } from '../json/canonicalJson';
import { asRecord } from '../json/fields';
import { isRecord, type Json } from '../json/json';
import { isCovered, type PointerPattern, parsePointer, patternsAt, patternsBelow } from '../json/jsonPointer';
import type { Mask, MaskedOrder } from '../model/case';
import type { ProtocolId } from '../model/interaction';
import { PROTOCOLS } from '../wire/registry';
import type { RequestPart, RequestParts } from './requestParts';

/** A request in which what stands in an order that the masks leave out stands in one of ours. */
export function withoutMaskedOrder(parts: RequestParts, masks: readonly Mask[]): RequestParts {
  const hasMask = (order: MaskedOrder) => masks.some((mask) => mask.type === 'order' && mask.order === order);
  const tools = hasMask('tool-order') ? sortedTools(parts.tools) : parts.tools;
  const { params, messages } = hasMask('result-order') ? sortedResults(parts) : parts;
  return { ...parts, tools, params, messages };
}

/** By name. Where a tool stands is the same for all: Gemini may have several lists of them. */
function sortedTools(tools: readonly RequestPart[]): readonly RequestPart[] {
  const placed = tools.map((tool) => ({ ...tool, place: tool.path.filter((key) => typeof key === 'string') }));
  return sortedBy(placed, ({ name, value }) => `${name} ${canonicalJson(value)}`);
}

interface ResultPlaces {
  readonly ids: readonly PointerPattern[];
  readonly results: readonly PointerPattern[];
}

const PLACES: ReadonlyMap<ProtocolId | undefined, ResultPlaces> = new Map(
  PROTOCOLS.map(({ id, callIds = [], results = [] }) => [
    id,
    { ids: callIds.map(parsePointer), results: results.map(parsePointer) },
  ]),
);

/** Results beside each other, in the order of their calls; those of which no call is known, in that of their text. */
function sortedResults(parts: RequestParts): Pick<RequestParts, 'params' | 'messages'> {
  const { protocol, messages } = parts;
  const places = PLACES.get(protocol);
  if (places === undefined || places.results.length === 0) return parts;
  const order = new ResultOrder();
  const sorted = messages.map((part) => {
    const open = { ids: patternsAt(places.ids, part.path), results: patternsAt(places.results, part.path) };
    const value = order.sortInside(part.value, open);
    const key = order.keyOf(value, open);
    return { part: value === part.value ? part : { ...part, value }, key };
  });
  const inOrder = runsOf(sorted).flatMap((run) => {
    const slots = run.map(({ part }) => part);
    return sortedBy(run, ({ key = '' }) => key).map(({ part }, index) => inSlot(part, slots[index] ?? part));
  });
  // Some protocols send results alone, beside the conversation.
  return { params: asRecord(order.sortInside(parts.params, places)), messages: inOrder };
}

/** What a message says where another one stood. */
function inSlot(part: RequestPart, slot: RequestPart): RequestPart {
  return part === slot ? part : { ...part, place: slot.place ?? slot.path };
}

class ResultOrder {
  /** The ids of calls, numbered as they come. */
  readonly #calls = new Map<string, number>();

  /** A key that orders the result which `value` is, or is all of; undefined for anything else. Remembers the calls in it. */
  keyOf(value: Json, { ids, results }: ResultPlaces): string | undefined {
    const isResult = results.length > 0 && (hasMark(value, results) || isAllResults(value, results));
    const own = idsIn(value, ids);
    if (isResult) {
      const [first = ''] = own;
      return `${String(this.#calls.get(first) ?? this.#calls.size).padStart(8, '0')} ${canonicalJson(value)}`;
    }
    for (const id of own) if (!this.#calls.has(id)) this.#calls.set(id, this.#calls.size);
    return undefined;
  }

  /** A message with the results among its blocks in order. */
  sortInside(value: Json, { ids, results }: ResultPlaces): Json {
    if (!isRecord(value)) return value;
    for (const [name, member] of Object.entries(value)) {
      const open = patternsBelow(results, name);
      if (!Array.isArray(member) || member.length < 2 || open.length === 0) continue;
      const inside = patternsBelow(ids, name);
      const keyed = member.map((item, index) => {
        const places = { ids: patternsBelow(inside, `${index}`), results: patternsBelow(open, `${index}`) };
        return { item, key: hasMark(item, places.results) ? this.keyOf(item, places) : undefined };
      });
      const sorted = runsOf(keyed).flatMap((run) => sortedBy(run, ({ key = '' }) => key).map(({ item }) => item));
      if (sorted.some((item, index) => item !== member[index])) return { ...value, [name]: sorted };
    }
    return value;
  }
}

/** Items with a key beside each other are a list; any other is alone. */
function runsOf<T extends { readonly key: string | undefined }>(items: readonly T[]): readonly T[][] {
  const runs: T[][] = [];
  for (const [at, item] of items.entries()) {
    const isNext = item.key !== undefined && at > 0 && items[at - 1]?.key !== undefined;
    if (isNext) runs.at(-1)?.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** Whether an element has what only results have; the pointers end in it. */
function hasMark(value: Json, results: readonly PointerPattern[]): boolean {
  return results.some(
    (path) => path.length > 0 && !path.includes('*') && isRecord(value) && markAt(value, path) !== undefined,
  );
}

function markAt(value: Json, path: PointerPattern): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => (at !== undefined && isRecord(at) ? at[key] : undefined), value);
}

/** Some clients send each result in a message of its own. */
function isAllResults(value: Json, results: readonly PointerPattern[]): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const open = patternsBelow(results, name);
    return (
      open.length > 0 &&
      Array.isArray(member) &&
      member.length > 0 &&
      member.every((item, index) => hasMark(item, patternsBelow(open, `${index}`)))
    );
  });
}

function idsIn(value: Json, open: readonly PointerPattern[]): readonly string[] {
  if (open.length === 0) return [];
  if (typeof value === 'string') return isCovered(open) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => idsIn(item, patternsBelow(open, `${index}`)));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => idsIn(item, patternsBelow(open, name)));
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed
    .sort((left, right) => Number(left.key > right.key) - Number(left.key < right.key))
    .map(({ item }) => item);
}
