import { encodeBase64 } from '../../bytes/base64';
import { digest53 } from '../../hash/digest53';
import { compactJson, isRecord, type Json, jsonEqual } from '../../json/json';
import { type JsonPath, valueAt } from '../../json/jsonPath';
import { differingOrder } from '../../json/memberOrder';
import { parseJson } from '../../json/readJson';
import type { Chunk, HttpExchange } from '../../model/http';
import type { Interaction, Timing } from '../../model/interaction';
import type { ChatRequest, ChatResponse, ToolDefinition } from '../../model/message';
import type { NormaliseRules } from '../../model/normalise';
import type { Usage } from '../../model/usage';
import { decodeContent } from '../../wire/body/body';
import { pathWithoutModel } from '../../wire/endpoints';
import { urlPath } from '../../wire/http';
import { compareDetails } from './compareDetails';
import { compareContent, compareMessages } from './compareMessages';
import { type Difference, differenceOf, ORDER_OF_MEMBERS } from './difference';
import { compareHeaders } from './headerNoise';
import { isEqualInteraction, responseContent, SCHEMA_PARAMETERS } from './interactionShape';
import { ChangedValues, withNoise } from './noise';
import { Normaliser } from './normaliser';
import { isRecordingNoise } from './recordingNoise';
import { isRepetition } from './repetition';

/**
 * The differences between two recordings of one interaction, field by field. `changed` has the volatile values that changed in
 * earlier interactions, and gets those of this one.
 */
export function compareInteraction(
  before: Interaction,
  after: Interaction,
  normaliser: Normaliser,
  changed = new ChangedValues(),
): readonly Difference[] {
  if (isEqualInteraction(before, after)) return [];
  const candidates = [
    differenceOf('interaction', ['kind'], before.kind, after.kind),
    ...compareModel(before, after),
    ...compareRequest(before, after, normaliser),
    ...compareResponse(before.response, after.response, normaliser),
    ...compareHttp(before, after),
    ...compareDetails(
      before,
      after,
      normaliser,
      (protocol) => (old, now) => compareRead(protocol.readRequest(old), protocol.readRequest(now)),
    ),
    ...compareDeclared(before.declared ?? {}, after.declared ?? {}),
    ...recordingDifferences(before, after, normaliser),
  ];
  const differing = candidates.filter((change) => change.kind === 'moved' || !jsonEqual(change.before, change.after));
  const judged = differing.length === 0 ? differing : withNoise(differing, normaliser, changed);
  return [
    ...judged,
    ...compareStream(before.response ?? NO_RESPONSE, after.response ?? NO_RESPONSE, normaliser, judged),
  ];
}

/** The differences in when an interaction was recorded, and under which id. */
export function compareRecording(before: Interaction, after: Interaction, normaliser: Normaliser) {
  return recordingDifferences(before, after, normaliser).filter((one) => !jsonEqual(one.before, one.after));
}

function recordingDifferences(before: Interaction, after: Interaction, { rules }: Normaliser): readonly Difference[] {
  return [
    compareTiming(before.timing, after.timing, rules),
    differenceOf('id', ['id'], before.id, after.id, { rules: ['record id'] }),
  ];
}

/** What the comparison of requests shows of two readings. */
function compareRead(before: ChatRequest, after: ChatRequest): readonly Difference[] {
  const found = compareRequest({ request: before }, { request: after }, PLAIN);
  return found.filter((change) => change.kind === 'moved' || !jsonEqual(change.before, change.after));
}

const PLAIN = new Normaliser({ presets: [], patterns: [], ignore: [], usageTolerance: 0 });

/** Compares the requested and the responding model as one value. */
function compareModel(before: Interaction, after: Interaction): readonly Difference[] {
  const path = before.request?.model === after.request?.model ? ['response', 'model'] : ['request', 'model'];
  return [differenceOf('model', path, modelText(before), modelText(after))];
}

function modelText({ request, response }: Interaction): string | undefined {
  const requested = request?.model;
  const responding = response?.model;
  if (requested === undefined || responding === undefined) return requested ?? responding;
  return requested === responding ? requested : `${requested}, response from ${responding}`;
}

