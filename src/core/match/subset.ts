import { isRecord, type Json, jsonEqual } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import type { Mask } from '../model/case';
import { ALL_MEMBERS } from '../wire/requestMembers';
import type { ComparableRequest } from './comparableRequest';
import { withCountedIds } from './meaning';
import { type RequestPart, type RequestParts, requestParts } from './requestParts';
import { maskedParts } from './signature';

/**
 * Whether a request contains everything that was recorded, and possibly more: parameters, tools, and instructions. Other messages would
 * make it another conversation. Lists in a parameter are compared as wholes, as in CheckAgent (`ReplayEngine`).
 */
export function isSubset(recorded: ComparableRequest, request: ComparableRequest, masks: readonly Mask[]): boolean {
  if (recorded.address !== undefined && recorded.address !== request.address) return false;
  const [said, now] = [meaning(recorded, masks), meaning(request, masks)];
  if (said.model !== undefined && said.model !== now.model) return false;
  return (
    isPartOf(said.params, now.params) &&
    areAmong(said.messages, now.messages, isInstruction) &&
    areAmong(said.tools, now.tools, () => true)
  );
}

function meaning(request: ComparableRequest, masks: readonly Mask[]): RequestParts {
  return withCountedIds(maskedParts(requestParts(request), masks));
}

const INSTRUCTIONS = new Set(ALL_MEMBERS.system.map(jsonPointer));

function isInstruction({ name, path }: RequestPart): boolean {
  return name === 'system' || name === 'developer' || INSTRUCTIONS.has(jsonPointer(path));
}

/** Whether some of the parts that there are now are the recorded ones, in their order, and all others may be added. */
function areAmong(
  recorded: readonly RequestPart[],
  now: readonly RequestPart[],
  mayBeAdded: (part: RequestPart) => boolean,
): boolean {
  let found = 0;
  for (const part of now) {
    const next = recorded[found];
    if (next !== undefined && isPartOf(next.value, part.value)) found += 1;
    else if (!mayBeAdded(part)) return false;
  }
  return found === recorded.length;
}

/** Whether all members of an object, at any depth, are in another one as well. Lists and other values are compared as wholes. */
export function isPartOf(recorded: Json, value: Json): boolean {
  if (!isRecord(recorded) || !isRecord(value)) return jsonEqual(recorded, value);
  return Object.entries(recorded).every(
    ([key, member]) => Object.hasOwn(value, key) && isPartOf(member, value[key] ?? null),
  );
}
