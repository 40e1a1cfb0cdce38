import { commonEnds, commonSubsequence, gapsBetween } from '../diff/commonOrder';
import { diffValues, type ValueDifference } from '../diff/diffValues';
import { KeyedQueues } from '../diff/keyedQueues';
import { pairSimilar } from '../diff/orderedPairs';
import { sketchSimilarity, sketchText } from '../diff/similarity';
import { canonicalJson } from '../json/canonicalJson';
import { type Json, type JsonRecord, jsonEqual } from '../json/json';
import { type JsonPath, valueAt } from '../json/jsonPath';
import type { RequestPart, RequestParts } from './requestParts';

/** Paths are from the body: `from` in the recording, `to` in the new request. */
export type MessageChange =
  | { readonly type: 'added'; readonly to: JsonPath; readonly role: string; readonly value: Json }
  | { readonly type: 'removed'; readonly from: JsonPath; readonly role: string; readonly value: Json }
  | {
      readonly type: 'moved';
      readonly from: JsonPath;
      readonly to: JsonPath;
      readonly role: string;
      readonly value: Json;
    }
  | {
      readonly type: 'edited';
      readonly from: JsonPath;
      readonly to: JsonPath;
      readonly role: string;
      readonly values: readonly ValueDifference[];
    };

export type ToolChange =
  | { readonly type: 'added' | 'removed' | 'moved'; readonly name: string }
  /** Paths are from the definition of the tool. */
  | { readonly type: 'changed'; readonly name: string; readonly values: readonly ValueDifference[] };

/** The differences between a recorded request and a new one. */
export interface RequestChanges {
  readonly address?: { readonly before: string; readonly after: string };
  readonly model?: { readonly before?: string; readonly after?: string };
  /** Paths are from the body; those of query parameters begin with `?` and the name. */
  readonly params: readonly ValueDifference[];
  readonly messages: readonly MessageChange[];
  readonly tools: readonly ToolChange[];
}

export function countChanges({ address, model, params, messages, tools }: RequestChanges): number {
  return Number(address !== undefined) + Number(model !== undefined) + params.length + messages.length + tools.length;
}

/** Compares a request with a recorded one, part by part. */
export function compareRequests(recorded: RequestParts, now: RequestParts): RequestChanges {
  return comparisonWith(now)(recorded);
}

/** Compares recorded requests with a request, whose messages are written and sketched once for all of them. */
export function comparisonWith(now: RequestParts): (recorded: RequestParts) => RequestChanges {
  const messages = now.messages.map((message) => new ComparedMessage(message));
  return (recorded) => ({
    ...changed('address', recorded.address, now.address),
    ...changed('model', recorded.model, now.model),
    params: diffValues(withoutSameModel(recorded, now), withoutSameModel(now, recorded)).map(
      ({ path, before = defaultAt(recorded, path), after = defaultAt(now, path) }) => ({
        path,
        ...present('before', before),
        ...present('after', after),
      }),
    ),
    messages: alignMessages(
      recorded.messages.map((message) => new ComparedMessage(message)),
      messages,
    ),
    tools: toolChanges(recorded.tools, now.tools),
  });
}

/** The parameters without the model of the address where it changed as that of the body did: that is one change. */
function withoutSameModel({ model, params }: RequestParts, other: RequestParts): RequestParts['params'] {
  const isSame = model !== other.model && params['?model'] === model && other.params['?model'] === other.model;
  return isSame ? Object.fromEntries(Object.entries(params).filter(([name]) => name !== '?model')) : params;
}

/** A value that is written, and is not compared because it is at its default: what differs from it is not added or removed. */
function defaultAt({ written }: RequestParts, path: JsonPath): Json | undefined {
  return written && valueAt(written, path);
}

function changed<K extends string>(key: K, before: string | undefined, after: string | undefined): JsonRecord {
  return before === after ? {} : { [key]: { ...present('before', before), ...present('after', after) } };
}

function present<K extends string, T extends Json>(key: K, value: T | undefined): { readonly [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: T });
}

function toolChanges(recorded: readonly RequestPart[], now: readonly RequestPart[]): ToolChange[] {
  const before = byName(recorded);
  const after = byName(now);
  const removed = [...before].filter(([key]) => !after.has(key));
  const added = [...after].filter(([key]) => !before.has(key));
  const kept = [...before.keys()].filter((key) => after.has(key));
  const changes = kept.flatMap((key): ToolChange[] => {
    const old = before.get(key);
    const current = after.get(key);
    if (old === undefined || current === undefined) return [];
    const values = diffValues(old.value, current.value);
    return values.length === 0 ? [] : [{ type: 'changed', name: old.name, values }];
  });
  return [
    ...removed.map(([, { name }]): ToolChange => ({ type: 'removed', name })),
    ...added.map(([, { name }]): ToolChange => ({ type: 'added', name })),
    ...changes,
    ...movedTools(
      kept,
      [...after.keys()].filter((key) => before.has(key)),
      before,
    ),
  ];
}

