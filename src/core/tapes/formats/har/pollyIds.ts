import { decodeBase64 } from '../../../bytes/base64';
import { encodeHex } from '../../../bytes/hex';
import { md5Hex } from '../../../hash/digest';
import { canonicalJson } from '../../../json/canonicalJson';
import type { Json, JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import type { DependentEdits } from '../../format';
import { entriesOf, type HttpLayout, readStoredExchange } from '../shared/httpTape';
import { bodyBase64, bodyText } from '../shared/recordedHttp';
import type { WriteString } from '../shared/storedBody';

/** The id by which Polly.JS finds a request with `matchRequestsBy: { headers: false }`. */
export function pollyId(exchange: HttpExchange): string {
  return md5Hex(canonicalJson(comparedParts(exchange)));
}

/**
 * The ids that Polly.JS (@pollyjs/core 6) makes of a request: the MD5 of the JSON of the compared parts, with sorted keys. By default
 * it compares all headers, of which a tape seldom has those of the connection, and never the secret ones.
 */
function pollyIds(exchange: HttpExchange): readonly string[] {
  const headers = comparedHeaders(exchange.requestHeaders);
  return [pollyId(exchange), md5Hex(canonicalJson({ ...comparedParts(exchange), headers }))];
}

function comparedParts({ method, url, requestBody }: HttpExchange): JsonRecord {
  const body = bodyText(requestBody) ?? hexOf(requestBody);
  return { ...(body ? { body } : {}), method: method.toUpperCase(), url: comparedUrl(url) };
}

/** Polly.JS compares a binary body by its bytes in hexadecimal. */
function hexOf(body: HttpBody): string {
  return encodeHex(decodeBase64(bodyBase64(body) ?? '') ?? new Uint8Array());
}

/** By name, in lower case; a header that was sent several times is a list. */
function comparedHeaders(headers: readonly HttpHeader[]): JsonRecord {
  const compared: Record<string, Json> = {};
  for (const [header, value] of headers) {
    const name = header.toLowerCase();
    const before = compared[name];
    compared[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return compared;
}

/** The URL without its fragment, with a sorted query in which each name occurs once. */
function comparedUrl(url: string): string {
  const address = url.replace(/#.*$/s, '');
  const at = address.indexOf('?');
  if (at === -1) return address;
  const query = new Map([...new URLSearchParams(address.slice(at + 1))].reverse());
  const sorted = [...query].sort(([left], [right]) => (left < right ? -1 : 1));
  const pairs = sorted.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return address.slice(0, at) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** The edits by which each id follows its request, where it was one of those that Polly.JS makes of it. */
export function followPollyIds(
  layout: HttpLayout,
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  write: WriteString,
): DependentEdits {
  const changed = after === undefined ? [] : storedIds(layout, after);
  const splices = (before === undefined ? [] : storedIds(layout, before)).flatMap(({ node, ids }, index) => {
    const next = changed[index]?.ids[ids.indexOf(node.value)];
    return next === undefined || next === node.value ? [] : write(node, next);
  });
  return { splices, dependents: splices.length === 0 ? [] : [ID] };
}

/** Whether an id was made of more than is on the tape, such as a secret header. */
export function hasOpaqueIds(layout: HttpLayout, root: JsonNode | undefined): boolean {
  return root !== undefined && storedIds(layout, root).some(({ node, ids }) => !ids.includes(node.value));
}

const ID = '_id';

function storedIds(layout: HttpLayout, root: JsonNode) {
  return entriesOf(layout, root).flatMap((entry) => {
    const node = member(entry, ID);
    return node?.type === 'string' ? [{ node, ids: pollyIds(readStoredExchange(layout, entry).exchange) }] : [];
  });
}
