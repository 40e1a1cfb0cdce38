import { isSameBase64 } from '../../bytes/base64';
import { diffValues, type ValueDifference } from '../../diff/diffValues';
import { digest53 } from '../../hash/digest53';
import { isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import { comparableFromExchange } from '../../match/comparableRequest';
import { compareRequests } from '../../match/compareRequests';
import { withCountedIds, withoutEmptyMembers } from '../../match/meaning';
import { type RequestPart, type RequestParts, requestParts } from '../../match/requestParts';
import type { HttpBody, HttpExchange } from '../../model/http';
import type { Interaction } from '../../model/interaction';
import type { ChatResponse } from '../../model/message';
import { decodeBody } from '../../wire/body/body';
import { vectorsByPlace } from '../../wire/embeddings/index';
import type { Protocol } from '../../wire/protocol';
import { protocolById } from '../../wire/registry';
import { type Difference, differenceOf, ORDER_OF_PARTS } from './difference';
import type { Normaliser } from './normaliser';
import { isRecordingNoise } from './recordingNoise';

/** The differences that two readings of a part of a request show elsewhere. */
type CompareRead = (before: JsonRecord, after: JsonRecord) => readonly Difference[];

/**
 * The differences between two calls of a model that their meaning does not show: members that the protocol's reader passes over,
 * such as `cache_control`. Whatever makes a request another one for matching is here, if it is nowhere else.
 */
export function compareDetails(
  before: Interaction,
  after: Interaction,
  normaliser: Normaliser,
  readWith: (protocol: Protocol) => CompareRead,
) {
  const protocol = protocolById(before.api);
  const [old, now] = [before.http, after.http];
  if (protocol === undefined || before.api !== after.api || old === undefined || now === undefined) return [];
  return [
    ...requestDetails(old, now, readWith(protocol)),
    ...responseDetails(old, now, protocol, before.response, after.response, normaliser),
  ];
}

function requestDetails(old: HttpExchange, now: HttpExchange, compare: CompareRead): readonly Difference[] {
  if (isSameBody(old.requestBody, now.requestBody)) return [];
  const [before, after] = [meaningOf(old), meaningOf(now)];
  const { params, messages, tools } = compareRequests(before, after);
  const unseenParams = params.filter(
    (one) => compare(bodyWith(one.path, one.before), bodyWith(one.path, one.after)).length === 0,
  );
  return [
    ...unseenParams.map(detail),
    ...messages.flatMap((change) =>
      change.type === 'edited' ? partDetails(before.messages, after.messages, change.from, change.to, compare) : [],
    ),
    ...tools.flatMap((change) => {
      if (change.type !== 'changed') return [];
      const [from, to] = [before.tools, after.tools].map((list) => list.find(({ name }) => name === change.name)?.path);
      return from && to ? partDetails(before.tools, after.tools, from, to, compare) : [];
    }),
  ];
}

function meaningOf(exchange: HttpExchange): RequestParts {
  return withCountedIds(withoutEmptyMembers(requestParts(comparableFromExchange(exchange))));
}

/** What is unseen in a message or tool: all of its differences together, or else single ones. */
function partDetails(
  olds: readonly RequestPart[],
  news: readonly RequestPart[],
  from: JsonPath,
  to: JsonPath,
  compare: CompareRead,
): readonly Difference[] {
  const [old, now] = [partAt(olds, from), partAt(news, to)];
  if (old === undefined || now === undefined) return [];
  const shown = (value: Json) => compare(bodyWith(to, old), bodyWith(to, value));
  const values = diffValues(old, now).slice(0, MAX_VALUES);
  const all = shown(now);
  // Parts in another order have nothing to do with those that were at their places.
  if (all.some(({ name }) => name === ORDER_OF_PARTS)) return [];
  const unseen =
    all.length === 0 ? values : values.filter((one) => shown(withValue(old, one.path, one.after)).length === 0);
  return unseen.map((one) => detail({ ...one, path: [...to, ...one.path] }));
}

const MAX_VALUES = 50;

function partAt(parts: readonly RequestPart[], path: JsonPath): Json | undefined {
  return parts.find((part) => jsonEqual(part.path, path))?.value;
}

function detail({ path, before, after }: ValueDifference): Difference {
  const name = String(path.findLast((key) => typeof key === 'string') ?? 'request details');
  return differenceOf('part', ['request', 'body', ...path], before, after, { name, given: 'context', isWire: true });
}

/** A body with only this value in it; items of lists come first. */
function bodyWith(path: JsonPath, value: Json | undefined): JsonRecord {
  const body = path.reduceRight<Json | undefined>(
    (inner, key) => (inner === undefined ? undefined : typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  );
  return isRecord(body) ? body : {};
}

/** The value with another one at a path; without it, if that is undefined. */
function withValue(whole: Json, [key, ...rest]: JsonPath, value: Json | undefined): Json {
  if (key === undefined) return value ?? null;
  if (Array.isArray(whole))
    return whole.map((item, index) => (index === Number(key) ? withValue(item, rest, value) : item));
  if (!isRecord(whole)) return whole;
  const { [key]: old, ...others } = whole;
  if (rest.length === 0) return value === undefined ? others : { ...whole, [key]: value };
  return { ...whole, [key]: withValue(old ?? null, rest, value) };
}

/** Members of a response that the agent may act on. */
const MEANT: ReadonlySet<string> = new Set(['stop_sequence', 'stopSequence', 'finishMessage', 'finish_message']);
/** Members of a stream that no reader joins. */
const UNJOINED =
  /"(?:system_fingerprint|service_?tier|logprobs(?:Result)?|avgLogprobs|safety_?ratings|stop_?sequence|finish_?message)"/i;

function responseDetails(
  old: HttpExchange,
  now: HttpExchange,
  protocol: Protocol,
  before: ChatResponse | undefined,
  after: ChatResponse | undefined,
  normaliser: Normaliser,
): readonly Difference[] {
  if (isSameBody(old.responseBody, now.responseBody)) return [];
  if (protocol.kind === 'embedding') return compareVectors(jsonOf(old) ?? null, jsonOf(now) ?? null);
  const found =
    before?.chunks || after?.chunks
      ? diffValues(streamMembers(before), streamMembers(after))
      : unreadValues(jsonOf(old), jsonOf(now), protocol);
  const nameOf = ({ path }: ValueDifference) => String(path.findLast((key) => typeof key === 'string'));
  const unmeant = found.filter((one) => !MEANT.has(nameOf(one)));
  const isNoise = (one: ValueDifference): boolean =>
    isRecordingNoise(['response', 'body', ...one.path], one.before, one.after, normaliser);
  const others = unmeant.filter(isNoise);
  return [
    ...unmeant
      .filter((one) => !isNoise(one))
      .map((one) =>
        differenceOf('part', ['response', 'body', ...one.path], one.before, one.after, {
          name: nameOf(one),
          isWire: true,
        }),
      ),
    ...found
      .filter((one) => MEANT.has(nameOf(one)))
      .map(({ path, before: from, after: to }) =>
        differenceOf('finish', ['response', 'body', ...path], present(from), present(to), {
          name: spaced(nameOf({ path })),
        }),
      ),
    ...(others.length === 0
      ? []
      : responseDetail(['response', 'body'], listed(others, 'before'), listed(others, 'after'))),
  ];
}

/** What a provider says around a response, which is ignored. */
function responseDetail(path: JsonPath, before: Json | undefined, after: Json | undefined): readonly Difference[] {
  if (jsonEqual(before, after)) return [];
  return [differenceOf('details', path, before, after, { name: 'response details', rules: ['response details'] })];
}

/** How far a service moves a vector that it computes again, as a part of the vector's length: all of it, and one number. */
const MAX_DISTANCE = 0.045;
const MAX_STEP = 0.01;
/** Numbers of a vector that are shown. */
const SHOWN_NUMBERS = 8;

/** Compares vectors number by number. Their count and dimensions are read, and compared elsewhere. */
function compareVectors(old: Json, now: Json): readonly Difference[] {
  const [before, after] = [vectorsByPlace(old), vectorsByPlace(now)];
  const places = [...new Set([...before.keys(), ...after.keys()])].filter(
    (place) => !jsonEqual(before.get(place), after.get(place)),
  );
  const shown = (side: typeof before, other: typeof before): Json | undefined => {
    const vectors = places.flatMap((place) => {
      const numbers = side.get(place);
      return numbers === undefined ? [] : [[place, vectorShape(numbers, other.get(place) ?? [])] as const];
    });
    return vectors.length === 0 ? undefined : Object.fromEntries(vectors);
  };
  const [from, to] = [shown(before, after), shown(after, before)];
  const isRecomputed = places.every((place) => isSameVector(before.get(place) ?? [], after.get(place) ?? []));
  if (isRecomputed) return responseDetail(['response', 'body', 'vectors'], from, to);
  return [differenceOf('part', ['response', 'vectors'], from, to, { name: 'embeddings' })];
}

/** Whether a vector is another one only in what a service computes a little differently each time. */
function isSameVector(before: readonly number[], after: readonly number[]): boolean {
  if (before.length !== after.length) return false;
  const steps = before.map((value, at) => Math.abs(value - (after[at] ?? 0)));
  const length = Math.max(lengthOf(before), lengthOf(after));
  return lengthOf(steps) <= MAX_DISTANCE * length && steps.every((step) => step <= MAX_STEP * length);
}

function lengthOf(vector: readonly number[]): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

/** The first numbers from the first on that differs, and a digest of all. */
function vectorShape(numbers: readonly number[], others: readonly number[]): JsonRecord {
  const differing = [...numbers.keys()].filter((at) => numbers[at] !== others[at]);
  const [first = 0] = differing;
  return {
    differing: `${differing.length} of ${numbers.length} numbers`,
    [`from number ${first + 1}`]: numbers.slice(first, first + SHOWN_NUMBERS),
    digest: digest53(numbers.join()).toString(36),
  };
}

function present(value: Json | undefined): Json | undefined {
  return value === null ? undefined : value;
}

/** `stop_sequence` and `stopSequence` as "stop sequence". */
function spaced(name: string): string {
  return name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase();
}

function listed(values: readonly ValueDifference[], side: 'before' | 'after'): Json {
  return Object.fromEntries(
    values.flatMap((one) => (one[side] === undefined ? [] : [[one.path.join('.'), one[side]]])),
  );
}

function jsonOf({ responseBody, responseHeaders }: HttpExchange): Json | undefined {
  return decodeBody(responseBody, responseHeaders).json;
}

/** The differences that reading does not show. */
function unreadValues(old: Json | undefined, now: Json | undefined, protocol: Protocol): readonly ValueDifference[] {
  if (old === undefined || now === undefined) return [];
  const read = protocol.readResponse(old);
  const all = diffValues(old, now);
  const isUnread = (one: ValueDifference): boolean =>
    MEANT.has(String(one.path.at(-1))) || jsonEqual(read, protocol.readResponse(withValue(old, one.path, one.after)));
  // To try whether each of many is read takes long: the others are shown, read or not.
  return [...all.slice(0, MAX_VALUES).filter(isUnread), ...all.slice(MAX_VALUES)];
}

/** The last value of each member that no reader joins, by its name. */
function streamMembers(response: ChatResponse | undefined): JsonRecord {
  const members: Record<string, Json> = {};
  const collect = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        if (UNJOINED.test(`"${name}"`) && member !== null) members[name] = member;
        else collect(member);
      }
  };
  for (const { data } of response?.chunks ?? []) if (UNJOINED.test(data)) collect(parseJson(data) ?? null);
  return members;
}

function isSameBody(before: HttpBody, after: HttpBody): boolean {
  if (before.type === 'text' && after.type === 'text') return before.text === after.text;
  if (before.type === 'base64' && after.type === 'base64') return isSameBase64(before.base64, after.base64);
  return before.type === after.type && jsonEqual(before, after);
}
