import { omitUndefined } from '../../../json/fields';
import { type Json, type JsonRecord, prettyJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { nodeAt } from '../../../json/jsonPath';
import { member, parseExactJson, readJson } from '../../../json/readJson';
import type { HttpBody, HttpExchange, NotKept } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { listed } from '../../../text/counts';
import type { Problem } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import { bodyContent, decompressExchange } from '../../../wire/body/bodyContent';
import { any, hasMark, none } from '../../marks';
import { notRead } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { httpFormat } from '../shared/httpFormat';
import { type BodyContext, storedHeaders, stringAt } from '../shared/httpTape';
import { headerValuesByName, recordedExchange } from '../shared/recordedHttp';
import { arrayNode, objectNode, withMembers } from '../shared/shape';
import { base64Body, jsonBody, noBody, plainBody, type StoredBody, scalarOrNone, textBody } from '../shared/storedBody';

/** Stub mappings of WireMock (wiremock/wiremock): a list of them, or one. A request is given by what it has to equal. */
const mappingsFormat = httpFormat({
  id: 'wiremock',
  label: 'WireMock stub mappings',
  files: ['json'],
  servesAgain: true,
  servesParts: true,
  marks: any(
    ['mappings[].request', 'mappings[].response'],
    ['mappings[]', 'meta.total'],
    // A single mapping with nothing but an address, a status, and a text could come from many programs.
    [
      'request',
      'response',
      any(
        ...['request.bodyPatterns', 'request.queryParameters', 'request.urlPath', 'request.urlPathTemplate'],
        ...['request.urlPattern', 'request.urlPathPattern', 'response.bodyFileName', 'response.jsonBody'],
        ...['response.base64Body', 'response.proxyBaseUrl', 'scenarioName', 'insertionIndex', 'persistent'],
      ),
    ],
  ),
  at: { entries: 'mappings', id: 'id', response: 'response' },
  shape: ([root]) => root && shape(root),
  requestBody,
  responseBody,
  notKept,
  isBeside: (key) => BESIDE.has(key),
  problems: rulesNotRead,
  write,
});

/** WireMock loads a mapping from a folder of this name: there, one may have nothing but an address and an answer. */
export const wiremockFormat = {
  ...mappingsFormat,
  looksLike: (file: TapeFile): boolean =>
    mappingsFormat.looksLike(file) || (/(?:^|\/)mappings\//.test(file.path) && isPlainMapping(textParts(file))),
};

function isPlainMapping(text: TextParts): boolean {
  return hasMark(text, jsonOutline(text), [
    any('request.url', 'request.method'),
    any('response.status', 'response.body'),
    none('request.headers[]', 'request.body', 'fingerprint', 'messages'),
  ]);
}

/** What is said of a response besides, or of the way in which it is sent. */
const BESIDE: ReadonlySet<string> = new Set([
  ...['statusMessage', 'bodyFileName', 'fault', 'proxyBaseUrl', 'transformers', 'transformerParameters'],
  ...['fixedDelayMilliseconds', 'delayDistribution', 'chunkedDribbleDelay', 'additionalProxyRequestHeaders'],
]);

function shape(root: JsonNode): JsonNode {
  const list = member(root, 'mappings') ?? arrayNode([root], root);
  return list.type === 'array' ? objectNode({ mappings: arrayNode(list.items.map(withRequest), list) }, root) : root;
}

/** A mapping with the request that it is for, in place of the rules by which that is recognised. */
function withRequest(mapping: JsonNode): JsonNode {
  const request = member(mapping, 'request');
  if (mapping.type !== 'object' || request?.type !== 'object') return mapping;
  const body = bodyPattern(request);
  const headers = equalMembers(member(request, 'headers'));
  return withMembers(mapping, {
    request: objectNode({ method: method(request), url: address(request), headers, body }, request),
  });
}

/** A mapping without a method is for any. */
function method(request: JsonNode): JsonNode {
  const value = member(request, 'bodyPatterns') === undefined ? 'GET' : 'POST';
  return member(request, 'method') ?? { type: 'string', value, start: request.start, end: request.start };
}

function address(request: JsonNode): JsonNode | undefined {
  const path = member(request, 'urlPath');
  if (path?.type !== 'string') return ADDRESSES.map((key) => member(request, key)).find((node) => node !== undefined);
  const query = storedHeaders(equalMembers(member(request, 'queryParameters'))).map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return query.length === 0 ? path : { ...path, value: `${path.value}?${query.join('&')}` };
}

/** The last three are patterns, which are shown as they are. */
const ADDRESSES = ['url', 'urlPathTemplate', 'urlPattern', 'urlPathPattern'] as const;

/** The values that headers, or parameters of a query, have to equal. */
function equalMembers(rules: JsonNode | undefined): JsonNode | undefined {
  if (rules?.type !== 'object') return undefined;
  return objectNode(Object.fromEntries(rules.members.map(({ key, value }) => [key, member(value, 'equalTo')])), rules);
}

const EQUALITIES = ['equalToJson', 'equalTo', 'binaryEqualTo'] as const;

/** The rule that says the whole body of a request. */
function bodyPattern(request: JsonNode): JsonNode | undefined {
  const patterns = member(request, 'bodyPatterns');
  if (patterns?.type !== 'array') return undefined;
  return patterns.items.find((one) => EQUALITIES.some((name) => member(one, name) !== undefined));
}

function requestBody({ node }: BodyContext): StoredBody {
  const json = node && member(node, 'equalToJson');
  if (json !== undefined) return plainBody(json);
  const text = node && member(node, 'equalTo');
  return text === undefined ? base64Body(node && member(node, 'binaryEqualTo')) : textBody(text);
}

function responseBody({ node }: BodyContext): StoredBody {
  const json = node && member(node, 'jsonBody');
  if (json !== undefined) return jsonBody(json);
  const base64 = node && member(node, 'base64Body');
  if (base64 !== undefined) return base64Body(base64);
  return node === undefined ? noBody() : scalarOrNone(member(node, 'body'));
}

function notKept(entry: JsonNode): NotKept | undefined {
  const file = stringAt(entry, 'response.bodyFileName');
  if (file !== undefined) return { why: 'elsewhere', file };
  const reason = stringAt(entry, 'response.fault');
  return reason === undefined ? undefined : omitUndefined({ why: 'failed' as const, reason });
}

/** Reports rules other than equality, and responses that are made anew for each request: only WireMock can follow them. */
function rulesNotRead(file: TapeFile): readonly Problem[] {
  const { value: root } = readJson(textParts(file));
  const list = member(root, 'mappings');
  const mappings = list?.type === 'array' ? list.items : root === undefined ? [] : [root];
  const rules = mappings.flatMap((one) => [...requestRules(member(one, 'request')), ...responseRules(one)]);
  const [first] = rules;
  if (first === undefined) return [];
  const names = [...new Set(rules.map(({ name }) => `\`${name}\``))];
  return [notRead(listed(names), first.node)];
}

interface Rule {
  readonly name: string;
  readonly node: JsonNode;
}

function requestRules(request: JsonNode | undefined): readonly Rule[] {
  if (request?.type !== 'object') return [];
  const body = bodyPattern(request);
  return request.members.flatMap(({ key, value }): readonly Rule[] => {
    const name = `request.${key}`;
    if (key === 'url' || key === 'urlPath') return [];
    if (key === 'method') return stringAt(request, 'method') === 'ANY' ? [{ name, node: value }] : [];
    if ((key === 'headers' || key === 'queryParameters') && value.type === 'object')
      return value.members.flatMap(({ key: header, value: rule }) =>
        member(rule, 'equalTo') === undefined ? [{ name: `${name}.${header}`, node: rule }] : [],
      );
    if (key === 'bodyPatterns' && value.type === 'array')
      return value.items.flatMap((rule) => (rule.start === body?.start ? [] : [{ name, node: rule }]));
    return [{ name, node: value }];
  });
}

function responseRules(mapping: JsonNode): readonly Rule[] {
  return ['response.proxyBaseUrl', 'response.transformers'].flatMap((name) => {
    const node = nodeAt(mapping, name);
    const isNone = node === undefined || (node.type === 'array' && node.items.length === 0);
    return isNone ? [] : [{ name, node }];
  });
}

/**
 * Mappings as WireMock records them: of a request, its address without the host, and its body. A request that was repeated is a
 * scenario, whose states say which response is the next.
 */
function write(_name: string, interactions: readonly RecordedInteraction[]): string {
  const exchanges = interactions.map(recordedExchange);
  const requests = exchanges.map(requestOf);
  const keys = requests.map((request) => prettyJson(request));
  const mappings = exchanges.map((exchange, at) => ({
    ...scenarioOf(keys, at),
    request: requests[at] ?? {},
    response: responseOf(exchange),
  }));
  return `${prettyJson({ mappings, meta: { total: mappings.length } })}\n`;
}

function scenarioOf(keys: readonly string[], at: number): JsonRecord {
  const same = keys.flatMap((key, index) => (key === keys[at] ? [index] : []));
  if (same.length === 1) return {};
  const scenarioName = `scenario-${(same[0] ?? 0) + 1}`;
  const turn = same.indexOf(at) + 1;
  return {
    scenarioName,
    requiredScenarioState: turn === 1 ? 'Started' : `${scenarioName}-${turn}`,
    ...(turn < same.length && { newScenarioState: `${scenarioName}-${turn + 1}` }),
  };
}

function requestOf(exchange: HttpExchange): JsonRecord {
  const url = exchange.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const pattern = patternOf(decompressExchange(exchange).requestBody);
  return {
    url: url.startsWith('/') ? url : `/${url}`,
    method: exchange.method.toUpperCase(),
    ...(pattern && { bodyPatterns: [pattern] }),
  };
}

/** The rule that a body is this one. JSON is compared as such, and with nothing left out: a longer conversation is another request. */
function patternOf(body: HttpBody): JsonRecord | undefined {
  const content = bodyContent(body);
  if (content === undefined) return undefined;
  if (!('text' in content)) return { binaryEqualTo: content.base64 };
  const json = parseExactJson(content.text);
  return typeof json === 'object' && json !== null ? { equalToJson: content.text } : { equalTo: content.text };
}

function responseOf({ status = 0, responseHeaders, responseBody }: HttpExchange): JsonRecord {
  const content = bodyContent(responseBody);
  const body: JsonRecord =
    content === undefined ? {} : 'text' in content ? { body: content.text } : { base64Body: content.base64 };
  const headers = Object.entries(headerValuesByName(responseHeaders));
  const values = headers.map(([name, list]): [string, Json] => [name, list.length === 1 ? (list[0] ?? '') : list]);
  return { status, ...body, headers: Object.fromEntries(values) };
}
