import { isRecord, type Json, type JsonRecord, jsonEqual } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import { isCovered, type PointerPattern, parsePointer, patternsAt, patternsBelow } from '../json/jsonPointer';
import type { ProtocolId } from '../model/interaction';
import { composePattern } from '../text/pattern';
import { PROTOCOLS } from '../wire/registry';
import type { RequestPart, RequestParts } from './requestParts';

interface Default {
  readonly pattern: PointerPattern;
  readonly value: Json;
}

const DEFAULTS: ReadonlyMap<ProtocolId | undefined, readonly Default[]> = new Map(
  PROTOCOLS.map(({ id, defaults = {} }) => [
    id,
    Object.entries(defaults).map(([pointer, value]) => ({ pattern: parsePointer(pointer), value })),
  ]),
);

/**
 * A request without the members that say nothing: those that are null or empty, and parameters at their default. An SDK's new
 * version may begin or cease to send them.
 */
export function withoutEmptyMembers(parts: RequestParts): RequestParts {
  // What other programs mean by a null inside of a member is theirs to say.
  const inside = parts.protocol === undefined ? identity : sayingInside;
  const written = saying(inside(parts.params, isEmptyList), isEmpty);
  const params = withoutDefaults(written, DEFAULTS.get(parts.protocol) ?? []);
  const messages = sayingParts(mapValues(parts.messages, (value) => saying(inside(value, isEmptyList), isEmpty)));
  const tools = mapValues(parts.tools, (tool) => toolSaying(inside(tool, isNull)));
  const isSame = params === parts.params && messages === parts.messages && tools === parts.tools;
  return isSame ? parts : { ...parts, params, messages, tools, ...(written !== params && { written }) };
}

/** Empty instructions are none; an element of a list has a place in the conversation. */
function sayingParts(parts: readonly RequestPart[]): readonly RequestPart[] {
  const isSaying = ({ path, value }: RequestPart): boolean => path.length > 1 || !isEmpty(value);
  return parts.every(isSaying) ? parts : parts.filter(isSaying);
}

function withoutDefaults(record: JsonRecord, defaults: readonly Default[]): JsonRecord {
  let left: Record<string, Json> | undefined;
  for (const name of Object.keys(record)) {
    const inside = defaults.flatMap(({ pattern: [first, ...pattern], value }) =>
      first === name ? [{ pattern, value }] : [],
    );
    if (inside.length === 0) continue;
    const member = record[name] ?? null;
    const said = isRecord(member) ? withoutDefaults(member, inside) : member;
    const isDefault = inside.some(({ pattern, value }) => pattern.length === 0 && jsonEqual(said, value));
    if (said === member && !isDefault) continue;
    left ??= { ...record };
    if (isDefault || isEmpty(said)) delete left[name];
    else left[name] = said;
  }
  return left ?? record;
}

/** https://platform.openai.com/docs/api-reference/chat/create; in Responses, whose functions are in no member, `strict` is the default. */
const FUNCTION_DEFAULTS: readonly Default[] = [{ pattern: ['strict'], value: false }];

/** Most functions of a tool are in a member. What a schema says is left alone. */
function toolSaying(tool: JsonRecord): JsonRecord {
  const own = saying(tool, isNull);
  const inner = isRecord(own.function) ? withoutDefaults(saying(own.function, isNull), FUNCTION_DEFAULTS) : undefined;
  return inner === undefined || inner === own.function ? own : { ...own, function: inner };
}

function isNull(value: Json): boolean {
  return value === null;
}

/** An empty object may be a choice: `{ "any": {} }`. */
function isEmptyList(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function identity(record: JsonRecord): JsonRecord {
  return record;
}

/** What is in these is said by the agent or its tools, not by an SDK: schemas, arguments, and results. */
const OWN_CONTENT = /schema$|^(parameters|arguments|args|input|output|response|variables|json|data)$/i;

/** A record without what says nothing inside of its members, at any depth: SDKs write what was not set as null. */
function sayingInside(record: JsonRecord, saysNothing: (value: Json) => boolean): JsonRecord {
  let left: Record<string, Json> | undefined;
  for (const [name, member] of Object.entries(record)) {
    const said = OWN_CONTENT.test(name) ? member : valueSaying(member ?? null, saysNothing);
    if (said === member) continue;
    left ??= { ...record };
    // What had only members that say nothing says nothing.
    if (isRecord(said) && isEmpty(said)) delete left[name];
    else left[name] = said ?? null;
  }
  return left ?? record;
}

function valueSaying(value: Json, saysNothing: (value: Json) => boolean): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => valueSaying(item, saysNothing));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  // A schema without a name that says so, such as Ollama's `format`.
  if (!isRecord(value) || 'properties' in value) return value;
  return saying(sayingInside(value, saysNothing), saysNothing);
}

