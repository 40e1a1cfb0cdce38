import { itemsOf, type JsonNode, type JsonObjectNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { exactValue, member } from '../../../json/readJson';
import type { TapeFormat } from '../../format';
import { any, type Mark } from '../../marks';
import { httpFormat } from '../shared/httpFormat';
import { stringAt } from '../shared/httpTape';
import { codeOf } from '../shared/layoutFormat';
import { arrayNode, objectNode, withMembers } from '../shared/shape';
import { asBinary, jsonBody, scalarOrNone } from '../shared/storedBody';

/** Files of programs that answer in place of a server, and of clients that keep examples. */
interface MockDescription extends Pick<TapeFormat, 'id' | 'label'> {
  readonly files: readonly string[];
  readonly marks: Mark;
  readonly isYaml?: true;
  /** The exchanges in a document, wherever it has them. */
  exchanges(root: JsonNode): readonly JsonNode[];
  /** The names of what is said beside the parts of a request and a response. */
  readonly beside: string;
}

function mockFormat({ exchanges, beside, isYaml, ...names }: MockDescription): TapeFormat {
  const others = beside.split(' ');
  return httpFormat({
    ...names,
    ...(isYaml && { yaml: { step: 2, binaryColumns: 76 } }),
    at: { entries: 'exchanges' },
    shape: ([root]) => root && objectNode({ exchanges: arrayNode(exchanges(root), root) }, root),
    body: ({ node }) => (node?.type === 'string' ? scalarOrNone(node) : jsonBody(node)),
    isBeside: (key) => others.includes(key),
    servesAgain: true,
    isReadOnly: true,
  });
}

interface Parts {
  readonly method?: JsonNode | undefined;
  readonly url?: JsonNode | string | undefined;
  readonly status?: JsonNode | undefined;
  readonly headers?: JsonNode | undefined;
  readonly body?: JsonNode | undefined;
}

/**
 * An exchange whose parts are where an exchange has them, unless they are given; what else its two sides have stays beside them. Without
 * one of the sides, it may be there by another name, so what is beside them stays, too.
 */
function exchange(
  place: JsonNode,
  asked: JsonNode | undefined,
  { url, ...request }: Parts,
  answered: JsonNode | undefined,
  response: Omit<Parts, 'url'> = {},
): JsonNode {
  const method = [request.method, nodeAt(asked, 'method')].find((one) => one?.type === 'string');
  const sent = {
    ...request,
    method: method ?? text('GET', place),
    url: typeof url === 'object' ? url : text(url, place),
  };
  const isSide = place === asked || place === answered;
  const members = isSide ? [] : objectOf(place, place).members;
  const beside = members.filter(({ value }) => value !== asked && value !== answered);
  const side = objectOf(asked, place);
  return objectNode(
    {
      request: sideOf(asked === undefined ? { ...side, members: beside } : side, sent),
      response: answered && sideOf(objectOf(answered, place), { ...response }),
      ...(answered === undefined && Object.fromEntries(beside.map(({ key, value }) => [key, value]))),
    },
    place,
  );
}

/** A side with its parts. A body of a form that is not known is none of them, and stays beside them. */
function sideOf(side: JsonObjectNode, parts: Readonly<Record<string, JsonNode | undefined>>): JsonNode {
  const isUnknown = Object.hasOwn(parts, 'body') && parts.body === undefined;
  return withMembers(side, { ...parts, ...(isUnknown && { 'body.*': member(side, 'body') }) });
}

function objectOf(node: JsonNode | undefined, { start, end }: JsonNode): JsonObjectNode {
  return node?.type === 'object' ? node : { type: 'object', members: [], start, end };
}

function text(value = '/', { start }: JsonNode): JsonNode {
  return { type: 'string', value, start, end: start };
}

function listAt(node: JsonNode | undefined, path: string): readonly JsonNode[] {
  const list = nodeAt(node, path);
  return list?.type === 'array' ? [...itemsOf(list)] : [];
}

/** Headers that name their members otherwise. */
function headersOf(list: JsonNode | undefined, name: string, value: string): JsonNode | undefined {
  if (list?.type !== 'array') return list;
  const named = list.items.flatMap((item) =>
    item.type === 'object' ? [objectNode({ name: member(item, name), value: member(item, value) }, item)] : [],
  );
  return arrayNode(named, list);
}

/** A query as it stands in a URL, of values by their names, or of a list that names both. A name may have several values. */
function queryOf(query: JsonNode | undefined, textOf = plainText): string {
  if (query?.type === 'string') return query.value === '' ? '' : `?${query.value}`;
  const pairs = queryPairs(query).flatMap(({ key, value }) =>
    (value.type === 'array' && textOf(value) === undefined ? value.items : [value]).map((one) => [key, textOf(one)]),
  );
  const texts = pairs.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return texts.length === 0 ? '' : `?${texts.join('&')}`;
}

function queryPairs(query: JsonNode | undefined): readonly { readonly key: string; readonly value: JsonNode }[] {
  if (query?.type === 'object') return query.members;
  return listAt(query, '').map((one) => ({ key: stringAt(one, 'name') ?? '', value: member(one, 'values') ?? one }));
}

function plainText(node: JsonNode): string | undefined {
  return node.type === 'string' ? node.value : undefined;
}

const hoverfly = mockFormat({
  id: 'hoverfly',
  label: 'Hoverfly simulation',
  files: ['json'],
  marks: ['data.pairs', 'meta.schemaVersion'],
  exchanges: (root) => listAt(root, 'data.pairs').map(hoverflyPair),
  beside:
    'templated destination encodedBody removesState transitionsState requiresState labels fixedDelay logNormalDelay postServeAction requestType bodyFile deprecatedQuery',
});

/** What a request has to match, as the text that it is compared with. */
function matched(rule: JsonNode | undefined): JsonNode | undefined {
  const [first] = rule?.type === 'array' ? rule.items : [rule];
  return first?.type === 'object' ? (member(first, 'value') ?? first.members[0]?.value) : first;
}

function matchedText(rule: JsonNode | undefined): string | undefined {
  const value = matched(rule);
  return value?.type === 'string' ? value.value : undefined;
}

function hoverflyPair(pair: JsonNode): JsonNode {
  const [request, response] = [member(pair, 'request'), member(pair, 'response')];
  const at = (name: string): JsonNode | undefined => nodeAt(request, name);
  const host = matchedText(at('destination'));
  const query = queryOf(at('query')?.type === 'array' ? matched(at('query')) : at('query'), matchedText);
  const body = nodeAt(response, 'body');
  const flag = nodeAt(response, 'encodedBody');
  const isEncoded = body?.type === 'string' && flag?.type === 'literal' && flag.value === true;
  return exchange(
    pair,
    request,
    {
      method: matched(at('method')),
      url: `${host === undefined ? '' : `${matchedText(at('scheme')) ?? 'http'}://${host}`}${matchedText(at('path')) ?? '/'}${query}`,
      headers: undefined,
      body: matched(at('body')),
    },
    response,
    { body: isEncoded ? asBinary(body) : body },
  );
}

const mountebank = mockFormat({
  id: 'mountebank',
  label: 'mountebank imposters',
  files: ['json'],
  marks: [
    any(['imposters[].protocol', 'imposters[].stubs'], ['protocol', 'stubs[].responses', 'stubs']),
    /"protocol"\s*:\s*"(?!tcp|smtp)/,
  ],
  exchanges: (root) => {
    const imposters = member(root, 'imposters') === undefined ? [root] : listAt(root, 'imposters');
    const stubs = imposters.filter(speaksHttp).flatMap((imposter) => listAt(imposter, 'stubs'));
    return stubs.flatMap((stub) => listAt(stub, 'responses').map((response) => mountebankResponse(stub, response)));
  },
  beside: '_links _behaviors _mode behaviors requestFrom ip proxy inject fault repeat _proxyResponseTime',
});

/** Others have data in place of a request and a response. */
function speaksHttp(imposter: JsonNode): boolean {
  return !/^(?:tcp|smtp)$/.test(stringAt(imposter, 'protocol') ?? '');
}

const RULES = ['deepEquals', 'equals', 'contains', 'startsWith', 'endsWith', 'matches'] as const;

/** What the predicates of a stub say of a request, whatever they ask of it. */
function mountebankRule(predicates: readonly JsonNode[], path: string): JsonNode | undefined {
  for (const predicate of predicates) {
    for (const rule of RULES) {
      const found = nodeAt(predicate, `${rule}.${path}`);
      if (found !== undefined) return found;
    }
    const inner = mountebankRule([...listAt(predicate, 'and'), ...listAt(predicate, 'or')], path);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** What a predicate may ask; one that asks none of these is not known. */
const ALL_RULES = [...RULES, 'exists', 'and', 'or', 'not', 'inject'];

function mountebankResponse(stub: JsonNode, response: JsonNode): JsonNode {
  const predicates = listAt(stub, 'predicates');
  const isKnown = predicates.length > 0 && predicates.every((one) => ALL_RULES.some((rule) => member(one, rule)));
  const asked = isKnown ? [] : objectOf(stub, response).members.filter(({ key }) => key !== 'responses');
  // A proxy, a function, or a fault makes one.
  const answer = member(response, 'is');
  const path = mountebankRule(predicates, 'path');
  const query = queryOf(mountebankRule(predicates, 'query'));
  return exchange(
    response,
    { ...objectOf(undefined, response), members: asked },
    {
      method: mountebankRule(predicates, 'method'),
      url: `${path?.type === 'string' ? path.value : '/'}${query}`,
      headers: mountebankRule(predicates, 'headers'),
      body: mountebankRule(predicates, 'body'),
    },
    answer,
    { status: codeOf(nodeAt(answer, 'statusCode')) ?? number('200', response) },
  );
}

function number(lexeme: string, { start }: JsonNode): JsonNode {
  return { type: 'number', lexeme, start, end: start };
}

const mockServer = mockFormat({
  id: 'mockserver',
  label: 'MockServer expectations',
  files: ['json'],
  // Only a response is in the file; others are made by another server, a template, or a function.
  marks: [any('[].httpRequest', 'httpRequest'), /"http(?:Response|Forward|Override|Error)/],
  exchanges: (root) => (root.type === 'array' ? listAt(root, '') : [root]).map(mockServerExpectation),
  beside:
    'delay connectionOptions reasonPhrase keepAlive secure socketAddress pathParameters queryStringParameters not specUrlOrPayload operationId times timeToLive priority httpForward httpForwardTemplate httpForwardClassCallback httpForwardObjectCallback httpError httpOverrideForwardedRequest httpResponseTemplate httpResponseClassCallback httpResponseObjectCallback',
});

/** A body as it is, or below the name of its form. */
function mockServerBody(node: JsonNode | undefined): JsonNode | undefined {
  if (node?.type !== 'object' || stringAt(node, 'type') === undefined) return node;
  const base64 = member(node, 'base64Bytes');
  if (base64?.type === 'string') return asBinary(base64);
  return ['json', 'string', 'xml', 'regex', 'parameters', 'jsonSchema', 'xpath', 'jsonPath']
    .map((form) => member(node, form))
    .find((form) => form !== undefined);
}

function mockServerExpectation(expectation: JsonNode): JsonNode {
  const [request, response] = [member(expectation, 'httpRequest'), member(expectation, 'httpResponse')];
  return exchange(
    expectation,
    request,
    {
      url: `${stringAt(request, 'path') ?? '/'}${queryOf(nodeAt(request, 'queryStringParameters'))}`,
      headers: headersOf(nodeAt(request, 'headers'), 'name', 'values'),
      body: mockServerBody(nodeAt(request, 'body')),
    },
    response,
    {
      status: nodeAt(response, 'statusCode') ?? number('200', expectation),
      headers: headersOf(nodeAt(response, 'headers'), 'name', 'values'),
      body: mockServerBody(nodeAt(response, 'body')),
    },
  );
}

const mockoon = mockFormat({
  id: 'mockoon',
  label: 'Mockoon environment',
  files: ['json'],
  marks: ['lastMigration', 'routes[].endpoint', 'routes[].responses'],
  exchanges: (root) => {
    const prefix = stringAt(root, 'endpointPrefix') ?? '';
    return listAt(root, 'routes').flatMap((route) =>
      listAt(route, 'responses').map((one) => mockoonResponse(prefix, route, one)),
    );
  },
  beside:
    'uuid latency label filePath databucketID sendFileAsBody rules rulesOperator bodyType disableTemplating fallbackTo404 default crudKey callbacks',
});

function mockoonResponse(prefix: string, route: JsonNode, response: JsonNode): JsonNode {
  const method = stringAt(route, 'method')?.toUpperCase();
  return exchange(
    response,
    undefined,
    {
      method: method === undefined || method === '' || method === 'ALL' ? undefined : text(method, route),
      url: ['', prefix, stringAt(route, 'endpoint') ?? ''].join('/').replaceAll(/\/{2,}/g, '/'),
    },
    response,
    { status: member(response, 'statusCode'), headers: headersOf(member(response, 'headers'), 'key', 'value') },
  );
}

const postman = mockFormat({
  id: 'postman',
  label: 'Postman collection with examples',
  files: ['json'],
  marks: ['info.schema', 'item', /"response"\s*:\s*\[\s*\{/],
  exchanges: (root) => examplesIn(root, 0),
  beside:
    'name _postman_previewlanguage _postman_previewtype auth description responseTime cookie originalRequest protocolProfileBehavior proxy certificate',
});

/** Folders within folders, each a list in an object; deeper is no collection. */
const MAX_DEPTH = 64;

/** The examples, in whatever folders. One that does not say what was sent is of the request as it is. */
function examplesIn(node: JsonNode, depth: number): readonly JsonNode[] {
  if (depth > MAX_DEPTH || (node.type !== 'object' && node.type !== 'array')) return [];
  if (node.type === 'array') return [...itemsOf(node)].flatMap((one) => examplesIn(one, depth + 1));
  const request = member(node, 'request');
  return node.members.flatMap(({ key, value }) =>
    key === 'response'
      ? listAt(value, '').map((example) => postmanExample(example, member(example, 'originalRequest') ?? request))
      : examplesIn(value, depth + 1),
  );
}

function postmanExample(example: JsonNode, request: JsonNode | undefined): JsonNode {
  const url = nodeAt(request, 'url.raw') ?? nodeAt(request, 'url');
  return exchange(
    example,
    request,
    {
      url: url?.type === 'string' ? url : undefined,
      headers: headersOf(nodeAt(request, 'header'), 'key', 'value'),
      body: ['raw', 'urlencoded', 'formdata', 'graphql']
        .map((form) => nodeAt(request, `body.${form}`))
        .find((form) => form !== undefined),
    },
    example,
    { status: member(example, 'code'), headers: headersOf(member(example, 'header'), 'key', 'value') },
  );
}

const insomnia = mockFormat({
  id: 'insomnia',
  label: 'Insomnia mock server',
  files: ['json', 'yaml', 'yml'],
  isYaml: true,
  marks: any(
    ['__export_format', 'resources', /"_type"\s*:\s*"mock_route"/],
    ['type', 'routes', /(?:^|\n)type: ["']?mock\.insomnia\.rest/],
  ),
  exchanges: (root) =>
    [
      ...listAt(root, 'resources').filter((one) => stringAt(one, '_type') === 'mock_route'),
      ...listAt(root, 'routes'),
    ].map(insomniaRoute),
  beside: '_id _type parentId name meta statusText modified created',
});

function insomniaRoute(route: JsonNode): JsonNode {
  return exchange(route, undefined, { method: member(route, 'method'), url: member(route, 'name') }, route, {
    status: member(route, 'statusCode'),
  });
}

const pact = mockFormat({
  id: 'pact',
  label: 'Pact',
  files: ['json'],
  marks: ['consumer.name', 'provider.name', 'interactions[].request.path', 'interactions[].response'],
  exchanges: (root) =>
    listAt(root, 'interactions').flatMap((one) => (nodeAt(one, 'request.path') ? [pactInteraction(one)] : [])),
  beside: 'description providerState providerStates matchingRules generators comments pending key',
});

function pactInteraction(interaction: JsonNode): JsonNode {
  const [request, response] = [member(interaction, 'request'), member(interaction, 'response')];
  return exchange(
    interaction,
    request,
    {
      url: `${stringAt(request, 'path') ?? '/'}${queryOf(nodeAt(request, 'query'))}`,
      body: pactBody(nodeAt(request, 'body')),
    },
    response,
    { status: nodeAt(response, 'status') ?? number('200', interaction), body: pactBody(nodeAt(response, 'body')) },
  );
}

/** Since version 4, a body stands beside its type and its encoding. */
function pactBody(body: JsonNode | undefined): JsonNode | undefined {
  const content = nodeAt(body, 'content');
  if (content === undefined || nodeAt(body, 'contentType') === undefined) return body;
  const isPlain = exactValue(nodeAt(body, 'encoded') ?? content) === false;
  return content.type === 'string' && !isPlain ? asBinary(content) : content;
}

/** The README says of each where it was seen. */
export const mockFormats: readonly TapeFormat[] = [hoverfly, mountebank, mockServer, mockoon, postman, insomnia, pact];
