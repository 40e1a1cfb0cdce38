import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { ARRAY, NodeReader, OBJECT, STRING } from '../../../json/nodeReader';
import { PYDANTIC_FLOAT, PYDANTIC_INT } from '../../../json/pydantic';
import { member } from '../../../json/readJson';
import { message, t } from '../../../text/l10n';

/**
 * A cassette as the pydantic models of CheckAgent 2 load it (`replay/cassette.py`), with all coercions and defaults.
 */
export interface Cassette {
  readonly meta: CassetteMeta;
  /** Undefined for each interaction that pydantic refuses. */
  readonly calls: readonly (CassetteCall | undefined)[];
}

interface CassetteMeta {
  readonly schemaVersion: bigint;
  readonly recordedAt: string;
  readonly contentHash: string;
  readonly testId: string;
}

export interface CassetteCall {
  readonly node: JsonObjectNode;
  readonly id: string;
  readonly sequence: bigint;
  readonly request: CassetteRequest;
  readonly response: CassetteResponse;
  readonly metadata: JsonNode;
}

export interface CassetteRequest {
  readonly kind: string;
  readonly method: string;
  readonly model: string | undefined;
  readonly body: JsonNode;
}

export interface CassetteResponse {
  readonly status: string;
  readonly body: JsonNode;
  readonly promptTokens: bigint | undefined;
  readonly completionTokens: bigint | undefined;
  readonly durationMs: number | undefined;
}

export const SCHEMA_VERSION = 1n;
const NO_SPAN = { start: 0, end: 0 };
const EMPTY_OBJECT: JsonNode = { type: 'object', members: [], ...NO_SPAN };
const NULL: JsonNode = { type: 'literal', value: null, ...NO_SPAN };
const LONE_SURROGATE = /\p{Surrogate}/u;
const FIX = message('Correct the value: CheckAgent cannot load the cassette as it is.');

/** Reads a cassette. A problem is reported for everything that pydantic refuses. */
export class CassetteReader extends NodeReader {
  cassette(root: JsonNode): Cassette {
    const broken = firstLoneSurrogate(root);
    if (broken !== undefined) this.report(broken, t('a string has half of a surrogate pair'), t(FIX));
    const calls = this.optional(root, 'interactions', ARRAY, t(FIX)) ?? [];
    const meta = this.meta(root);
    return { meta, calls: calls.map((node) => this.#call(node, meta.schemaVersion)) };
  }

  meta(root: JsonNode): CassetteMeta {
    const node = this.optional(root, 'meta', OBJECT, t(FIX)) ?? EMPTY_OBJECT;
    this.optional(node, 'checkagent_version', STRING, t(FIX));
    return {
      schemaVersion: this.optional(node, 'schema_version', PYDANTIC_INT, t(FIX)) ?? SCHEMA_VERSION,
      recordedAt: this.optional(node, 'recorded_at', STRING, t(FIX)) ?? '',
      contentHash: this.optional(node, 'content_hash', STRING, t(FIX)) ?? '',
      testId: this.optional(node, 'test_id', STRING, t(FIX)) ?? '',
    };
  }

  #call(node: JsonNode, schema: bigint): CassetteCall | undefined {
    const call = this.record(node, t('an interaction'));
    if (call === undefined) return undefined;
    const request = this.required(call, 'request', OBJECT, t(FIX));
    const response = this.required(call, 'response', OBJECT, t(FIX));
    return {
      node: call,
      id: this.optional(call, 'id', STRING, t(FIX)) ?? '',
      sequence: this.optional(call, 'sequence', PYDANTIC_INT, t(FIX)) ?? 0n,
      request: this.#request(request ?? EMPTY_OBJECT, request !== undefined && schema >= SCHEMA_VERSION),
      response: this.#response(response ?? EMPTY_OBJECT),
      metadata: this.optional(call, 'metadata', OBJECT, t(FIX)) ?? EMPTY_OBJECT,
    };
  }

  /** Migration adds the kind to an old cassette. */
  #request(node: JsonNode, needsKind: boolean): CassetteRequest {
    const kindFix = t('Use "kind": "llm" or "kind": "tool".');
    const kind = needsKind
      ? this.required(node, 'kind', STRING, kindFix)
      : this.optional(node, 'kind', STRING, kindFix);
    return {
      kind: kind ?? 'llm',
      method: this.optional(node, 'method', STRING, t(FIX)) ?? '',
      model: this.nullable(node, 'model', STRING, t(FIX)),
      body: this.optional(node, 'body', OBJECT, t('Use an object, such as {"messages": […]}.')) ?? EMPTY_OBJECT,
    };
  }

  #response(node: JsonNode): CassetteResponse {
    return {
      status: this.optional(node, 'status', STRING, t(FIX)) ?? 'ok',
      body: member(node, 'body') ?? NULL,
      promptTokens: this.nullable(node, 'prompt_tokens', PYDANTIC_INT, t(FIX)),
      completionTokens: this.nullable(node, 'completion_tokens', PYDANTIC_INT, t(FIX)),
      durationMs: this.nullable(node, 'duration_ms', PYDANTIC_FLOAT, t(FIX)),
    };
  }
}

/** The first string with half of a surrogate pair, which pydantic's JSON parser refuses everywhere. */
function firstLoneSurrogate(node: JsonNode): JsonNode | undefined {
  if (node.type === 'string') return LONE_SURROGATE.test(node.value) ? node : undefined;
  if (node.type === 'array') return firstResult(node.items, firstLoneSurrogate);
  if (node.type !== 'object') return undefined;
  return firstResult(node.members, ({ key, value }) => (LONE_SURROGATE.test(key) ? node : firstLoneSurrogate(value)));
}

function firstResult<T>(items: readonly T[], find: (item: T) => JsonNode | undefined): JsonNode | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
