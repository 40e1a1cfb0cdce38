import { diffWords, type TextHunk } from '../diff/diffText';
import type { ValueDifference } from '../diff/diffValues';
import { sketchSimilarity, sketchText } from '../diff/similarity';
import { canonicalJson } from '../json/canonicalJson';
import type { Json } from '../json/json';
import type { Mask } from '../model/case';
import { comparisonWith, type MessageChange, type RequestChanges, type ToolChange } from './compareRequests';
import type { Recordings } from './recordings';
import { type RequestParts, requestParts } from './requestParts';
import { maskedParts } from './signature';

/** A recording, compared with a request that is not equal to it. */
export interface NearRecording {
  readonly at: number;
  readonly recorded: RequestParts;
  readonly changes: RequestChanges;
  /** 0 for equal requests; about 1 for each place that differs, and more the less of its text is the same. */
  readonly distance: number;
}

/** Compares a request with some recordings; the nearest one comes first, and of equally near ones the first. */
export function rankRecordings(
  places: readonly number[],
  now: RequestParts,
  recordings: Pick<Recordings, 'request'>,
  masks: readonly Mask[],
): readonly NearRecording[] {
  const compare = comparisonWith(maskedParts(now, masks));
  const compared = places.map((at) => {
    const recorded = requestParts(recordings.request(at));
    const changes = compare(maskedParts(recorded, masks));
    return { at, recorded, changes, distance: distanceOf(changes) };
  });
  return compared.sort((left, right) => left.distance - right.distance);
}

function distanceOf({ address, model, params, messages, tools }: RequestChanges): number {
  return (
    Number(address !== undefined) +
    Number(model !== undefined) +
    sum(params, (change) => valueDistance(change)) +
    sum(messages, messageDistance) +
    sum(tools, toolDistance)
  );
}

/** A message that differs says more about which request it is than a parameter does. */
const MESSAGE_WEIGHT = 0.5;

function messageDistance(change: MessageChange): number {
  if (change.type === 'moved') return 1;
  if (change.type !== 'edited') return 1 + MESSAGE_WEIGHT;
  return (
    1 +
    MESSAGE_WEIGHT *
      Math.min(
        1,
        sum(change.values, (value) => 1 - likeness(value)),
      )
  );
}

function toolDistance(change: ToolChange): number {
  if (change.type !== 'changed') return 1;
  return sum(change.values, valueDistance);
}

function valueDistance(value: ValueDifference): number {
  return 1 - VALUE_WEIGHT * likeness(value);
}

/** How much a value counts less when most of its text is the same. */
const VALUE_WEIGHT = 0.5;

/** The part of the text that is the same on both sides, from 0 to 1. */
function likeness({ before, after }: ValueDifference): number {
  if (before === undefined || after === undefined) return 0;
  const [old, now] = [textOf(before), textOf(after)];
  if (old.length + now.length > LONGEST_DIFF) return sketchSimilarity(sketchText(old), sketchText(now));
  // To find words takes most of the time, and most texts differ in one place.
  const { start, end } = commonWords(old, now);
  const hunks = diffWords(old.slice(start, old.length - end), now.slice(start, now.length - end), TIMEOUT_MS);
  const same = hunks === undefined ? 0 : start + end + sum(hunks, (hunk) => equalLength(hunk));
  return (2 * same) / (old.length + now.length || 1);
}

/** The number of characters of the words with which both texts begin, and of those with which both end. */
function commonWords(left: string, right: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  while (start > 0 && left[start - 1] !== ' ') start -= 1;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  while (end > 0 && left[left.length - end] !== ' ') end -= 1;
  return { start, end };
}

const LONGEST_DIFF = 20_000;
const TIMEOUT_MS = 50;

function equalLength({ isEqual, before, after }: TextHunk): number {
  if (isEqual) return before.length;
  // Words that differ may still begin the same: `order-17` is nearer to `order-18` than to `return`.
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  return start / 2;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
