import { compactJson, isRecord, type Json, jsonEqual } from '../../json/json';
import { formatJsonPath, type JsonPath } from '../../json/jsonPath';
import { grouped } from '../../text/counts';

/** Places that are shown of two values that are too large to compare in detail. */
const MAX_PLACES = 10;
/** Characters that are shown before the first difference of two texts, and from it on. */
const LEAD = 100;
const LENGTH = 200;
/** Items of a list, or members of an object, that an excerpt has at its start and its end. */
const MAX_ITEMS = 20;
/** Characters of a text in an excerpt, at its start and its end. */
const MAX_TEXT = 1000;

/** The first places in which two values differ, by their paths, with what is there. */
interface DifferingPlaces {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
}

export function differingPlaces(before: unknown, after: unknown): DifferingPlaces {
  const olds: Record<string, string> = {};
  const news: Record<string, string> = {};
  for (const { path, old, now } of differingLeaves(before, after, [])) {
    const place = formatJsonPath(path);
    const [left, right] = [leafText(old), leafText(now)];
    const at = firstDifference(left ?? '', right ?? '');
    if (left !== undefined) olds[place] = around(left, at);
    if (right !== undefined) news[place] = around(right, at);
    if (new Set([...Object.keys(olds), ...Object.keys(news)]).size >= MAX_PLACES) break;
  }
  return { before: olds, after: news };
}

interface DifferingLeaf {
  readonly path: JsonPath;
  readonly old: unknown;
  readonly now: unknown;
}

function* differingLeaves(old: unknown, now: unknown, path: JsonPath): Generator<DifferingLeaf> {
  if (Array.isArray(old) && Array.isArray(now)) {
    const length = Math.max(old.length, now.length);
    for (let at = 0; at < length; at += 1) yield* differingLeaves(old[at], now[at], [...path, at]);
  } else if (isRecord(old) && isRecord(now)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)]))
      yield* differingLeaves(ownMember(old, key), ownMember(now, key), [...path, key]);
  } else if (!jsonEqual(old, now)) yield { path, old, now };
}

function ownMember(record: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function leafText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? compactJson(excerptOf(value) as Json) : String(value);
}

function firstDifference(old: string, now: string): number {
  const shorter = Math.min(old.length, now.length);
  let at = 0;
  while (at < shorter && old.charCodeAt(at) === now.charCodeAt(at)) at += 1;
  return at;
}

function around(text: string, at: number): string {
  const start = Math.max(0, at - LEAD);
  const shown = text.slice(start, at + LENGTH);
  const rest = text.length - start - shown.length;
  return `${start > 0 ? `(${grouped(start)} characters)…` : ''}${shown}${rest > 0 ? `…(${grouped(rest)} more characters)` : ''}`;
}

/** A value with the beginnings and ends of its long texts, lists and objects. */
export function excerptOf<T>(value: T): T {
  return excerpt(value) as T;
}

function excerpt(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= 2 * MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}…${value.slice(-MAX_TEXT)}`;
  if (Array.isArray(value)) return endsOf(value).map(excerpt);
  if (!isRecord(value)) return value;
  return Object.fromEntries(endsOf(Object.entries(value)).map(([key, member]) => [key, excerpt(member)]));
}

function endsOf<T>(items: readonly T[]): readonly T[] {
  return items.length <= 2 * MAX_ITEMS ? items : [...items.slice(0, MAX_ITEMS), ...items.slice(-MAX_ITEMS)];
}