function compareRequest(
  { request: old }: Pick<Interaction, 'request'>,
  { request: now }: Pick<Interaction, 'request'>,
  normaliser: Normaliser,
): readonly Difference[] {
  return [
    ...compareMessages(old?.messages ?? [], now?.messages ?? [], ['request', 'messages'], normaliser),
    ...compareTools(old?.tools ?? [], now?.tools ?? []),
    ...compareParams(old?.params ?? {}, now?.params ?? {}),
  ];
}

const NO_RESPONSE: ChatResponse = { content: null, toolCalls: [] };

function compareResponse(
  before: ChatResponse = NO_RESPONSE,
  after: ChatResponse = NO_RESPONSE,
  normaliser: Normaliser,
): readonly Difference[] {
  return [
    ...compareContent(responseContent(before), responseContent(after), ['response'], normaliser),
    // What a provider says of an error has ids of requests in it.
    differenceOf('error', ['response', 'error'], before.error, after.error, { given: 'context' }),
    differenceOf('finish', ['response', 'finishReason'], before.finishReason, after.finishReason),
    differenceOf('error', ['response', 'endedEarly'], endOf(before), endOf(after)),
    differenceOf('part', ['response', 'isJson'], formOf(before, after), formOf(after, before), { name: 'form' }),
    compareUsage(before.usage, after.usage, normaliser.rules),
  ];
}

/** Whether a stream came to its end. */
function endOf({ endedEarly }: ChatResponse): string {
  return endedEarly === true ? 'cut off' : 'complete';
}

/** Whether the result of a tool is text, or the JSON value of that text; only where both results have content. */
function formOf({ content, isJson }: ChatResponse, other: ChatResponse): string | undefined {
  if (content === null || other.content === null) return undefined;
  return isJson === true ? 'JSON value' : 'text';
}

/** The differences between the available tools, by name. Their order is ignored. */
function compareTools(before: readonly ToolDefinition[], after: readonly ToolDefinition[]): readonly Difference[] {
  const old = byName(before);
  const now = byName(after);
  return [
    ...toolOrder([...old.keys()], [...now.keys()]),
    ...[...new Set([...old.keys(), ...now.keys()])].map((name) => {
      const definition = (tool: ToolDefinition | undefined): Json | undefined => tool && { ...tool };
      return differenceOf(
        'tool definition',
        ['request', 'tools', name],
        definition(old.get(name)),
        definition(now.get(name)),
        { name, given: 'context' },
      );
    }),
    ...[...now].flatMap(([name, tool]) =>
      memberOrder('tool definition', ['request', 'tools', name], old.get(name)?.schema, tool.schema),
    ),
  ];
}

/** The order of the members of a schema that is the same otherwise: a model follows it, and a cache does not know another one. */
function memberOrder(
  subject: 'tool definition' | 'parameter',
  path: JsonPath,
  before: Json | undefined,
  after: Json | undefined,
): readonly Difference[] {
  if (before === undefined || after === undefined || !jsonEqual(before, after)) return [];
  const order = differingOrder(before, after);
  if (order === undefined) return [];
  const more = { name: ORDER_OF_MEMBERS, given: 'context' } as const;
  return [differenceOf(subject, [...path, ...order.path], order.before, order.after, more)];
}

/** The order of the tools that both have, which providers may follow. */
function toolOrder(before: readonly string[], after: readonly string[]): readonly Difference[] {
  const old = before.filter((name) => after.includes(name));
  const now = after.filter((name) => before.includes(name));
  return jsonEqual(old, now)
    ? []
    : [differenceOf('tool definition', ['request', 'tools'], old, now, { name: 'order of tools', given: 'context' })];
}

function byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** The differences between the sampling parameters, one by one. */
function compareParams(
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>>,
): readonly Difference[] {
  const order = SCHEMA_PARAMETERS.flatMap((path) =>
    memberOrder('parameter', ['request', 'params', ...path], valueAt(before, path), valueAt(after, path)),
  );
  const edits = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) =>
    differenceOf('parameter', ['request', 'params', name], ownMember(before, name), ownMember(after, name), {
      name,
      given: 'context',
      ...(name === 'seed' && { rules: ['seed'] }),
    }),
  );
  return [...edits, ...order];
}

