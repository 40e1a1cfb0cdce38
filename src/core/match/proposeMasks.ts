import { isRecord, type Json } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import type { Mask } from '../model/case';
import { PROTOCOLS } from '../wire/registry';
import { compareRequests, countChanges, type RequestChanges } from './compareRequests';
import { withoutMaskedOrder } from './maskedOrder';
import { isRandomFolder, MASK_PRESETS } from './maskPresets';
import { formatMask, MASK_ORDERS } from './masks';
import type { RequestParts } from './requestParts';
import { maskedKey, maskedParts } from './signature';
import { volatilePatterns } from './volatilePattern';

/** With more differing places than this it is another request, not a volatile value. */
const MAX_PATHS = 3;
/** With more differing messages than this it is another conversation. */
const MAX_MESSAGES = 40;

/**
 * The fewest masks, besides the declared ones, with which a request matches a recording; empty if no masks suffice. Only
 * what is volatile by its kind is masked: dates, generated ids and the like by the presets, the order of what came at once, and
 * parameters that identify a call or its caller by their path. The path of a message, a model or a tool is never proposed: that is what
 * a test is about.
 */
export function proposeMasks(recorded: RequestParts, now: RequestParts, declared: readonly Mask[]): readonly Mask[] {
  for (const orders of [[], ...differingOrders(recorded, now)]) {
    const masks = [...declared, ...orders];
    const more = proposeValueMasks(withoutMaskedOrder(recorded, orders), withoutMaskedOrder(now, orders), masks);
    if (more === undefined) continue;
    const all = [...masks, ...more];
    // The parts that are equal may still stand in another order.
    if (maskedKey(recorded, all) === maskedKey(now, all)) return [...orders, ...more];
  }
  return [];
}

/** The sets of orders in which the requests may differ, the smaller ones first. */
function differingOrders(recorded: RequestParts, now: RequestParts): readonly (readonly Mask[])[] {
  const changesOrder = (mask: Mask): boolean =>
    [recorded, now].some((parts) => {
      const sorted = withoutMaskedOrder(parts, [mask]);
      const isOther = (list: 'tools' | 'messages') =>
        sorted[list].some(({ value }, index) => value !== parts[list][index]?.value);
      return sorted.params !== parts.params || isOther('tools') || isOther('messages');
    });
  const single = MASK_ORDERS.map(({ name }): Mask => ({ type: 'order', order: name })).filter(changesOrder);
  return [...single.map((mask) => [mask]), ...(single.length > 1 ? [single] : [])];
}

/** Masks for the values that differ, which may be too few; undefined where another value differs. */
function proposeValueMasks(
  wholeRecorded: RequestParts,
  wholeNow: RequestParts,
  declared: readonly Mask[],
): readonly Mask[] | undefined {
  const [recorded, now] = differentParts(wholeRecorded, wholeNow);
  if (recorded.messages.length + now.messages.length > MAX_MESSAGES) return undefined;
  const known = new Map<string, RequestChanges>();
  const differs = (masks: readonly Mask[]): RequestChanges => {
    const name = masks.map(formatMask).join('\n');
    const all = [...declared, ...masks];
    const changes = known.get(name) ?? compareRequests(maskedParts(recorded, all), maskedParts(now, all));
    known.set(name, changes);
    return changes;
  };
  const presets = MASK_PRESETS.filter(({ name }) => name !== 'temp-path' || !namesOtherFiles(recorded, now)).map(
    (preset): Mask => ({ type: 'preset', preset }),
  );
  const besides = (more: readonly Mask[]): readonly Mask[] => [
    ...needed(presets, (masks) => countValues(differs([...more, ...masks]))),
    ...more,
  ];
  const useful = besides([]);
  const isLeft = differs(useful).messages.length > 0;
  const masks = isLeft ? besides(randomWords(differs(presets))) : useful;
  const paths = volatilePaths(differs(masks));
  return paths && [...masks, ...paths];
}

/** More patterns than this describe the text, and not what is volatile in it. */
const MAX_PATTERNS = 3;

