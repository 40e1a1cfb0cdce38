import { diffArrays } from 'diff';
import { diffValues, type ValueDifference } from '../diff/diffValues';
import { pairSimilar } from '../diff/orderedPairs';
import { sketchSimilarity, sketchText } from '../diff/similarity';
import { canonicalJson } from '../json/canonicalJson';
import { type Json, type JsonRecord, jsonEqual } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import type { RequestPart, RequestParts } from './requestParts';

/** Places in the body: `from` in the recording, `to` in the request that was made now. */
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

/** What differs between a recorded request and one that was made now. */
export interface RequestChanges {
  readonly address?: { readonly before: string; readonly after: string };
  readonly model?: { readonly before?: string; readonly after?: string };
  /** Paths are from the body; those of the query begin with a name that begins with `?`. */
  readonly params: readonly ValueDifference[];
  readonly messages: readonly MessageChange[];
  readonly tools: readonly ToolChange[];
}

export function countChanges({ address, model, params, messages, tools }: RequestChanges): number {
  return Number(address !== undefined) + Number(model !== undefined) + params.length + messages.length + tools.length;
}

/** Everything in which a request differs from a recorded one, in the parts that people know a request by. */
export function compareRequests(recorded: RequestParts, now: RequestParts): RequestChanges {
  return {
    ...changed('address', recorded.address, now.address),
    ...changed('model', recorded.model, now.model),
    params: diffValues(recorded.params, now.params),
    messages: alignMessages(recorded.messages, now.messages),
    tools: toolChanges(recorded.tools, now.tools),
  };
}

function changed<K extends string>(key: K, before: string | undefined, after: string | undefined): JsonRecord {
  return before === after
    ? {}
    : { [key]: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) } };
}

function toolChanges(recorded: readonly RequestPart[], now: readonly RequestPart[]): ToolChange[] {
  const [before, after] = [byName(recorded), byName(now)];
  const removed = [...before].filter(([key]) => !after.has(key));
  const added = [...after].filter(([key]) => !before.has(key));
  const kept = [...before.keys()].filter((key) => after.has(key));
  const changes = kept.flatMap((key): ToolChange[] => {
    const [old, current] = [before.get(key), after.get(key)];
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

/** The second tool of a name is another tool. */
function byName(tools: readonly RequestPart[]): Map<string, RequestPart> {
  const named = new Map<string, RequestPart>();
  for (const tool of tools) {
    let key = tool.name;
    for (let count = 2; named.has(key); count += 1) key = `${tool.name}\n${count}`;
    named.set(key, tool);
  }
  return named;
}

/** The first that is not where it was stands for all that follow from it. */
function movedTools(
  before: readonly string[],
  after: readonly string[],
  tools: ReadonlyMap<string, RequestPart>,
): ToolChange[] {
  const at = before.findIndex((key, index) => key !== after[index]);
  const name = at === -1 ? undefined : tools.get(after[at] ?? '')?.name;
  return name === undefined ? [] : [{ type: 'moved', name }];
}

/** A message with its text. */
interface MessageWithText {
  readonly message: RequestPart;
  readonly text: string;
}

/** Aligning may take quadratic time; after so many milliseconds what is left counts as one gap. */
const TIMEOUT_MS = 500;

/**
 * How the messages of a conversation differ from those that were recorded: first what is the same is found, then in the
 * gaps between, what is most alike counts as edited, and what is left as added or removed.
 */
export function alignMessages(recorded: readonly RequestPart[], now: readonly RequestPart[]): MessageChange[] {
  const [recordedOnly, nowOnly] = withoutCommonEnds(recorded, now);
  const [before, after] = [recordedOnly.map(withText), nowOnly.map(withText)];
  const changes: MessageChange[] = [];
  const gap: { before: MessageWithText[]; after: MessageWithText[] } = { before: [], after: [] };
  const close = () => {
    changes.push(...gapChanges(gap.before, gap.after));
    gap.before = [];
    gap.after = [];
  };
  let [from, to] = [0, 0];
  for (const { added, removed, count } of diffRuns(before, after)) {
    if (added) gap.after.push(...after.slice(to, to + count));
    else if (removed) gap.before.push(...before.slice(from, from + count));
    else close();
    if (!added) from += count;
    if (!removed) to += count;
  }
  close();
  return joinMoved(changes);
}

/** Most conversations differ in one place: what is before and behind it need not be looked at closely. */
function withoutCommonEnds(
  recorded: readonly RequestPart[],
  now: readonly RequestPart[],
): [readonly RequestPart[], readonly RequestPart[]] {
  const shorter = Math.min(recorded.length, now.length);
  let start = 0;
  while (start < shorter && isSame(recorded[start], now[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(recorded.at(-1 - end), now.at(-1 - end))) end += 1;
  return [recorded.slice(start, recorded.length - end), now.slice(start, now.length - end)];
}

function isSame(left: RequestPart | undefined, right: RequestPart | undefined): boolean {
  return left?.name === right?.name && jsonEqual(left?.value, right?.value);
}

function withText(message: RequestPart): MessageWithText {
  return { message, text: canonicalJson(message.value) };
}

function diffRuns(before: readonly MessageWithText[], after: readonly MessageWithText[]) {
  const texts = (list: readonly MessageWithText[]) => list.map(({ text }) => text);
  const whole = [
    { added: false, removed: true, count: before.length },
    { added: true, removed: false, count: after.length },
  ];
  return diffArrays(texts(before), texts(after), { timeout: TIMEOUT_MS }) ?? whole;
}

/** Beyond this, what is alike is not looked for: the conversation is another one. */
const LARGEST_GAP = 200;

function gapChanges(before: readonly MessageWithText[], after: readonly MessageWithText[]): MessageChange[] {
  const pairs = before.length * after.length > LARGEST_GAP ** 2 ? [] : pairSimilar(before, after, distance);
  const matched = new Map(pairs.map(([left, right]) => [right, left]));
  const kept = new Set(pairs.map(([left]) => left));
  const lost = before.filter((item) => !kept.has(item));
  return [
    ...lost.map(
      ({ message: { name, value, path } }): MessageChange => ({ type: 'removed', from: path, role: name, value }),
    ),
    ...after.map((item): MessageChange => {
      const { message } = item;
      const old = matched.get(item);
      if (old === undefined) return { type: 'added', to: message.path, role: message.name, value: message.value };
      const values = diffValues(old.message.value, message.value);
      return { type: 'edited', from: old.message.path, to: message.path, role: message.name, values };
    }),
  ];
}

/** From 0 for the same to 1 for nothing in common; messages of different roles are not the same message. */
function distance(before: MessageWithText, after: MessageWithText): number {
  if (before.message.name !== after.message.name) return Number.POSITIVE_INFINITY;
  return 1 - sketchSimilarity(sketchText(before.text), sketchText(after.text));
}

/** What was taken away in one place and stands in another was moved. */
function joinMoved(changes: readonly MessageChange[]): MessageChange[] {
  const lost = new Map<string, MessageChange & { type: 'removed' }>();
  for (const change of changes) if (change.type === 'removed') lost.set(canonicalJson(change.value), change);
  if (lost.size === 0) return [...changes];
  const found = new Set<MessageChange>();
  const moved = changes.map((change): MessageChange => {
    const old = change.type === 'added' ? lost.get(canonicalJson(change.value)) : undefined;
    if (change.type !== 'added' || old === undefined || found.has(old)) return change;
    found.add(old);
    return { ...change, type: 'moved', from: old.from };
  });
  return moved.filter((change) => !found.has(change));
}
