import { asList, asRecord, asRecords, asString, omitUndefined } from '../../../json/fields';
import { compactJson, type Json, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonValue, member } from '../../../json/readJson';
import type { Chunk } from '../../../model/http';
import type { Interaction } from '../../../model/interaction';
import type { ChatResponse } from '../../../model/message';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import { composePattern } from '../../../text/pattern';
import type { Problem } from '../../../text/source';
import { joinXaiChunks, readXaiRequest, readXaiResponse } from '../../../wire/grpc/readXai';
import { readYaml } from '../../../yaml/readYaml';
import type { TapeFormat } from '../../format';
import { unreadDocuments } from '../../notRead';
import type { TapeFile } from '../../tapeFile';

/**
 * pydantic-ai's recordings of xAI's gRPC client: authoritative protobuf in base64, with a readable JSON copy, which is
 * read here. An interaction is a sample, a stream, or a call of the collections API.
 */
export const xaiProtoFormat = {
  id: 'xai-proto',
  label: 'xAI gRPC cassette',
  family: 'frames',
  extensions: ['yaml', 'yml'],
  syntax: 'text',
  looksLike,
  read,
} satisfies TapeFormat;

const MEMBERS = 'request_sample|response_sample|request_stream|response_stream|collections_method';
const FIRST = composePattern(`^["']?interactions["']?:[ \\t\\r]*\\n\\s*-\\s+["']?(?:${MEMBERS})["']?:`, 'm');

function looksLike({ text }: TapeFile): boolean {
  return FIRST.test(text.slice(0, 4096));
}

function read({ text }: TapeFile): Tape {
  const { value: documents = [], problems } = readYaml(text);
  const [root] = documents;
  const items = member(root, 'interactions');
  const nodes = items?.type === 'array' ? items.items : [];
  const found: Problem[] = [...problems, ...unreadDocuments(documents)];
  const version = member(root, 'version');
  return omitUndefined({
    format: 'xai-proto' as const,
    version: version?.type === 'number' ? version.lexeme : undefined,
    interactions: nodes.map((node, index) => readInteraction(node, index, found)),
    problems: found,
  });
}

function readInteraction(node: JsonNode, index: number, found: Problem[]): Interaction {
  const source = { start: node.start, end: node.end };
  const at = { index, source };
  const collections = member(node, 'collections_method');
  if (collections !== undefined) return { ...at, kind: 'http', summary: collectionsSummary(collections) };
  const request = jsonTwin(member(node, 'request_sample') ?? member(node, 'request_stream'));
  const response = responseOf(node);
  if (request === undefined && response === undefined) found.push(missingTwinProblem(node));
  return omitUndefined({
    ...at,
    kind: 'llm' as const,
    request: request && readXaiRequest(request),
    response,
  });
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

function missingTwinProblem({ start, end }: JsonNode): Problem {
  return {
    severity: 'info',
    message: t('this interaction is recorded in protobuf only, which is not read here'),
    fix: t('Record it again with a pydantic-ai that writes the JSON beside it.'),
    span: { start, end: Math.min(end, start + 1) },
  };
}
