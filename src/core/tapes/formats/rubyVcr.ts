import { type JsonNode, member } from '../../json/jsonDocument';
import { present } from '../../wire/fields';
import { afterPrologue } from '../../yaml/prologue';
import type { Timing } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { EXCHANGES, writing } from './holdings';
import { httpEdits } from './httpEdits';
import { type BodyPlace, type HttpLayout, textAt } from './jsonHttp';
import { writeRubyVcr, writeRVcr } from './rubyVcrWrite';
import { jsonBody, noBody, type StoredBody } from './storedBody';
import {
  asBinary,
  editYamlHttpTape,
  followYamlHttpTape,
  listOf,
  objectOf,
  outlineOf,
  readYamlHttpTape,
  scalarBody,
  withMembers,
  type YamlHttpFormat,
} from './yamlHttp';

const LAYOUT: HttpLayout = {
  format: 'ruby-vcr',
  entries: ['http_interactions'],
  version: ['recorded_with'],
  method: ['request', 'method'],
  url: ['request', 'uri'],
  requestHeaders: ['request', 'headers'],
  requestBody: ['request', 'body'],
  status: ['response', 'status', 'code'],
  responseHeaders: ['response', 'headers'],
  responseBody: ['response', 'body'],
  readRequestBody: readBody,
  readResponseBody: readBody,
  timing,
};

/** Psych writes base64 on one line. */
const ruby: YamlHttpFormat = {
  layout: LAYOUT,
  writer: { step: 2, width: 80, plainness: 'bmp', binaryColumns: Number.POSITIVE_INFINITY },
  shape: ([root]) => root && shape(root),
};

const r: YamlHttpFormat = {
  ...ruby,
  layout: { ...LAYOUT, format: 'r-vcr' },
  writer: { step: 2, width: 80, plainness: 'bmp', binaryColumns: 76 },
};

/** Cassettes of Ruby's VCR (vcr/vcr), in YAML or JSON. */
export const rubyVcrFormat = {
  id: 'ruby-vcr',
  label: 'Ruby VCR cassette',
  looksLike: (file) => isVcr(file) && !isR(file),
  read: (file) => readYamlHttpTape(ruby, file),
  ...writing(EXCHANGES, (_name, interactions) => writeRubyVcr(interactions)),
  ...httpEdits((file, edit) => editYamlHttpTape(ruby, file, edit)),
  follow: (file, changes) => followYamlHttpTape(ruby, file, changes),
} satisfies TapeFormat;

/** Cassettes of R's vcr (ropensci/vcr); since version 2 without headers of requests, with a plain status and other dates. */
export const rVcrFormat = {
  id: 'r-vcr',
  label: 'R vcr cassette',
  looksLike: (file) => isVcr(file) && isR(file),
  read: (file) => readYamlHttpTape(r, file),
  ...writing(EXCHANGES, (_name, interactions) => writeRVcr(interactions)),
  ...httpEdits((file, edit) => editYamlHttpTape(r, file, edit)),
  follow: (file, changes) => followYamlHttpTape(r, file, changes),
} satisfies TapeFormat;

const START = /^(?:\{\s*)?"?http_interactions"?\s*:/;

function isVcr({ text }: TapeFile): boolean {
  return START.test(afterPrologue(text));
}

/** R's is `vcr/1.7.0` or `VCR-vcr/2.1.0`, Ruby's `VCR 6.1.0`; where that is missing, R's requests have no headers. */
function isR({ text }: TapeFile): boolean {
  const writer = /(?:^|[{,])\s*"?recorded_with"?\s*:\s*["']?(?:VCR-)?(vcr\/\d)?/m.exec(text.slice(-4096));
  if (writer !== null) return writer[1] !== undefined;
  const paths = outlineOf(text);
  return paths.has('http_interactions[].request') && !paths.has('http_interactions[].request.headers');
}

function shape(root: JsonNode): JsonNode {
  const list = member(root, 'http_interactions');
  if (root.type !== 'object' || list?.type !== 'array') return root;
  return withMembers(root, { http_interactions: listOf(list.items.map(entryShape), list) });
}

/** A status is an object in Ruby, a number in R, and was an object with other names in R. */
function entryShape(entry: JsonNode): JsonNode {
  const response = member(entry, 'response');
  const status = member(response, 'status');
  if (entry.type !== 'object' || response?.type !== 'object' || status === undefined) return entry;
  const code = status.type === 'object' ? (member(status, 'code') ?? member(status, 'status_code')) : status;
  const number: JsonNode | undefined =
    code?.type === 'string' && /^\d+$/.test(code.value)
      ? { type: 'number', lexeme: code.value, start: code.start, end: code.end }
      : code;
  return withMembers(entry, { response: withMembers(response, { status: objectOf({ code: number }, status) }) });
}

function readBody({ node }: BodyPlace): StoredBody {
  if (node?.type !== 'object') return scalarBody(node);
  const base64 = member(node, 'base64_string');
  if (base64?.type === 'string') return scalarBody(asBinary(base64));
  // What was written to a disk is not in the file, only its path is.
  const onDisk = member(node, 'file');
  if (onDisk?.type === 'literal' && onDisk.value === true) return noBody(node);
  const fields = member(node, 'fields');
  return fields === undefined ? emptyIsNone(member(node, 'string')) : jsonBody(fields);
}

function emptyIsNone(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' && node.value === '' ? noBody(node) : scalarBody(node);
}

function timing(entry: JsonNode): Timing {
  return present({ recordedAt: textAt(entry, ['recorded_at']) });
}
