import type { Json } from '../json/json';
import { jsonValue, readJson } from '../json/jsonDocument';

/** As deep as the reader of documents goes: beyond it nothing that walks a value by recursion is safe. */
const MAX_DEPTH = 500;
/** Integers that may be beyond 2^53. Digits inside a string or a fraction only cost the slower way. */
const MANY_DIGITS = /\d{16}/;
const LONG_INTEGER = /(?<![\d.])\d{16}/;

/**
 * The value of a JSON text, as `jsonValue(readJson(text))` has it: big integers are `bigint`. Undefined when the text
 * is no JSON or nested too deeply. Several times faster than the document reader, which also keeps positions.
 */
export function parseJson(text: string): Json | undefined {
  if (!mayBeJson(text)) return undefined;
  if (MANY_DIGITS.test(text) && LONG_INTEGER.test(text)) return documentValue(text);
  try {
    const value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json;
    return text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH) ? undefined : value;
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

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const items: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => isDeeper(item, levels - 1));
}
