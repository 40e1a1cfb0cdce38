import type { JsonNode, JsonObjectNode } from '../../json/jsonDocument';
import { member } from '../../json/jsonDocument';
import { LIST, NodeReader, RECORD, TEXT } from '../nodeReader';
import { PYDANTIC_FLOAT, PYDANTIC_INT } from '../pydantic';

/** CheckAgent 2, `replay/cassette.py`: a cassette as its pydantic models load it, with all coercions and defaults made. */
export interface Cassette {
  readonly meta: CassetteMeta;
  /** Undefined at the place of one that pydantic refuses. */
  readonly calls: readonly (CassetteCall | undefined)[];
}

export interface CassetteMeta {
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
const NOWHERE = { start: 0, end: 0 };
const NO_OBJECT: JsonNode = { type: 'object', members: [], ...NOWHERE };
const NULL: JsonNode = { type: 'literal', value: null, ...NOWHERE };
const HALF = /\p{Surrogate}/u;
const FIX = 'Correct it: CheckAgent does not load the cassette as it is.';

/** Reads a cassette; what pydantic would refuse becomes a problem. */
export class CassetteReader extends NodeReader {
  cassette(root: JsonNode): Cassette {
    const broken = halfCharacter(root);
    if (broken !== undefined) this.report(broken, 'a string has half of a surrogate pair', FIX);
    const calls = this.optional(root, 'interactions', LIST, FIX) ?? [];
    const meta = this.meta(root);
    return { meta, calls: calls.map((node) => this.#call(node, meta.schemaVersion)) };
  }

  meta(root: JsonNode): CassetteMeta {
    const node = this.optional(root, 'meta', RECORD, FIX) ?? NO_OBJECT;
    this.optional(node, 'checkagent_version', TEXT, FIX);
    return {
      schemaVersion: this.optional(node, 'schema_version', PYDANTIC_INT, FIX) ?? SCHEMA_VERSION,
      recordedAt: this.optional(node, 'recorded_at', TEXT, FIX) ?? '',
      contentHash: this.optional(node, 'content_hash', TEXT, FIX) ?? '',
      testId: this.optional(node, 'test_id', TEXT, FIX) ?? '',
    };
  }

  #call(node: JsonNode, schema: bigint): CassetteCall | undefined {
    const call = this.record(node, 'an interaction');
    if (call === undefined) return undefined;
    const request = this.required(call, 'request', RECORD, FIX);
    const response = this.required(call, 'response', RECORD, FIX);
    return {
      node: call,
      id: this.optional(call, 'id', TEXT, FIX) ?? '',
      sequence: this.optional(call, 'sequence', PYDANTIC_INT, FIX) ?? 0n,
      request: this.#request(request ?? NO_OBJECT, request !== undefined && schema >= SCHEMA_VERSION),
      response: this.#response(response ?? NO_OBJECT),
      metadata: this.optional(call, 'metadata', RECORD, FIX) ?? NO_OBJECT,
    };
  }

  /** Of a cassette that is to be migrated, the migration adds the kind. */
  #request(node: JsonNode, needsKind: boolean): CassetteRequest {
    const kindFix = 'Use "kind": "llm" or "kind": "tool".';
    const kind = needsKind ? this.required(node, 'kind', TEXT, kindFix) : this.optional(node, 'kind', TEXT, kindFix);
    return {
      kind: kind ?? 'llm',
      method: this.optional(node, 'method', TEXT, FIX) ?? '',
      model: this.nullable(node, 'model', TEXT, FIX),
      body: this.optional(node, 'body', RECORD, 'Use an object, such as {"messages": […]}.') ?? NO_OBJECT,
    };
  }

  #response(node: JsonNode): CassetteResponse {
    return {
      status: this.optional(node, 'status', TEXT, FIX) ?? 'ok',
      body: member(node, 'body') ?? NULL,
      promptTokens: this.nullable(node, 'prompt_tokens', PYDANTIC_INT, FIX),
      completionTokens: this.nullable(node, 'completion_tokens', PYDANTIC_INT, FIX),
      durationMs: this.nullable(node, 'duration_ms', PYDANTIC_FLOAT, FIX),
    };
  }
}

/** The first string with half of a surrogate pair, which pydantic's JSON parser refuses wherever it stands. */
function halfCharacter(node: JsonNode): JsonNode | undefined {
  if (node.type === 'string') return HALF.test(node.value) ? node : undefined;
  if (node.type === 'array') return firstOf(node.items, halfCharacter);
  if (node.type !== 'object') return undefined;
  return firstOf(node.members, ({ key, value }) => (HALF.test(key) ? node : halfCharacter(value)));
}

function firstOf<T>(items: readonly T[], find: (item: T) => JsonNode | undefined): JsonNode | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
