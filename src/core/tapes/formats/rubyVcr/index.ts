import { omitUndefined } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import type { Timing } from '../../../model/interaction';
import { firstKey } from '../../../yaml/yamlOutline';
import type { TapeFormat } from '../../format';
import { type TapeFile, textParts } from '../../tapeFile';
import { HTTP_EXCHANGES, writeSubset } from '../../writableFormat';
import { httpEditMembers } from '../shared/editHttpTape';
import { type BodyContext, type HttpLayout, stringAt } from '../shared/httpTape';
import { outlineOf } from '../shared/marks';
import { jsonBody, noBody, type StoredBody } from '../shared/storedBody';
import {
  arrayNode,
  asBinary,
  editYamlHttpTape,
  followYamlHttpTape,
  objectNode,
  readYamlHttpTape,
  scalarBody,
  withMembers,
  type YamlHttpFormat,
} from '../shared/yamlHttpTape';
import { writeRubyVcr, writeRVcr } from './write';

const LAYOUT: HttpLayout = {
  id: 'ruby-vcr',
  at: {
    entries: 'http_interactions',
    version: 'recorded_with',
    method: 'request.method',
    url: 'request.uri',
    requestHeaders: 'request.headers',
    request: 'request.body',
    status: 'response.status.code',
    responseHeaders: 'response.headers',
    response: 'response.body',
  },
  requestBody: readBody,
  responseBody: readBody,
  timing,
};

/** Psych writes base64 on one line. */
const rubyFormat: YamlHttpFormat = {
  layout: LAYOUT,
  writer: { step: 2, width: 80, plainness: 'bmp', binaryColumns: Number.POSITIVE_INFINITY },
  shape: ([root]) => root && shape(root),
};

const rFormat: YamlHttpFormat = {
  ...rubyFormat,
  layout: { ...LAYOUT, id: 'r-vcr' },
  writer: { step: 2, width: 80, plainness: 'bmp', binaryColumns: 76 },
};

/** Cassettes of Ruby's VCR (vcr/vcr), in YAML or JSON. */
export const rubyVcrFormat = {
  id: 'ruby-vcr',
  label: 'Ruby VCR cassette',
  family: 'http',
  extensions: ['yml', 'yaml', 'json'],
  looksLike: (file) => isVcr(file) && !isR(file),
  servesInOrder: true,
  read: (file) => readYamlHttpTape(rubyFormat, file),
  ...writeSubset(HTTP_EXCHANGES, (_name, interactions, into) => writeRubyVcr(interactions, into)),
  ...httpEditMembers((file, edit) => editYamlHttpTape(rubyFormat, file, edit)),
  followingEdits: (file, changes) => followYamlHttpTape(rubyFormat, file, changes),
} satisfies TapeFormat;

/**
 * Cassettes of R's vcr (ropensci/vcr); since version 2 without headers of requests, with a plain status and other
 * dates.
 */
export const rVcrFormat = {
  id: 'r-vcr',
  label: 'R vcr cassette',
  family: 'http',
  extensions: ['yml', 'yaml', 'json'],
  looksLike: (file) => isVcr(file) && isR(file),
  servesInOrder: true,
  read: (file) => readYamlHttpTape(rFormat, file),
  ...writeSubset(HTTP_EXCHANGES, (_name, interactions, into) => writeRVcr(interactions, into)),
  ...httpEditMembers((file, edit) => editYamlHttpTape(rFormat, file, edit)),
  followingEdits: (file, changes) => followYamlHttpTape(rFormat, file, changes),
} satisfies TapeFormat;

function isVcr(file: TapeFile): boolean {
  const text = textParts(file);
  return firstKey(text) === 'http_interactions';
}

/** R's recorder is `vcr/1.7.0` or `VCR-vcr/2.1.0`, Ruby's `VCR 6.1.0`. Without it, requests of R have no headers. */
function isR(file: TapeFile): boolean {
  const text = textParts(file);
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

/** A status is an object in Ruby, a number in R, and an object with other names in older versions of R's vcr. */
function entryShape(entry: JsonNode): JsonNode {
  const response = member(entry, 'response');
  const status = member(response, 'status');
  if (entry.type !== 'object' || response?.type !== 'object' || status === undefined) return entry;
  const code = status.type === 'object' ? (member(status, 'code') ?? member(status, 'status_code')) : status;
  const number: JsonNode | undefined =
    code?.type === 'string' && /^\d+$/.test(code.value)
      ? { type: 'number', lexeme: code.value, start: code.start, end: code.end }
      : code;
  if (number === undefined) return entry;
  return withMembers(entry, { response: withMembers(response, { status: objectNode({ code: number }, status) }) });
}

function readBody({ node }: BodyContext): StoredBody {
  if (node?.type !== 'object') return scalarBody(node);
  const base64 = member(node, 'base64_string');
  if (base64?.type === 'string') return scalarBody(asBinary(base64));
  // For a body that was written to disk, the file has only a path.
  const onDisk = member(node, 'file');
  if (onDisk?.type === 'literal' && onDisk.value === true) return noBody(node);
  const fields = member(node, 'fields');
  return fields === undefined ? emptyIsNone(member(node, 'string')) : jsonBody(fields);
}

function emptyIsNone(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' && node.value === '' ? noBody(node) : scalarBody(node);
}

function timing(entry: JsonNode): Timing {
  return omitUndefined({ recordedAt: stringAt(entry, 'recorded_at') });
}
