import { asList, asRecord, asRecords, asString, omitUndefined } from '../../../json/fields';
import { compactJson, type Json, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { ARRAY, NodeReader } from '../../../json/nodeReader';
import { jsonValue, member } from '../../../json/readJson';
import type { Chunk } from '../../../model/http';
import type { ChatResponse } from '../../../model/message';
import { t } from '../../../text/l10n';
import { composePattern } from '../../../text/pattern';
import { joinXaiChunks, readXaiRequest, readXaiResponse } from '../../../wire/grpc/readXai';
import type { InteractionContent } from '../../lazyTape';
import { documentFormat, versionOf } from '../shared/documentFormat';

const MEMBERS = 'request_sample|response_sample|request_stream|response_stream|collections_method';

/**
 * pydantic-ai's recordings of xAI's gRPC client: authoritative protobuf in base64, with a readable JSON copy, which is
 * read here. An interaction is a sample, a stream, or a call of the collections API.
 */
export const xaiProtoFormat = documentFormat({
  id: 'xai-proto',
  label: 'xAI gRPC cassette',
  family: 'frames',
  files: ['yaml', 'yml'],
  syntax: 'text',
  marks: composePattern(`^["']?interactions["']?:[ \\t\\r]*\\n\\s*-\\s+["']?(?:${MEMBERS})["']?:`, 'm'),
  reader: () => new NodeReader(),
  document: (reader, root) => ({
    version: versionOf(root),
    entries: (reader.optional(root, 'interactions', ARRAY) ?? []).map((node) => ({
      place: node,
      read: (own: NodeReader) => readCall(node, own),
    })),
  }),
});

function readCall(node: JsonNode, reader: NodeReader): InteractionContent {
  const collections = member(node, 'collections_method');
  if (collections !== undefined) return { kind: 'http', summary: collectionsSummary(collections) };
  const request = jsonTwin(member(node, 'request_sample') ?? member(node, 'request_stream'));
  const response = responseOf(node);
  if (request === undefined && response === undefined)
    reader.report(
      node,
      t('this interaction is recorded in protobuf only, which is not read here'),
      t('Record it again with a version of pydantic-ai that also writes JSON.'),
      'info',
    );
  return omitUndefined({ kind: 'llm' as const, request: request && readXaiRequest(request), response });
}

/** The JSON copy of the protobuf. */
function jsonTwin(recorded: JsonNode | undefined): JsonRecord | undefined {
  const json = member(recorded, 'json');
  return json === undefined ? undefined : asRecord(jsonValue(json));
}

function responseOf(node: JsonNode): ChatResponse | undefined {
  const sample = jsonTwin(member(node, 'response_sample'));
  if (sample !== undefined) return readXaiResponse(sample);
  const listed = member(member(node, 'response_stream'), 'chunks_json');
  if (listed === undefined) return undefined;
  // The client yields pairs: the response so far, and the new piece.
  const pieces = asList(jsonValue(listed)).map((piece) => asRecord(asRecord(piece).chunk ?? piece));
  const chunks = pieces.map((piece): Chunk => ({ data: compactJson(piece) }));
  return { ...readXaiResponse(joinXaiChunks(pieces)), chunks };
}

function collectionsSummary(node: JsonNode): string {
  const { method, request_json: request } = asRecord(withoutRaw(node));
  const queries = asRecords([request ?? null]).flatMap(({ query }) => asString(query) ?? []);
  return [`collections: ${asString(method) ?? 'unknown method'}`, ...queries].join(', ');
}

/** The value of a node without its protobuf. */
function withoutRaw(node: JsonNode): Json {
  if (node.type !== 'object') return null;
  const kept = node.members.filter(({ key }) => !key.endsWith('raw'));
  return Object.fromEntries(kept.map(({ key, value }) => [key, jsonValue(value)]));
}
