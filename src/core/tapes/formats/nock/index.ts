import type { Json } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { member, parseJson, readJson } from '../../../json/readJson';
import type { HttpBody } from '../../../model/http';
import type { Tape } from '../../../model/tape';
import { message } from '../../../text/l10n';
import type { ParseResult } from '../../../text/source';
import { headerOf } from '../../../wire/http';
import type { TapeFormat } from '../../format';
import { emptyInteraction } from '../../lists/emptyInteraction';
import { type TapeFile, textParts } from '../../tapeFile';
import { editHttpTape, httpEditMembers } from '../shared/editHttpTape';
import { type BodyContext, type HttpLayout, readHttpTape, stringAt } from '../shared/httpTape';
import { hexBody, jsonBody, jsonStrings, type StoredBody, textBody } from '../shared/storedBody';
import { arrayNode, objectNode } from '../shared/yamlHttpTape';

/** Fixtures of `nock.back` (nock/nock): a list of exchanges with parsed bodies. */
export const nockFormat = {
  id: 'nock',
  label: 'nock.back fixture',
  family: 'http',
  tested: { recorder: 'nock', orphans: 'by-name' },
  extensions: ['json'],
  syntax: 'json',
  notWritableReason: message('nock.back records it when its test runs.'),
  looksLike,
  read,
  emptyItem,
  ...httpEditMembers((file, edit) => editHttpTape(layout, parse(file), jsonStrings(file), edit)),
} satisfies TapeFormat;

const layout: HttpLayout = {
  id: 'nock',
  at: {
    entries: '',
    method: 'method',
    url: 'url',
    requestHeaders: 'reqheaders',
    request: 'body',
    status: 'status',
    responseHeaders: 'rawHeaders',
    response: 'response',
  },
  requestBody: ({ node }) => valueBody(node),
  responseBody: readResponseBody,
};

function read(file: TapeFile): Tape {
  return readHttpTape(layout, parse(file));
}

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const paths = jsonOutline(text);
  return paths.has('[].scope') && paths.has('[].method') && paths.has('[].path') && paths.has('[].response');
}

function readResponseBody({ entry, node, headers }: BodyContext): StoredBody {
  const isEncoded = node?.type === 'array' && headerOf(headers, 'content-encoding') !== undefined;
  const binary = member(entry, 'responseIsBinary');
  return isEncoded || (binary?.type === 'literal' && binary.value === true) ? hexBody(node) : valueBody(node);
}

/** A text as it is, anything else as parsed JSON. */
function valueBody(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' ? textBody(node) : jsonBody(node);
}

/** A new call as nock records it, at the same place. */
function emptyItem(file: TapeFile, interaction: number): Json | undefined {
  const like = read(file).interactions[interaction];
  const http = like && emptyInteraction(like)?.http;
  const root = readJson(file.text).value;
  const own = root?.type === 'array' ? root.items[interaction] : undefined;
  if (http === undefined || own === undefined) return undefined;
  const path = http.url.replace(/^https?:\/\/[^/]*/, '');
  return {
    scope: stringAt(own, 'scope') ?? '',
    method: http.method,
    path: path === '' ? '/' : path,
    body: bodyValue(http.requestBody),
    status: http.status ?? 200,
    response: bodyValue(http.responseBody),
    rawHeaders: { 'content-type': 'application/json' },
    responseIsBinary: false,
  };
}

function bodyValue(body: HttpBody): Json {
  return body.type === 'text' ? (parseJson(body.text) ?? '') : '';
}

/** The list with an address and headers in each exchange as other formats have them. */
function parse(file: TapeFile): ParseResult<JsonNode> {
  const { value: root, problems } = readJson(textParts(file));
  if (root?.type !== 'array') return { value: root, problems };
  return { value: arrayNode(root.items.map(withAddress), root), problems };
}

function withAddress(node: JsonNode): JsonNode {
  if (node.type !== 'object') return node;
  const path = member(node, 'path');
  const scope = stringAt(node, 'scope') ?? '';
  const origin = scope.replace(/^(https:.*):443$/, '$1').replace(/^(http:.*):80$/, '$1');
  const url = path?.type === 'string' ? { ...path, value: `${origin}${path.value}` } : path;
  const members = Object.fromEntries(node.members.map(({ key, value }) => [key, value]));
  return objectNode({ ...members, url, rawHeaders: headerList(member(node, 'rawHeaders')) }, node);
}

/** A list of names and values in turn, as a list of headers. */
function headerList(node: JsonNode | undefined): JsonNode | undefined {
  if (node?.type !== 'array') return node;
  const headers = node.items.flatMap((name, at) =>
    at % 2 === 0 ? [objectNode({ name, value: node.items[at + 1] }, name)] : [],
  );
  return arrayNode(headers, node);
}
