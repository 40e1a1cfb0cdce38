import type { Json, JsonRecord } from '../json/json';
import { jsonValue, readJson } from '../json/jsonDocument';

/** As deep as the reader of documents goes: beyond it nothing that walks a value by recursion is safe. */
const MAX_DEPTH = 500;

/**
 * The value of a JSON text, as `jsonValue(readJson(text))` has it: big integers are `bigint`. Undefined when the text
 * is no JSON or nested too deeply. Several times faster than the document reader, which also keeps positions.
 */
export function parseJson(text: string): Json | undefined {
  if (!mayBeJson(text)) return undefined;
  try {
    const value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json;
    return isExact(value, MAX_DEPTH) ? value : documentValue(text);
  } catch {
    return undefined;
  }
}

/** What can be read of a JSON text that is broken or cut off: everything before the place where it breaks. */
export function salvageJson(text: string): Json | undefined {
  const { value } = readJson(text);
  return value && jsonValue(value);
}

/** Saves an exception for every line of a text that is plain prose. */
function mayBeJson(text: string): boolean {
  return /^[\uFEFF\s]*["{[\dtfn-]/.test(text.slice(0, 4096));
}

function documentValue(text: string): Json | undefined {
  const { value, problems } = readJson(text);
  return value === undefined || problems.length > 0 ? undefined : jsonValue(value);
}

/** Has every number come through, in no more than so many levels? Integers beyond 2^53 may have been rounded. */
function isExact(value: Json, levels: number): boolean {
  if (typeof value === 'number') return !(Math.abs(value) > Number.MAX_SAFE_INTEGER);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isExact(item, levels - 1));
  for (const key in value) if (!isExact((value as JsonRecord)[key] ?? null, levels - 1)) return false;
  return true;
}
