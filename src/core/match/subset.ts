import { isRecord, type Json, jsonEqual } from '../json/json';
import type { Mask } from '../model/case';
import type { ComparableRequest } from './comparableRequest';
import { applyMasks } from './masks';

/**
 * Whether a request contains everything that was recorded, and possibly more. As in CheckAgent (`ReplayEngine`), objects
 * are compared by their members, and lists and other values as wholes.
 */
export function isSubset(recorded: ComparableRequest, request: ComparableRequest, masks: readonly Mask[]): boolean {
  if (recorded.address !== undefined && recorded.address !== request.address) return false;
  if (recorded.model !== undefined && recorded.model !== request.model) return false;
  return (
    isPartOf({ ...recorded.query }, { ...request.query }) &&
    isPartOf(applyMasks(recorded.body, masks) ?? null, applyMasks(request.body, masks) ?? null)
  );
}

/** Whether all members of an object, at any depth, are in another one as well. Lists and other values are compared as wholes. */
export function isPartOf(recorded: Json, value: Json): boolean {
  if (!isRecord(recorded) || !isRecord(value)) return jsonEqual(recorded, value);
  return Object.entries(recorded).every(
    ([key, member]) => Object.hasOwn(value, key) && isPartOf(member, value[key] ?? null),
  );
}
