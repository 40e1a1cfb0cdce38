import { stringifyLike } from '../../json/editJson';
import { isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import type { ChatResponse } from '../../model/message';
import { rewritePieces } from '../../text/splicesBetween';
import { parseToolArguments } from '../shared/toolCalls';
import { type ResponseValueEdit, reasoningPartsOf, type UsageEdit } from './responseEdit';
import type { JsonEdit } from './textEdits';

/** A change in a frame of an answer; an answer in one piece is one frame. */
export interface FrameEdit extends JsonEdit {
  readonly frame: number;
}

type Frames = readonly (Json | undefined)[];

/**
 * The ways in which a value of an answer could be changed, the most likely first. Protocols name and repeat what they tell
 * in many ways: what is looked for is where the value that was read stands, and whoever changes it reads the answer again
 * to see that this, and nothing else, has changed.
 */
export function candidateEdits(frames: Frames, response: ChatResponse, change: ResponseValueEdit): FrameEdit[][] {
  switch (change.type) {
    case 'reasoning':
      return reasoningEdits(frames, response, change.part, change.text);
    case 'arguments':
      return argumentEdits(frames, response, change.call, change.json);
    case 'usage':
      return usageEdits(frames, response, change.usage);
  }
}

function reasoningEdits(frames: Frames, response: ChatResponse, part: number, text: string): FrameEdit[][] {
  const reasoning = reasoningPartsOf(response);
  const wanted = reasoning[part]?.text;
  if (wanted === undefined || wanted === '') return [];
  const told = stringOccurrences(frames, () => true).filter((telling) => joinedText(telling) === wanted);
  const alike = reasoning.flatMap((one, index) => (one.text === wanted ? [index] : []));
  return combinations(matchingOccurrences(told, alike.length, alike.indexOf(part))).map((tellings) =>
    tellings.flatMap((telling) => editPieces(telling, text)),
  );
}

/** What protocols call the arguments of a tool, whole or in pieces. */
const ARGUMENTS = new Set(['arguments', 'input', 'args', 'parameters', 'partial_json', 'delta', 'tool_input']);

function argumentEdits(frames: Frames, { toolCalls }: ChatResponse, index: number, json: string): FrameEdit[][] {
  const call = toolCalls[index];
  if (call === undefined) return [];
  const next = parseToolArguments(json);
  const isName = (key: string): boolean => ARGUMENTS.has(key);
  const tells = (text: string): boolean =>
    text === call.argumentsText || (text.trim() !== '' && jsonEqual(parseJson(text) ?? text, call.arguments));
  const strings = stringOccurrences(frames, isName).filter((telling) => tells(joinedText(telling)));
  const isValue = (value: Json): boolean => typeof value === 'object' && jsonEqual(value, call.arguments);
  const values = valueOccurrences(frames, isName, isValue);
  const alike = toolCalls.flatMap((one, at) => (jsonEqual(one.arguments, call.arguments) ? [at] : []));
  const change = (telling: TextOccurrence): FrameEdit[] =>
    strings.includes(telling)
      ? editPieces(telling, typeof next === 'string' ? json : stringifyLike(next, joinedText(telling)))
      : telling.places.map(({ frame, path }) => ({ frame, path, value: next }));
  return combinations(matchingOccurrences([...strings, ...values], alike.length, alike.indexOf(index))).map(
    (tellings) => tellings.flatMap(change),
  );
}

/** Of each kind that has a telling for each of the values that are alike: the one of this number. */
function matchingOccurrences(tellings: readonly TextOccurrence[], alike: number, number: number): TextOccurrence[] {
  return [...new Set(tellings.map(({ kind }) => kind))].flatMap((wanted) => {
    const told = tellings.filter(({ kind }) => kind === wanted);
    return told.length === alike ? (told[number] ?? []) : [];
  });
}

/** All together; failing that, all but one kind, or one kind alone: something else may say the same by chance. */
function combinations(tellings: readonly TextOccurrence[]): (readonly TextOccurrence[])[] {
  if (tellings.length < 2) return tellings.length === 0 ? [] : [tellings];
  const butOne = tellings.map((left) => tellings.filter((telling) => telling !== left));
  return [tellings, ...butOne, ...tellings.map((telling) => [telling])];
}

function editPieces({ places }: TextOccurrence, text: string): FrameEdit[] {
  const pieces = places.map(({ value }) => (typeof value === 'string' ? value : ''));
  const changed = rewritePieces(pieces, text);
  return places.flatMap(({ frame, path }, index) =>
    changed[index] === pieces[index] ? [] : [{ frame, path, value: changed[index] ?? '' }],
  );
}

/** What protocols call their counts, without regard to case, underscores and dashes. */
const COUNTS: Readonly<Record<keyof UsageEdit | 'totalTokens', RegExp>> = {
  promptTokens: /^(?:prompt|input)(?:tokens?|tokencount|evalcount)$/,
  completionTokens: /^(?:(?:completion|output|candidates|generated)(?:tokens?|tokencount)|evalcount)$/,
  totalTokens: /^total(?:tokens?|tokencount)$/,
  cachedTokens: /^(?:cached|cacheread|cachedcontent).*(?:tokens?|tokencount)$/,
  cacheWriteTokens: /^(?:cachecreation|cachewrite).*(?:tokens?|tokencount)$/,
  reasoningTokens: /^(?:reasoning|thoughts?|thinking)(?:tokens?|tokencount|outputtokens)$/,
};

type Count = keyof typeof COUNTS;
const CHANGEABLE = Object.keys(COUNTS).filter((name): name is Count => name !== 'totalTokens');

function usageEdits(frames: Frames, { usage }: ChatResponse, change: UsageEdit): FrameEdit[][] {
  if (usage === undefined) return [];
  const next = CHANGEABLE.flatMap((name) => {
    const count = name === 'totalTokens' ? undefined : change[name];
    return count === undefined || count === usage[name] ? [] : [{ name, count }];
  });
  const difference = next
    .filter(({ name }) => name === 'promptTokens' || name === 'completionTokens')
    .reduce((sum, { name, count }) => sum + count - (usage[name] ?? 0), 0);
  const total = difference === 0 ? [] : [{ name: 'totalTokens' as const, count: usage.totalTokens + difference }];
  const places = next.map(({ name, count }) => countEdits(frames, name, usage[name], count));
  if (places.length === 0 || places.some((found) => found.length === 0)) return [];
  const totals = total.flatMap(({ name, count }) => countEdits(frames, name, usage.totalTokens, count));
  const all = [...places.flat(), ...totals];
  const last = [...places.flatMap((found) => found.slice(-1)), ...totals.slice(-1)];
  return all.length === last.length ? [all] : [all, last];
}

function countEdits(frames: Frames, name: Count, before: number | undefined, count: number): FrameEdit[] {
  const isName = (key: string): boolean => COUNTS[name].test(key.toLowerCase().replace(/[-_]/g, ''));
  const isValue = (value: Json): boolean => value === before;
  return valueOccurrences(frames, isName, isValue).flatMap(({ places }) =>
    places.map(({ frame, path }) => ({ frame, path, value: count })),
  );
}

/** A value in an answer, or in one frame of it. */
export interface ValueLocation {
  readonly frame: number;
  readonly path: JsonPath;
  readonly value: Json;
}

/** Places that tell one value together: the pieces of a string in a stream, or a single place. */
export interface TextOccurrence {
  /** Tellings of one kind stand at the same place of the protocol, such as the arguments of several calls. */
  readonly kind: string;
  readonly places: readonly ValueLocation[];
}

/** What numbers the pieces of a stream: they belong together where all of these agree. */
const INDEX_MEMBERS = new Set([
  'index',
  'output_index',
  'content_index',
  'summary_index',
  'contentBlockIndex',
  'item_id',
]);

interface Step {
  readonly frame: number;
  readonly path: JsonPath;
  readonly kind: string;
  readonly group: string;
}

/** The strings of frames, pieces of the same string together, under the names that `isName` accepts. */
export function stringOccurrences(
  frames: readonly (Json | undefined)[],
  isName: (key: string) => boolean,
): TextOccurrence[] {
  const tellings = new Map<string, ValueLocation[]>();
  const kinds = new Map<string, string>();
  for (const { value, step, key } of visitValues(frames)) {
    if (typeof value !== 'string' || !isName(key)) continue;
    const group = `${step.kind}|${step.group}`;
    kinds.set(group, step.kind);
    const place = { frame: step.frame, path: step.path, value };
    const known = tellings.get(group);
    if (known === undefined) tellings.set(group, [place]);
    else known.push(place);
  }
  return [...tellings].map(([group, places]) => ({ kind: kinds.get(group) ?? group, places }));
}

/** The values under the names that `isName` accepts, each a telling of its own. */
export function valueOccurrences(
  frames: readonly (Json | undefined)[],
  isName: (key: string) => boolean,
  isValue: (value: Json) => boolean,
): TextOccurrence[] {
  return [...visitValues(frames)].flatMap(({ value, step, key }) =>
    isName(key) && isValue(value) ? [{ kind: step.kind, places: [{ frame: step.frame, path: step.path, value }] }] : [],
  );
}

interface VisitedValue {
  readonly value: Json;
  readonly step: Step;
  /** The name it stands under; items of a list have that of the list. */
  readonly key: string;
}

function* visitValues(frames: readonly (Json | undefined)[]): Generator<VisitedValue> {
  for (const [frame, json] of frames.entries()) {
    if (json === undefined) continue;
    const type = isRecord(json) && typeof json.type === 'string' ? json.type : '';
    yield* walk(json, { frame, path: [], kind: type, group: '' }, '');
  }
}

function* walk(value: Json, step: Step, key: string): Generator<VisitedValue> {
  yield { value, step, key };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, itemStep(step, index, item), key);
  } else if (isRecord(value)) {
    const group = step.group + indexesOf(value);
    for (const [name, member] of Object.entries(value))
      yield* walk(member, { ...step, path: [...step.path, name], kind: `${step.kind}.${name}`, group }, name);
  }
}

/** An item that says its number may stand anywhere in the list of a frame. */
function itemStep(step: Step, index: number, item: Json): Step {
  const isNumbered = isRecord(item) && typeof item.index === 'number';
  return {
    ...step,
    path: [...step.path, index],
    kind: `${step.kind}[]`,
    group: isNumbered ? step.group : `${step.group}[${index}]`,
  };
}

function indexesOf(record: JsonRecord): string {
  return Object.entries(record)
    .filter(([name, value]) => INDEX_MEMBERS.has(name) && (typeof value === 'number' || typeof value === 'string'))
    .map(([name, value]) => `;${name}=${value}`)
    .join('');
}

/** The text that a telling of strings tells. */
export function joinedText({ places }: TextOccurrence): string {
  return places.map(({ value }) => (typeof value === 'string' ? value : '')).join('');
}
