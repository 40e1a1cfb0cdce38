import { canonicalJson } from '../../json/canonicalJson';
import { type Json, jsonEqual } from '../../json/json';
import { applyMasks, parseMask } from '../../match/masks';
import type { Mask } from '../../model/case';
import type { Difference } from './difference';

/** The rule of a difference that the masks of the case cover. */
const MASK_RULE = 'mask';

/**
 * The differences of two runs, of which those are ignored that the masks of the replay cover: what does not count when a
 * request is matched is no change of the request either.
 *
 * @param masks As a case writes them. They come from a file: whatever is no mask is passed over.
 */
export function withMaskedRequests(differences: readonly Difference[], masks: unknown): readonly Difference[] {
  const texts = Array.isArray(masks) ? masks.filter((text) => typeof text === 'string') : [];
  const known = texts.flatMap((text) => parseMask(text) ?? []);
  if (known.length === 0) return differences;
  const covered = differences.filter((one) => isCovered(one, known));
  // The session repeats what was requested, at other paths.
  const values = new Set(covered.map(valuesOf));
  return differences.map((one) =>
    isOfRequest(one) && values.has(valuesOf(one)) ? { ...one, rules: [...(one.rules ?? []), MASK_RULE] } : one,
  );
}

function isCovered(one: Difference, masks: readonly Mask[]): boolean {
  const [field, ...path] = one.path;
  const [key, at] = [path.at(-1), path.slice(0, -1)];
  if (!isOfRequest(one) || field !== 'llm_request' || key === undefined) return false;
  const left = (value: Json | undefined) => applyMasks(value === undefined ? {} : { [key]: value }, masks, { at });
  return jsonEqual(left(one.before), left(one.after));
}

/** Whether a difference is in what the model was given, or is a whole message that only one of the runs has. */
function isOfRequest({ given, before, after, path }: Difference): boolean {
  const isWhole = typeof path.at(-1) === 'number' && (before === undefined || after === undefined);
  return given === 'context' || (isWhole && path.at(-2) === 'messages');
}

function valuesOf({ before = null, after = null }: Difference): string {
  return canonicalJson([before, after]);
}
