import { isRecord, type Json, jsonEqual } from '../json/json';
import type { ComparableRequest } from './comparable';
import { applyMasks, type Mask } from './masks';

/**
 * Does a request say all that was recorded? It may say more. As in CheckAgent (`ReplayEngine`): objects are looked into,
 * lists and values have to be equal.
 */
export function isSubset(recorded: ComparableRequest, asked: ComparableRequest, masks: readonly Mask[]): boolean {
  if (recorded.address !== undefined && recorded.address !== asked.address) return false;
  if (recorded.model !== undefined && recorded.model !== asked.model) return false;
  return (
    within({ ...recorded.query }, { ...asked.query }) &&
    within(applyMasks(recorded.body, masks), applyMasks(asked.body, masks))
  );
}

function within(recorded: Json, asked: Json): boolean {
  if (!isRecord(recorded) || !isRecord(asked)) return jsonEqual(recorded, asked);
  return Object.entries(recorded).every(
    ([key, value]) => Object.hasOwn(asked, key) && within(value, asked[key] ?? null),
  );
}
