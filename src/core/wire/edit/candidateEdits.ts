import { stringifyLike } from '../../json/editJson';
import { isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import type { ChatResponse } from '../../model/message';
import type { Usage } from '../../model/usage';
import { rewritePieces } from '../../text/splicesBetween';
import { parseToolArguments } from '../shared/toolCalls';
import { type ResponseValueEdit, reasoningPartsOf, type UsageEdit } from './responseEdit';
import type { JsonEdit } from './textEdits';

/** An edit in one frame of a response. An unstreamed response is a single frame. */
export interface FrameEdit extends JsonEdit {
  readonly frame: number;
}

type Frames = readonly (Json | undefined)[];

/**
 * The candidate edits that may change a value of a response, the most likely first. Protocols name and repeat values in
 * many ways, so candidates are found by the current value. The caller reads each result again, to verify that it
 * changes this value and nothing else.
 */
export function candidateEdits(frames: Frames, response: ChatResponse, edit: ResponseValueEdit): FrameEdit[][] {
  switch (edit.type) {
    case 'reasoning':
      return reasoningEdits(frames, response, edit.part, edit.text);
    case 'arguments':
      return argumentEdits(frames, response, edit.call, edit.json);
    case 'usage':
      return usageEdits(frames, response, edit.usage);
  }
}

function reasoningEdits(frames: Frames, response: ChatResponse, part: number, text: string): FrameEdit[][] {
  const reasoning = reasoningPartsOf(response);
  const current = reasoning[part]?.text;
  if (current === undefined || current === '') return [];
  const occurrences = stringOccurrences(frames, () => true).filter((one) => joinedText(one) === current);
  const equal = reasoning.flatMap((other, index) => (other.text === current ? [index] : []));
  const matching = matchingOccurrences(occurrences, equal.length, equal.indexOf(part));
  return combinations(matching).map((combination) => combination.flatMap((occurrence) => editPieces(occurrence, text)));
}

/** The names of tool arguments, whole or in pieces, in all protocols. */
const ARGUMENTS = new Set(['arguments', 'input', 'args', 'parameters', 'partial_json', 'delta', 'tool_input']);

function argumentEdits(frames: Frames, { toolCalls }: ChatResponse, index: number, json: string): FrameEdit[][] {
  const call = toolCalls[index];
  if (call === undefined) return [];
  const next = parseToolArguments(json);
  const isName = (key: string): boolean => ARGUMENTS.has(key);
  const isText = (text: string): boolean =>
    text === call.argumentsText || (text.trim() !== '' && jsonEqual(parseJson(text) ?? text, call.arguments));
  const strings = stringOccurrences(frames, isName).filter((occurrence) => isText(joinedText(occurrence)));
  const isValue = (value: Json): boolean => typeof value === 'object' && jsonEqual(value, call.arguments);
  const values = valueOccurrences(frames, isName, isValue);
  const equal = toolCalls.flatMap((other, at) => (jsonEqual(other.arguments, call.arguments) ? [at] : []));
  const editOccurrence = (occurrence: TextOccurrence): FrameEdit[] =>
    strings.includes(occurrence)
      ? editPieces(occurrence, typeof next === 'string' ? json : stringifyLike(next, joinedText(occurrence)))
      : occurrence.locations.map(({ frame, path }) => ({ frame, path, value: next }));
  const matching = matchingOccurrences([...strings, ...values], equal.length, equal.indexOf(index));
  return combinations(matching).map((combination) => combination.flatMap(editOccurrence));
}

/**
 * The occurrence at `index` of each kind. A kind counts only if it has as many occurrences as the response has equal
 * values, so that occurrences and values correspond.
 */
function matchingOccurrences(
  occurrences: readonly TextOccurrence[],
  equalValues: number,
  index: number,
): TextOccurrence[] {
  return [...new Set(occurrences.map(({ kind }) => kind))].flatMap((kind) => {
    const ofKind = occurrences.filter((occurrence) => occurrence.kind === kind);
    return ofKind.length === equalValues ? (ofKind[index] ?? []) : [];
  });
}

/** All occurrences, then all but one, then each alone: an unrelated value may be equal by chance. */
function combinations(occurrences: readonly TextOccurrence[]): (readonly TextOccurrence[])[] {
  if (occurrences.length < 2) return occurrences.length === 0 ? [] : [occurrences];
  const allButOne = occurrences.map((excluded) => occurrences.filter((occurrence) => occurrence !== excluded));
  return [occurrences, ...allButOne, ...occurrences.map((occurrence) => [occurrence])];
}

function editPieces({ locations }: TextOccurrence, text: string): FrameEdit[] {
  const pieces = locations.map(({ value }) => (typeof value === 'string' ? value : ''));
  const rewritten = rewritePieces(pieces, text);
  return locations.flatMap(({ frame, path }, index) =>
    rewritten[index] === pieces[index] ? [] : [{ frame, path, value: rewritten[index] ?? '' }],
  );
}

/** The names of token counts in all protocols, in lower case, without underscores and dashes. */
const COUNTS: Readonly<Record<keyof UsageEdit | 'totalTokens', RegExp>> = {
  promptTokens: /^(?:prompt|input)(?:tokens?|tokencount|evalcount)$/,
  completionTokens: /^(?:(?:completion|output|candidates|generated)(?:tokens?|tokencount)|evalcount)$/,
  totalTokens: /^total(?:tokens?|tokencount)$/,
  cachedTokens: /^(?:cached|cacheread|cachedcontent).*(?:tokens?|tokencount)$/,
  cacheWriteTokens: /^(?:cachecreation|cachewrite).*(?:tokens?|tokencount)$/,
  reasoningTokens: /^(?:reasoning|thoughts?|thinking)(?:tokens?|tokencount|outputtokens)$/,
};

type Count = keyof typeof COUNTS;
const EDITABLE = Object.keys(COUNTS).filter((name): name is Count => name !== 'totalTokens');

function usageEdits(frames: Frames, { usage }: ChatResponse, edit: UsageEdit): FrameEdit[][] {
  if (usage === undefined) return [];
  const next = EDITABLE.flatMap((name) => {
    const count = name === 'totalTokens' ? undefined : edit[name];
    return count === undefined || count === usage[name] ? [] : [{ name, count }];
  });
  const difference = next
    .filter(({ name }) => name === 'promptTokens' || name === 'completionTokens')
    .reduce((sum, { name, count }) => sum + count - (usage[name] ?? 0), 0);
  const total = difference === 0 ? [] : [{ name: 'totalTokens' as const, count: usage.totalTokens + difference }];
  const edits = next.map(({ name, count }) => partEdits(frames, name, usage, count));
  if (edits.length === 0 || edits.some((ofCount) => ofCount.length === 0)) return [];
  const totals = total.flatMap(({ name, count }) => countEdits(frames, name, usage.totalTokens, count));
  const all = [...edits.flat(), ...totals];
  // Streams repeat counts as they grow; the last ones are final.
  const last = [...edits.flatMap((ofCount) => ofCount.slice(-1)), ...totals.slice(-1)];
  return all.length === last.length ? [all] : [all, last];
}

/** A count in the body, which may lack the part that the protocol reports beside it. */
function partEdits(frames: Frames, name: Count, usage: Usage, count: number): FrameEdit[] {
  const whole = countEdits(frames, name, usage[name], count);
  const { cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const beside =
    name === 'promptTokens' ? cachedTokens + cacheWriteTokens : name === 'completionTokens' ? reasoningTokens : 0;
  if (whole.length > 0 || beside === 0 || count < beside) return whole;
  return countEdits(frames, name, (usage[name] ?? 0) - beside, count - beside);
}

function countEdits(frames: Frames, name: Count, before: number | undefined, count: number): FrameEdit[] {
  const isName = (key: string): boolean => COUNTS[name].test(key.toLowerCase().replace(/[-_]/g, ''));
  const isValue = (value: Json): boolean => value === before;
  return valueOccurrences(frames, isName, isValue).flatMap(({ locations }) =>
    locations.map(({ frame, path }) => ({ frame, path, value: count })),
  );
}

/** A value in one frame of a response. */
interface ValueLocation {
  readonly frame: number;
  readonly path: JsonPath;
  readonly value: Json;
}

/** One occurrence of a value: a single location, or the pieces of a string in a stream. */
interface TextOccurrence {
  /** Equal for occurrences in the same place of the protocol, such as the arguments of several calls. */
  readonly kind: string;
  readonly locations: readonly ValueLocation[];
}

/** Members that number the pieces of a stream. Pieces for which all of them agree belong together. */
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

/** The strings in frames under the names that `isName` accepts, with the pieces of one string together. */
function stringOccurrences(frames: readonly (Json | undefined)[], isName: (key: string) => boolean): TextOccurrence[] {
  const groups = new Map<string, ValueLocation[]>();
  const kinds = new Map<string, string>();
  for (const { value, step, key } of visitValues(frames)) {
    if (typeof value !== 'string' || !isName(key)) continue;
    const group = `${step.kind}|${step.group}`;
    kinds.set(group, step.kind);
    const location = { frame: step.frame, path: step.path, value };
    const locations = groups.get(group);
    if (locations === undefined) groups.set(group, [location]);
    else locations.push(location);
  }
  return [...groups].map(([group, locations]) => ({ kind: kinds.get(group) ?? group, locations }));
}

/** The values under the names that `isName` accepts, each an occurrence of its own. */
function valueOccurrences(
  frames: readonly (Json | undefined)[],
  isName: (key: string) => boolean,
  isValue: (value: Json) => boolean,
): TextOccurrence[] {
  return [...visitValues(frames)].flatMap(({ value, step, key }) =>
    isName(key) && isValue(value)
      ? [{ kind: step.kind, locations: [{ frame: step.frame, path: step.path, value }] }]
      : [],
  );
}

interface VisitedValue {
  readonly value: Json;
  readonly step: Step;
  /** The member that contains the value; items of a list have the name of the list. */
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

/** The position of an item in its list counts only if the item has no `index` of its own. */
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

/** The text of an occurrence of a string. */
function joinedText({ locations }: TextOccurrence): string {
  return locations.map(({ value }) => (typeof value === 'string' ? value : '')).join('');
}