function saying(record: JsonRecord, saysNothing: (value: Json) => boolean): JsonRecord {
  const entries = Object.entries(record);
  if (!entries.some(([, value]) => saysNothing(value ?? null))) return record;
  return Object.fromEntries(entries.filter(([, value]) => !saysNothing(value ?? null)));
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function mapValues(parts: readonly RequestPart[], change: (value: JsonRecord) => JsonRecord): readonly RequestPart[] {
  const changed = parts.map((part) => {
    if (!isRecord(part.value)) return part;
    const value = change(part.value);
    return value === part.value ? part : { ...part, value };
  });
  return changed.every((part, index) => part === parts[index]) ? parts : changed;
}

const CALL_IDS: ReadonlyMap<ProtocolId | undefined, readonly PointerPattern[]> = new Map([
  ...PROTOCOLS.map(({ id, callIds = [] }) => [id, callIds.map(parsePointer)] as const),
  // What no protocol is recognised in may be of any.
  [undefined, PROTOCOLS.flatMap(({ callIds = [] }) => callIds.map(parsePointer))] as const,
]);

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
/** With or without its hyphens, as `uuid4().hex` and OpenTelemetry write it. */
const WHOLE_UUID = composePattern(`^(?:${UUID}|[0-9a-f]{32})$`, 'i');
/** The names of what a client calls by a new UUID in each run, some after that of a product. Any other UUID may be that of a customer. */
const RUN_ID =
  /^\??(?:(?:litellm|langfuse|langsmith|ls|otel|mlflow|sentry|parent|root)[_.-]?)?(?:session|run|trace|span|request|correlation|invocation|execution)[_-]?(?:id|uuid)$/i;
/** Claude Code names the user by its machine, account, and session: `{"device_id":"…",…,"session_id":"…"}`, earlier `user_…_session_…`. */
const CLAUDE_CODE_USER = composePattern(
  `^(?:\\{"device_id":"\\w+",(?:"account_uuid":"[\\w-]*",)?"session_id":"${UUID}"\\}|user_\\w+_account_[\\w-]*_session_${UUID})$`,
  'i',
);

/**
 * The request with the ids that a client made up counted in their order: some make up new ones of tool calls for each request, or of
 * a session for each run.
 */
export function withCountedIds(parts: RequestParts): RequestParts {
  const places = CALL_IDS.get(parts.protocol) ?? [];
  const ids = new Map<string, string>();
  const counted = (value: Json, open: readonly PointerPattern[]): Json => {
    if (open.length === 0) return value;
    if (typeof value === 'string') return isCovered(open) ? numberOf(ids, value) : value;
    if (Array.isArray(value)) {
      const items = value.map((item, index) => counted(item, patternsBelow(open, `${index}`)));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    return isRecord(value) ? countedMembers(value, open) : value;
  };
  const countedMembers = (record: JsonRecord, open: readonly PointerPattern[]): JsonRecord => {
    let changed: Record<string, Json> | undefined;
    for (const name of Object.keys(record)) {
      const member = record[name] ?? null;
      const now = counted(member, patternsBelow(open, name));
      if (now !== member) changed = { ...(changed ?? record), [name]: now };
    }
    return changed ?? record;
  };
  const params = withoutRunIds(withoutClient(countedMembers(parts.params, places), parts.address));
  // All messages of a list are at one place, since no place is that of a single one.
  const placesAt = new Map<JsonPath[number] | undefined, readonly PointerPattern[]>();
  const messages = parts.messages.map((part) => {
    const [list] = part.path;
    const open = placesAt.get(list) ?? patternsAt(places, part.path);
    placesAt.set(list, open);
    const value = counted(part.value, open);
    return value === part.value ? part : { ...part, value };
  });
  const isSame = params === parts.params && messages.every((part, index) => part === parts.messages[index]);
  return isSame ? parts : { ...parts, params, messages };
}

/**
 * What GrowthBook is asked for the feature flags of a client, without what the client says of itself: Claude Code names its session,
 * its machine, and the kind of its key.
 */
function withoutClient(record: JsonRecord, address = ''): JsonRecord {
  return 'attributes' in record && GROWTHBOOK.test(address) ? { ...record, attributes: '<client>' } : record;
}

const GROWTHBOOK = /\/api\/eval\/sdk-\w+$/;

/** Settings without the UUIDs that name a run. */
function withoutRunIds(record: JsonRecord): JsonRecord {
  let changed: Record<string, Json> | undefined;
  for (const name of Object.keys(record)) {
    const member = record[name] ?? null;
    const now = withoutRunId(member, name);
    if (now !== member) changed = { ...(changed ?? record), [name]: now };
  }
  return changed ?? record;
}

function withoutRunId(value: Json, name: string): Json {
  if (typeof value === 'string') {
    const isOfRun = RUN_ID.test(name) ? WHOLE_UUID.test(value) : name === 'user_id' && CLAUDE_CODE_USER.test(value);
    return isOfRun ? '<id>' : value;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutRunId(item, name));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return isRecord(value) ? withoutRunIds(value) : value;
}

function numberOf(ids: Map<string, string>, id: string): string {
  const known = ids.get(id) ?? `call ${ids.size + 1}`;
  ids.set(id, known);
  return known;
}
