import type { Json } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { member, parseJson, readJson } from '../../../json/readJson';
import type { HttpBody } from '../../../model/http';
import { message } from '../../../text/l10n';
import { headerOf } from '../../../wire/http';
import { emptyInteraction } from '../../interactionList/emptyInteraction';
import type { TapeFile } from '../../tapeFile';
import { httpFormat } from '../shared/httpFormat';
import { type BodyContext, stringAt } from '../shared/httpTape';
import { arrayNode, objectNode } from '../shared/shape';
import { hexBody, plainBody, type StoredBody } from '../shared/storedBody';

/** Fixtures of `nock.back` (nock/nock): a list of exchanges with parsed bodies. */
export const nockFormat = httpFormat({
  id: 'nock',
  label: 'nock.back fixture',
  files: ['json'],
  marks: ['[].scope', '[].method', '[].path', '[].response'],
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
  shape: ([root]) => (root?.type === 'array' ? arrayNode(root.items.map(withAddress), root) : root),
  responseBody,
  tested: { recorder: 'nock', orphans: 'by-name' },
  notWritableReason: message('nock.back records it when its test runs.'),
  emptyItem,
});

function responseBody({ entry, node, headers }: BodyContext): StoredBody {
  const isEncoded = node?.type === 'array' && headerOf(headers, 'content-encoding') !== undefined;
  const binary = member(entry, 'responseIsBinary');
  return isEncoded || (binary?.type === 'literal' && binary.value === true) ? hexBody(node) : plainBody(node);
}

/** A new call as nock records it, at the same place. */
function emptyItem(file: TapeFile, interaction: number): Json | undefined {
  const like = nockFormat.read(file).interactions[interaction];
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

/** An exchange with an address and headers as other formats have them. */
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
