import { type Json, jsonEqual } from '../json/json';
import { printLike } from '../json/printLike';
import type { ChatResponse } from '../tapes/tape';
import { changePieces } from '../text/pieces';
import { reasoningOf, type UsageChange, type ValueChange } from './answerChange';
import type { JsonChange } from './changeText';
import { parseJson } from './parseJson';
import { stringTellings, type Telling, toldText, valueTellings } from './tellings';
import { argumentsOf } from './toolCalls';

/** A change in a frame of an answer; an answer in one piece is one frame. */
export interface FrameChange extends JsonChange {
  readonly frame: number;
}

type Frames = readonly (Json | undefined)[];

/**
 * The ways in which a value of an answer could be changed, the most likely first. Protocols name and repeat what they tell
 * in many ways: what is looked for is where the value that was read stands, and whoever changes it reads the answer again
 * to see that this, and nothing else, has changed.
 */
export function waysToChange(frames: Frames, response: ChatResponse, change: ValueChange): FrameChange[][] {
  switch (change.type) {
    case 'reasoning':
      return waysToReason(frames, response, change.part, change.text);
    case 'arguments':
      return waysToCall(frames, response, change.call, change.json);
    case 'usage':
      return waysToCount(frames, response, change.usage);
  }
}

function waysToReason(frames: Frames, response: ChatResponse, part: number, text: string): FrameChange[][] {
  const reasoning = reasoningOf(response);
  const wanted = reasoning[part]?.text;
  if (wanted === undefined || wanted === '') return [];
  const told = stringTellings(frames, () => true).filter((telling) => toldText(telling) === wanted);
  const alike = reasoning.flatMap((one, index) => (one.text === wanted ? [index] : []));
  return combinations(chosen(told, alike.length, alike.indexOf(part))).map((tellings) =>
    tellings.flatMap((telling) => inPieces(telling, text)),
  );
}

/** What protocols call the arguments of a tool, whole or in pieces. */
const ARGUMENTS = new Set(['arguments', 'input', 'args', 'parameters', 'partial_json', 'delta', 'tool_input']);

function waysToCall(frames: Frames, { toolCalls }: ChatResponse, index: number, json: string): FrameChange[][] {
  const call = toolCalls[index];
  if (call === undefined) return [];
  const next = argumentsOf(json);
  const isName = (key: string): boolean => ARGUMENTS.has(key);
  const tells = (text: string): boolean =>
    text === call.argumentsText || (text.trim() !== '' && jsonEqual(parseJson(text) ?? text, call.arguments));
  const strings = stringTellings(frames, isName).filter((telling) => tells(toldText(telling)));
  const isValue = (value: Json): boolean => typeof value === 'object' && jsonEqual(value, call.arguments);
  const values = valueTellings(frames, isName, isValue);
  const alike = toolCalls.flatMap((one, at) => (jsonEqual(one.arguments, call.arguments) ? [at] : []));
  const change = (telling: Telling): FrameChange[] =>
    strings.includes(telling)
      ? inPieces(telling, typeof next === 'string' ? json : printLike(next, toldText(telling)))
      : telling.places.map(({ frame, path }) => ({ frame, path, value: next }));
  return combinations(chosen([...strings, ...values], alike.length, alike.indexOf(index))).map((tellings) =>
    tellings.flatMap(change),
  );
}

/** Of each kind that has a telling for each of the values that are alike: the one of this number. */
function chosen(tellings: readonly Telling[], alike: number, number: number): Telling[] {
  return [...new Set(tellings.map(({ kind }) => kind))].flatMap((wanted) => {
    const told = tellings.filter(({ kind }) => kind === wanted);
    return told.length === alike ? (told[number] ?? []) : [];
  });
}

/** All together; failing that, all but one kind, or one kind alone: something else may say the same by chance. */
function combinations(tellings: readonly Telling[]): (readonly Telling[])[] {
  if (tellings.length < 2) return tellings.length === 0 ? [] : [tellings];
  const butOne = tellings.map((left) => tellings.filter((telling) => telling !== left));
  return [tellings, ...butOne, ...tellings.map((telling) => [telling])];
}

function inPieces({ places }: Telling, text: string): FrameChange[] {
  const pieces = places.map(({ value }) => (typeof value === 'string' ? value : ''));
  const changed = changePieces(pieces, text);
  return places.flatMap(({ frame, path }, index) =>
    changed[index] === pieces[index] ? [] : [{ frame, path, value: changed[index] ?? '' }],
  );
}

/** What protocols call their counts, without regard to case, underscores and dashes. */
const COUNTS: Readonly<Record<keyof UsageChange | 'totalTokens', RegExp>> = {
  promptTokens: /^(?:prompt|input)(?:tokens?|tokencount|evalcount)$/,
  completionTokens: /^(?:(?:completion|output|candidates|generated)(?:tokens?|tokencount)|evalcount)$/,
  totalTokens: /^total(?:tokens?|tokencount)$/,
  cachedTokens: /^(?:cached|cacheread|cachedcontent).*(?:tokens?|tokencount)$/,
  cacheWriteTokens: /^(?:cachecreation|cachewrite).*(?:tokens?|tokencount)$/,
  reasoningTokens: /^(?:reasoning|thoughts?|thinking)(?:tokens?|tokencount|outputtokens)$/,
};

type Count = keyof typeof COUNTS;
const CHANGEABLE = Object.keys(COUNTS).filter((name): name is Count => name !== 'totalTokens');

function waysToCount(frames: Frames, { usage }: ChatResponse, change: UsageChange): FrameChange[][] {
  if (usage === undefined) return [];
  const next = CHANGEABLE.flatMap((name) => {
    const count = name === 'totalTokens' ? undefined : change[name];
    return count === undefined || count === usage[name] ? [] : [{ name, count }];
  });
  const difference = next
    .filter(({ name }) => name === 'promptTokens' || name === 'completionTokens')
    .reduce((sum, { name, count }) => sum + count - (usage[name] ?? 0), 0);
  const total = difference === 0 ? [] : [{ name: 'totalTokens' as const, count: usage.totalTokens + difference }];
  const places = next.map(({ name, count }) => countPlaces(frames, name, usage[name], count));
  if (places.length === 0 || places.some((found) => found.length === 0)) return [];
  const totals = total.flatMap(({ name, count }) => countPlaces(frames, name, usage.totalTokens, count));
  const all = [...places.flat(), ...totals];
  const last = [...places.flatMap((found) => found.slice(-1)), ...totals.slice(-1)];
  return all.length === last.length ? [all] : [all, last];
}

function countPlaces(frames: Frames, name: Count, before: number | undefined, count: number): FrameChange[] {
  const isName = (key: string): boolean => COUNTS[name].test(key.toLowerCase().replace(/[-_]/g, ''));
  const isValue = (value: Json): boolean => value === before;
  return valueTellings(frames, isName, isValue).flatMap(({ places }) =>
    places.map(({ frame, path }) => ({ frame, path, value: count })),
  );
}