/** What a script says of its step is behaviour that is expected: nothing in it is noise by its looks. */
function compareDeclared(
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>>,
): readonly Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) =>
    differenceOf('parameter', ['declared', name], ownMember(before, name), ownMember(after, name), { name }),
  );
}

function ownMember(record: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Token counts, as one change. */
function compareUsage(before: Usage | undefined, after: Usage | undefined, rules: NormaliseRules): Difference {
  const within = before !== undefined && after !== undefined && isWithin(before, after, rules.usageTolerance);
  return differenceOf('usage', ['response', 'usage'], before && { ...before }, after && { ...after }, {
    ...(within && { rules: ['usage tolerance'] }),
  });
}

/** Durations and the time of recording, as one change; ignored unless a tolerance for durations is set and exceeded. */
function compareTiming(before: Timing | undefined, after: Timing | undefined, rules: NormaliseRules): Difference {
  const { recordedAt: _, ...old } = before ?? {};
  const { recordedAt: __, ...now } = after ?? {};
  const tolerance = rules.timingTolerance ?? Number.POSITIVE_INFINITY;
  return differenceOf('timing', ['timing'], before && { ...before }, after && { ...after }, {
    ...(isWithin(old, now, tolerance) && { rules: ['timing'] }),
  });
}

/** Whether both sides have the same numbers within the tolerance, a part of the larger one. */
function isWithin(before: object, after: object, tolerance: number): boolean {
  if (tolerance === Number.POSITIVE_INFINITY) return true;
  const now = new Map<string, unknown>(Object.entries(after));
  return (
    Object.keys(before).length === now.size &&
    Object.entries(before).every(([key, value]) => {
      const other = now.get(key);
      if (typeof value !== 'number' || typeof other !== 'number') return false;
      return Math.abs(value - other) <= tolerance * Math.max(Math.abs(value), Math.abs(other));
    })
  );
}

/** The differences between HTTP exchanges. The bodies of model calls are compared by their meaning, not here. */
function compareHttp(before: Interaction, after: Interaction): readonly Difference[] {
  const old = before.http;
  const now = after.http;
  if (old === undefined || now === undefined) return [];
  const at = (name: string) => ['http', name];
  const isRead = before.request !== undefined || before.response !== undefined;
  const bodies = isRead
    ? []
    : [
        differenceOf('http', at('requestBody'), bodyValue(old, 'request'), bodyValue(now, 'request'), {
          name: 'request',
          given: 'request',
          isWire: true,
        }),
        differenceOf('http', at('responseBody'), bodyValue(old, 'response'), bodyValue(now, 'response'), {
          name: 'response',
          isWire: true,
        }),
      ];
  return [
    differenceOf('http', at('method'), old.method, now.method, { name: 'method' }),
    differenceOf('http', at('url'), addressOf(old, isRead), addressOf(now, isRead), {
      name: 'address',
      given: isRead ? 'context' : 'request',
    }),
    differenceOf('http', at('status'), old.status, now.status, { name: 'status' }),
    ...bodies,
    ...compareHeaders(old, now),
  ];
}

/** The URL; of a call of a model without the model, which some providers have in it: that is a change of the model. */
function addressOf({ url }: HttpExchange, isModelCall: boolean): string {
  if (!isModelCall) return url;
  const [address = '', ...query] = url.split(/(?=[?#])/);
  const path = urlPath(address);
  const host = address.slice(0, /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(address)?.[0].length ?? 0);
  return [host, pathWithoutModel(path), ...query].join('');
}

function bodyValue(http: HttpExchange, side: 'request' | 'response'): Json | undefined {
  const body = http[`${side}Body`];
  if (body.type === 'none') return undefined;
  const { json, text, bytes } = decodeContent(body, http[`${side}Headers`]);
  return json ?? text ?? encodeBase64(bytes);
}

const NAME = 'stream';

/**
 * The difference between the frames of two streams, unless `found` has one of what is joined from them. How a text is cut into
 * frames, and their ids, are ignored. A text in them that the joined response does not have is a change: an agent gets it.
 */
function compareStream(
  before: ChatResponse,
  after: ChatResponse,
  normaliser: Normaliser,
  found: readonly Difference[],
): readonly Difference[] {
  const [old, now] = [framesOf(before.chunks ?? []), framesOf(after.chunks ?? [])];
  const told = found.filter(({ path }) => path[0] === 'response');
  if (jsonEqual(old, now) || told.some(({ rules = [] }) => rules.length === 0)) return [];
  const path = ['response', 'chunks'];
  const [olds, news] = [textsOf(before.chunks ?? []), textsOf(after.chunks ?? [])];
  const said = lettersOf(after);
  const others = [...new Set([...olds.keys(), ...news.keys()])].filter((place) => {
    const [left, right] = [olds.get(place), news.get(place)];
    if ([left, right].every((text) => said.includes(letters(joined(text))))) return false;
    return !isSameText(left, right, normaliser) && !isRepetition(joined(left), joined(right), found);
  });
  const shown = (texts: typeof olds): Json =>
    Object.fromEntries(others.map((place) => [place, joined(texts.get(place))]));
  if (others.length > 0) return [differenceOf('part', path, shown(olds), shown(news), { name: NAME })];
  if (told.length > 0) return [];
  return [differenceOf('details', path, summaryOf(old), summaryOf(now), { name: NAME, rules: [NAME] })];
}

function framesOf(chunks: readonly Chunk[]): readonly Json[] {
  return chunks.map(({ data, event }) => (event === undefined ? data : { event, data }));
}

function summaryOf(frames: readonly Json[]): Json {
  return { frames: frames.length, digest: digest53(compactJson(frames)).toString(36) };
}

/** The texts of one member in all frames of a stream; numbers and the like as they are written. */
interface FrameText {
  readonly path: JsonPath;
  readonly values: readonly string[];
}

/** Members whose texts are words of the protocol, or are compared elsewhere. */
const WORDS = /^(?:type|object|event|role|status|modality|model\w*|\w*(?:finish|stop)_?reason)$/i;

/** By the names that lead to them. */
function textsOf(chunks: readonly Chunk[]): ReadonlyMap<string, FrameText> {
  const found = new Map<string, { path: JsonPath; values: string[] }>();
  const collect = (value: Json, path: JsonPath): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, path);
    else if (isRecord(value)) for (const [key, member] of Object.entries(value)) collect(member, [...path, key]);
    else if (value !== null && !WORDS.test(String(path.at(-1)))) {
      const place = path.join('.');
      const text = found.get(place) ?? { path, values: [] };
      text.values.push(String(value));
      found.set(place, text);
    }
  };
  for (const { data, base64 } of chunks) if (base64 !== true) collect(parseJson(data) ?? data, []);
  return found;
}

function joined(text: FrameText | undefined): string {
  return text?.values.join('') ?? '';
}

function isSameText(before: FrameText | undefined, after: FrameText | undefined, normaliser: Normaliser): boolean {
  const [olds, news] = [before?.values ?? [], after?.values ?? []];
  if (joined(before) === joined(after) || jsonEqual(distinct(olds), distinct(news))) return true;
  const path = (before ?? after)?.path ?? [];
  const longer = olds.length > news.length ? olds : news;
  return longer.every((_, at) => isRecordingNoise(path, olds[at] ?? olds[0], news[at] ?? news[0], normaliser));
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/** What a response says, as letters: JSON may be written with other spaces. */
function lettersOf({ content, parts = [], toolCalls, error }: ChatResponse): string {
  const calls = toolCalls.map(({ id, name, arguments: given }) => [id, name, given]);
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  return letters(compactJson([content, error ?? null, texts, calls]));
}

function letters(text: string): string {
  return text.replace(/\\[nrt]|[^\p{L}\p{N}]+/gu, '');
}
