import { digest53 } from '../../hash/digest53';
import { compactJson, isRecord, type Json, jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import type { Chunk } from '../../model/http';
import type { ChatResponse } from '../../model/message';
import { type Difference, differenceOf } from './difference';
import type { Normaliser } from './normaliser';
import { isRecordingNoise } from './recordingNoise';
import { isRepetition } from './repetition';

const NAME = 'stream';

/**
 * The difference between the frames of two streams, unless `found` has one of what is joined from them. How a text is cut into
 * frames, and their ids, are ignored. A text in them that the joined response does not have is a change: an agent gets it.
 */
export function compareStream(
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
