import { omitUndefined } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member } from '../../../json/readJson';
import type { NotKept } from '../../../model/http';
import type { TextParts } from '../../../text/textParts';
import { outlineOf } from '../../marks';
import { type HttpDescription, httpFormat } from '../shared/httpFormat';
import { type BodyContext, stringAt } from '../shared/httpTape';
import { arrayNode, objectNode, withMembers } from '../shared/shape';
import { asBinary, jsonBody, noBody, type StoredBody, scalarBody, scalarOrNone } from '../shared/storedBody';
import { writeRubyVcr, writeRVcr } from './write';

/** What the cassettes of both recorders are. */
const CASSETTE = {
  files: ['yml', 'yaml', 'json'],
  begins: ['http_interactions'],
  marks: 'http_interactions',
  at: { entries: 'http_interactions', version: 'recorded_with', url: 'request.uri', status: 'response.status.code' },
  shape: ([root]) => root && shape(root),
  body,
  notKept,
  timing: (entry) => omitUndefined({ recordedAt: stringAt(entry, 'recorded_at') }),
  servesInOrder: true,
  needsDates: true,
} satisfies Partial<HttpDescription>;

/** Cassettes of Ruby's VCR (vcr/vcr), in YAML or JSON. */
export const rubyVcrFormat = httpFormat({
  ...CASSETTE,
  id: 'ruby-vcr',
  label: 'Ruby VCR cassette',
  isOwn: (text) => !isR(text),
  // Psych writes base64 on one line.
  yaml: { step: 2, width: 80, plainness: 'bmp', binaryColumns: Number.POSITIVE_INFINITY },
  write: (_name, interactions, into) => writeRubyVcr(interactions, into),
});

/**
 * Cassettes of R's vcr (ropensci/vcr); since version 2 without headers of requests, with a plain status and other
 * dates.
 */
export const rVcrFormat = httpFormat({
  ...CASSETTE,
  id: 'r-vcr',
  label: 'R vcr cassette',
  isOwn: isR,
  yaml: { step: 2, width: 80, plainness: 'bmp', binaryColumns: 76 },
  write: (_name, interactions, into) => writeRVcr(interactions, into),
});

/** R's recorder is `vcr/1.7.0` or `VCR-vcr/2.1.0`, Ruby's `VCR 6.1.0`. Without it, requests of R have no headers. */
function isR(text: TextParts): boolean {
  const writer = /(?:^|[{,])\s*["']?recorded_with["']?\s*:\s*["']?(?:VCR-)?(vcr\/\d)?/m.exec(text.slice(-4096));
  if (writer !== null) return writer[1] !== undefined;
  const paths = outlineOf(text);
  return paths.has('http_interactions[].request') && !paths.has('http_interactions[].request.headers');
}

function shape(root: JsonNode): JsonNode {
  const list = member(root, 'http_interactions');
  if (root.type !== 'object' || list?.type !== 'array') return root;
  return withMembers(root, { http_interactions: arrayNode(list.items.map(entryShape), list) });
}

/**
 * A status is an object in Ruby, a number in R, and an object with other names in older versions of R's vcr. Betamax of Python
 * had it under another name in its first ones.
 */
function entryShape(entry: JsonNode): JsonNode {
  const response = member(entry, 'response');
  const status = member(response, 'status') ?? member(response, 'status_code');
  if (entry.type !== 'object' || response?.type !== 'object' || status === undefined) return entry;
  const code = status.type === 'object' ? (member(status, 'code') ?? member(status, 'status_code')) : status;
  const number: JsonNode | undefined =
    code?.type === 'string' && /^\d+$/.test(code.value)
      ? { type: 'number', lexeme: code.value, start: code.start, end: code.end }
      : code;
  if (number === undefined) return entry;
  const read = { status: objectNode({ code: number }, status), status_code: undefined };
  return withMembers(entry, { response: withMembers(response, read) });
}

/** R's vcr writes the bodies of downloads to disk, and only their paths into the cassette. */
function notKept(entry: JsonNode): NotKept | undefined {
  const response = nodeAt(entry, 'response.body');
  const file = isOnDisk(response) ? stringAt(response, 'string') : undefined;
  return file === undefined ? undefined : { why: 'elsewhere', file };
}

function isOnDisk(node: JsonNode | undefined): boolean {
  const file = node && member(node, 'file');
  return file?.type === 'literal' && file.value === true;
}

function body({ node }: BodyContext): StoredBody {
  if (node?.type !== 'object') return scalarBody(node);
  const base64 = member(node, 'base64_string');
  if (base64?.type === 'string') return scalarBody(asBinary(base64));
  if (isOnDisk(node)) return noBody(node);
  const fields = member(node, 'fields');
  return fields === undefined ? scalarOrNone(member(node, 'string')) : jsonBody(fields);
}
