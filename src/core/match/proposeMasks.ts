import type { Mask } from '../model/case';
import { compareRequests, countChanges, type RequestChanges } from './compareRequests';
import { jsonPointer, MASK_PRESETS } from './masks';
import type { RequestParts } from './requestParts';
import { maskedParts } from './signature';

/** With more differing places than this it is another request, not a volatile value. */
const MAX_PATHS = 3;
/** With more differing messages than this it is another conversation. */
const MAX_MESSAGES = 40;

/**
 * The fewest masks, besides the declared ones, with which a request would match a recording: presets where they suffice,
 * otherwise the paths of the values that differ. Empty where no masks would suffice.
 */
export function proposeMasks(
  wholeRecorded: RequestParts,
  wholeNow: RequestParts,
  declared: readonly Mask[],
): readonly Mask[] {
  const [recorded, now] = differentParts(wholeRecorded, wholeNow);
  if (recorded.messages.length + now.messages.length > MAX_MESSAGES) return [];
  const differs = (masks: readonly Mask[]) =>
    compareRequests(maskedParts(recorded, [...declared, ...masks]), maskedParts(now, [...declared, ...masks]));
  const before = countValues(differs([]));
  const useful = needed(before, (masks) => countValues(differs(masks)));
  const rest = differs(useful);
  if (countChanges(rest) === 0) return useful;
  const paths = pathsOf(rest, now);
  const all = paths && [...useful, ...paths];
  return all !== undefined && countChanges(differs(all)) === 0 ? all : [];
}

/** The requests without the messages and tools that are equal in both. */
function differentParts(recorded: RequestParts, now: RequestParts): readonly [RequestParts, RequestParts] {
  const { messages, tools } = compareRequests(recorded, now);
  const from = new Set(messages.flatMap((change) => ('from' in change ? jsonPointer(change.from) : [])));
  const to = new Set(messages.flatMap((change) => ('to' in change ? jsonPointer(change.to) : [])));
  const names = new Set(tools.map(({ name }) => name));
  const only = (parts: RequestParts, places: ReadonlySet<string>): RequestParts => ({
    ...parts,
    messages: parts.messages.filter(({ path }) => places.has(jsonPointer(path))),
    tools: parts.tools.filter(({ name }) => names.has(name)),
  });
  return [only(recorded, from), only(now, to)];
}

/** The presets without which more values would differ. */
function needed(before: number, count: (masks: readonly Mask[]) => number): readonly Mask[] {
  const all = MASK_PRESETS.map((preset): Mask => ({ type: 'preset', preset }));
  const least = count(all);
  if (least === before) return [];
  return all.reduceRight<readonly Mask[]>((kept, mask) => {
    const without = kept.filter((other) => other !== mask);
    return count(without) === least ? without : kept;
  }, all);
}

/** The number of values that differ; a message may hold several, of which a mask covers one. */
function countValues(changes: RequestChanges): number {
  const inside = [...changes.messages, ...changes.tools].map((change) =>
    'values' in change ? change.values.length : 1,
  );
  return countChanges(changes) + inside.reduce((sum, count) => sum + count, 0);
}

/** The paths of the values that differ; undefined where more than values differ. */
function pathsOf({ address, model, params, messages, tools }: RequestChanges, now: RequestParts): Mask[] | undefined {
  if (address !== undefined) return undefined;
  const paths: (readonly string[])[] = model === undefined ? [] : [['model']];
  for (const { path } of params) paths.push(path.map(String));
  for (const change of messages) {
    if (change.type !== 'edited' || jsonPointer(change.from) !== jsonPointer(change.to)) return undefined;
    for (const { path } of change.values) paths.push([...change.to, ...path].map(String));
  }
  for (const change of tools) {
    const tool = now.tools.find(({ name }) => name === change.name);
    if (change.type !== 'changed' || tool === undefined) return undefined;
    for (const { path } of change.values) paths.push([...tool.path, ...path].map(String));
  }
  return paths.length > MAX_PATHS ? undefined : paths.map((path) => ({ type: 'path', path }));
}