/** Tools by name; the second tool of the same name has a key of its own. */
function byName(tools: readonly RequestPart[]): Map<string, RequestPart> {
  const named = new Map<string, RequestPart>();
  for (const tool of tools) {
    let key = tool.name;
    for (let count = 2; named.has(key); count += 1) key = `${tool.name}\n${count}`;
    named.set(key, tool);
  }
  return named;
}

/** The first tool that is out of order; its move explains the others. */
function movedTools(
  before: readonly string[],
  after: readonly string[],
  tools: ReadonlyMap<string, RequestPart>,
): ToolChange[] {
  const at = before.findIndex((key, index) => key !== after[index]);
  const name = at === -1 ? undefined : tools.get(after[at] ?? '')?.name;
  return name === undefined ? [] : [{ type: 'moved', name }];
}

/** A message with what comparing it with others needs, made when it is first needed. */
class ComparedMessage {
  #text: string | undefined;
  #sketch: readonly number[] | undefined;

  constructor(readonly message: RequestPart) {}

  get text(): string {
    this.#text ??= canonicalJson(this.message.value);
    return this.#text;
  }

  get sketch(): readonly number[] {
    this.#sketch ??= sketchText(this.text);
    return this.#sketch;
  }
}

/** Milliseconds for aligning; beyond it, all messages count as one gap. */
const TIMEOUT_MS = 500;

/**
 * The differences between the messages of a recorded conversation and of one that was sent now. Equal messages are paired
 * first; in the gaps between them, similar messages count as edited and the others as added or removed.
 */
function alignMessages(recorded: readonly ComparedMessage[], now: readonly ComparedMessage[]): MessageChange[] {
  // Most conversations differ in one place, so that little is left to compare closely.
  const { start, end } = commonEnds(recorded.length, now.length, (from, to) =>
    isSame(recorded[from]?.message, now[to]?.message),
  );
  const before = recorded.slice(start, recorded.length - end);
  const after = now.slice(start, now.length - end);
  // Most often one message differs, and nothing is to be found.
  if (before.length === 1 && after.length === 1) return gapChanges(before, after);
  const textOf = ({ text }: ComparedMessage): string => text;
  const pairs = commonSubsequence(before.map(textOf), after.map(textOf), { timeout: TIMEOUT_MS });
  return joinMoved(
    gapsBetween(pairs, before.length, after.length).flatMap((gap) =>
      gapChanges(pick(before, gap.before), pick(after, gap.after)),
    ),
  );
}

function isSame(left: RequestPart | undefined, right: RequestPart | undefined): boolean {
  return left?.name === right?.name && jsonEqual(left?.value, right?.value);
}

function pick<T>(items: readonly T[], places: readonly number[]): readonly T[] {
  return places.flatMap((place) => items[place] ?? []);
}

/** Messages on either side; in a larger gap, edited messages are not looked for. */
const LARGEST_GAP = 200;

function gapChanges(before: readonly ComparedMessage[], after: readonly ComparedMessage[]): MessageChange[] {
  const isSingle = before.length === 1 && after.length === 1;
  const pairs =
    before.length * after.length > LARGEST_GAP ** 2
      ? []
      : pairSimilar(before, after, isSingle ? roleDistance : distance);
  const origins = new Map(pairs.map(([old, now]) => [now, old]));
  const kept = new Set(pairs.map(([old]) => old));
  return [
    ...before.filter((item) => !kept.has(item)).map(({ message }) => removedMessage(message)),
    ...after.map((item) => {
      const old = origins.get(item)?.message;
      return old === undefined ? addedMessage(item.message) : editedMessage(old, item.message);
    }),
  ];
}

function removedMessage({ name, value, path }: RequestPart): MessageChange {
  return { type: 'removed', from: path, role: name, value };
}

function addedMessage({ name, value, path }: RequestPart): MessageChange {
  return { type: 'added', to: path, role: name, value };
}

function editedMessage(old: RequestPart, now: RequestPart): MessageChange {
  return { type: 'edited', from: old.path, to: now.path, role: now.name, values: diffValues(old.value, now.value) };
}

/** Nothing else is as near as the only other message. */
function roleDistance(before: ComparedMessage, after: ComparedMessage): number {
  return before.message.name === after.message.name ? 0 : Number.POSITIVE_INFINITY;
}

/** From 0 for equal texts to 1 for texts without a common word; infinite for messages of different roles. */
function distance(before: ComparedMessage, after: ComparedMessage): number {
  if (before.message.name !== after.message.name) return Number.POSITIVE_INFINITY;
  return 1 - sketchSimilarity(before.sketch, after.sketch);
}

/** Turns the removal of a message and the addition of an equal one into a move. */
function joinMoved(changes: readonly MessageChange[]): MessageChange[] {
  const removals = changes.filter((change) => change.type === 'removed');
  if (removals.length === 0) return [...changes];
  const queues = new KeyedQueues(removals.map((change) => [canonicalJson(change.value), change] as const));
  const joined = new Set<MessageChange>();
  const moved = changes.map((change): MessageChange => {
    const removal = change.type === 'added' ? queues.take(canonicalJson(change.value)) : undefined;
    if (change.type !== 'added' || removal === undefined) return change;
    joined.add(removal);
    return { ...change, type: 'moved', from: removal.from };
  });
  return moved.filter((change) => !joined.has(change));
}