/** Patterns for the words in which messages still differ, if all of them are random: `f4af`, but not `4711`, which may be an order. */
function randomWords({ messages }: RequestChanges): readonly Mask[] {
  if (messages.some(({ type }) => type !== 'edited')) return [];
  const values = messages.flatMap((change) => (change.type === 'edited' ? change.values : []));
  const found = values.map(({ before, after }) =>
    typeof before === 'string' && typeof after === 'string' ? volatilePatterns([before, after], isRandom) : [],
  );
  if (found.some(({ length }) => length === 0)) return [];
  const patterns = new Map(found.flat().map(({ pattern }) => [pattern.source, pattern]));
  if (patterns.size > MAX_PATTERNS) return [];
  return [...patterns.values()].map((pattern): Mask => ({ type: 'pattern', pattern }));
}

function isRandom(word: string): boolean {
  return word.length >= 4 && /\d/.test(word) && /\p{L}/u.test(word);
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

/** The masks without which more values would differ. */
function needed(all: readonly Mask[], count: (masks: readonly Mask[]) => number): readonly Mask[] {
  const least = count(all);
  if (least === count([])) return [];
  return all.reduceRight<readonly Mask[]>((kept, mask) => {
    const without = kept.filter((other) => other !== mask);
    return count(without) === least ? without : kept;
  }, all);
}

const FOLDERS = MASK_PRESETS.find(({ name }) => name === 'temp-path')?.patterns ?? [];

/** Whether a temporary path of only one of them has a name: it is another file, and not a folder with a random name. */
function namesOtherFiles(recorded: RequestParts, now: RequestParts): boolean {
  const [before, after] = [foldersIn(recorded), foldersIn(now)];
  const isNamed = (path: string): boolean => before.has(path) !== after.has(path) && !isRandomFolder(path);
  return [...before, ...after].some(isNamed);
}

function foldersIn({ params, messages, tools }: RequestParts): ReadonlySet<string> {
  const paths = textsIn([params, ...[...messages, ...tools].map(({ value }) => value)]).flatMap((text) =>
    FOLDERS.flatMap(([pattern, , hint]) => (hint.test(text) ? (text.match(pattern) ?? []) : [])),
  );
  return new Set(paths);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The number of values that differ; a message may hold several, of which a mask covers one. */
function countValues(changes: RequestChanges): number {
  const inside = [...changes.messages, ...changes.tools].map((change) =>
    'values' in change ? change.values.length : 1,
  );
  return countChanges(changes) + inside.reduce((sum, count) => sum + count, 0);
}

/** Masks for the parameters that differ; undefined if one is not volatile, or if anything else differs. */
function volatilePaths({ address, model, params, messages, tools }: RequestChanges): Mask[] | undefined {
  if (address !== undefined || model !== undefined || messages.length + tools.length > 0) return undefined;
  if (params.length > MAX_PATHS) return undefined;
  if (!params.every(({ path, before, after }) => isVolatile(path.at(-1), before, after))) return undefined;
  return params.map(({ path }) => ({ type: 'path', path: path.map(String) }));
}

const REQUEST_IDS = new Set(PROTOCOLS.flatMap(({ requestIds = [] }) => requestIds));

/** Names that any API may have for what identifies a call, a conversation or its user, such as `session_id`. */
const VOLATILE_NAME =
  /^(?:user|nonce|timestamp|idempotency_key)$|(?:^|_)(?:user|session|conversation|thread|request|trace|span|run|correlation|client|customer|device|message|response|call)_(?:id|uuid)$/;

function isVolatile(name: string | number | undefined, before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const snake = String(name ?? '').replace(/(?<=[a-z\d])([A-Z])/g, (letter) => `_${letter.toLowerCase()}`);
  if (REQUEST_IDS.has(snake) || VOLATILE_NAME.test(snake))
    return typeof before === typeof after && !isStructure(before) && !isStructure(after);
  return isEpoch(before) && isEpoch(after);
}

function isStructure(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

/** Seconds or milliseconds since 1970, from 2017 on. */
function isEpoch(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value) && /^1[5-9]\d{8}(?:\d{3})?$/.test(String(value));
}
