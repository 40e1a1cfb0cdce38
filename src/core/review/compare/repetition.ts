import { isRecord, type Json, jsonEqual } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { Difference } from './difference';

/**
 * Whether a difference that is shown says the same: has the earlier value before, the later one after, and not both on both
 * sides. Of those that rules ignore, only ids count.
 */
export function isRepetition(
  before: Json | undefined,
  after: Json | undefined,
  differences: readonly Difference[],
): boolean {
  return differences.some(({ before: old, after: now, rules = [], subject }) => {
    if (rules.length > 0 && subject !== 'id') return false;
    if (before === undefined) return says(now, after) && !says(old, after);
    if (after === undefined) return says(old, before) && !says(now, before);
    return says(old, before) && says(now, after) && !(says(old, after) && says(now, before));
  });
}

/** Shorter texts may be anywhere by chance: they only count as whole values. */
const MIN_PART = 4;

function says(whole: Json | undefined, value: Json | undefined): boolean {
  if (whole === undefined || value === undefined) return false;
  if (isSameValue(whole, value)) return true;
  if (typeof whole === 'string') return typeof value === 'string' && isPart(whole, value.trim());
  if (Array.isArray(whole)) return whole.some((item) => says(item, value));
  return isRecord(whole) && Object.values(whole).some((member) => says(member, value));
}

/** A value may be written as text: a number, JSON, or the code and reason of a status. */
function isSameValue(one: Json, other: Json): boolean {
  if (jsonEqual(one, other)) return true;
  if (typeof other !== 'string') return false;
  const code = /^(\d{3}) [A-Za-z' -]+$/.exec(other)?.[1];
  return String(one) === (code ?? other) || (typeof one === 'object' && jsonEqual(one, parseJson(other)));
}

/** Also of an address, in which a value is escaped. */
function isPart(text: string, value: string): boolean {
  if (value.length < MIN_PART) return false;
  return text.includes(value) || (!/[\ud800-\udfff]/.test(value) && text.includes(encodeURIComponent(value)));
}
