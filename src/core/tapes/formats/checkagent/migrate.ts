import { sha256Hex } from '../../../hash/digest';
import type { JsonRecord } from '../../../json/json';
import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { toNode } from '../../../json/jsonNode';
import { pythonJson } from '../../../json/pythonJson';
import { member } from '../../../json/readJson';

/**
 * CheckAgent's migration of schema 0 to 1, `replay/migration.py`: the same defaults in the same order, printed as
 * `json.dumps(data, indent=2)` does. Undefined if `checkagent migrate-cassettes` leaves the file alone or fails.
 */
export function migrateCassette(root: JsonNode): string | undefined {
  if (root.type !== 'object') return undefined;
  const meta = member(root, 'meta');
  const calls = member(root, 'interactions') ?? toNode([]);
  if (meta?.type !== 'object' || !isZero(member(meta, 'schema_version')) || calls.type !== 'array') return undefined;
  const migrated = calls.items.map(migrateCall);
  if (migrated.some((call) => call === undefined)) return undefined;
  const items = migrated.flatMap((call) => call ?? []);
  const withMeta = replaced(root, 'meta', replaced(withDefaults(meta, META), 'schema_version', toNode(1)));
  const cassette = member(root, 'interactions') ? replaced(withMeta, 'interactions', { ...calls, items }) : withMeta;
  return pythonJson(cassette, { indent: 2 });
}

const META = { checkagent_version: '', content_hash: '', test_id: '', recorded_at: '' };

function isZero(version: JsonNode | undefined): boolean {
  return version?.type === 'number' && Number(version.lexeme) === 0;
}

function migrateCall(call: JsonNode, index: number): JsonObjectNode | undefined {
  if (call.type !== 'object') return undefined;
  const numbered = withDefaults(call, { sequence: index });
  const named = isTrue(member(numbered, 'id')) ? numbered : withId(numbered);
  const request = member(call, 'request') ?? toNode({});
  const response = member(call, 'response') ?? toNode({});
  if (named === undefined || request.type !== 'object' || response.type !== 'object') return undefined;
  const described = withDefaults(named, { metadata: {} });
  const withRequest = replaced(described, 'request', withDefaults(request, { kind: 'llm', method: '', body: {} }));
  return replaced(withRequest, 'response', withDefaults(response, { status: 'ok' }));
}

/** The id is computed before the defaults are set, whatever the types of the method and the body. */
function withId(call: JsonObjectNode): JsonObjectNode {
  const request = member(call, 'request');
  const method = member(request, 'method') ?? toNode('');
  const body = member(request, 'body') ?? toNode({});
  const sorted = (node: JsonNode): string => pythonJson(node, { sortKeys: true });
  return replaced(call, 'id', toNode(sha256Hex(`{"body": ${sorted(body)}, "method": ${sorted(method)}}`).slice(0, 16)));
}

/** The truth of a value in Python. */
function isTrue(node: JsonNode | undefined): boolean {
  if (node === undefined) return false;
  if (node.type === 'string') return node.value !== '';
  if (node.type === 'number') return Number(node.lexeme) !== 0;
  if (node.type === 'literal') return node.value === true;
  return node.type === 'array' ? node.items.length > 0 : node.members.length > 0;
}

/** `setdefault` for each member. */
function withDefaults(object: JsonObjectNode, defaults: JsonRecord): JsonObjectNode {
  const missing = Object.entries(defaults).filter(([key]) => member(object, key) === undefined);
  return missing.reduce((node, [key, value]) => replaced(node, key, toNode(value)), object);
}

/** The object with another value for a member; a new member comes last. */
function replaced(object: JsonObjectNode, key: string, value: JsonNode): JsonObjectNode {
  const at = object.members.findLastIndex((candidate) => candidate.key === key);
  const old = object.members[at];
  if (old === undefined) {
    const keySpan = { start: object.end, end: object.end };
    return { ...object, members: [...object.members, { key, keySpan, value }] };
  }
  return { ...object, members: object.members.with(at, { ...old, value }) };
}
