import type { Json } from '../../../json/json';
import { toNode } from '../../../json/jsonNode';
import { compareCodePoints, pythonJson } from '../../../json/pythonJson';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { headerOf, statusPhrase } from '../../../wire/http';
import { writeYaml, type YamlRecord, type YamlStyle } from '../../../yaml/writeYaml';
import type { Destination } from '../../format';
import { bodyJson, bodyScalar, headerValuesByName, losslessBodyJson, recordedExchange } from '../shared/recordedHttp';
import { type Dialects, exchangesWithin, isJsonFile, writeDocument } from '../shared/writeDocument';

/** PyYAML with libyaml. */
const STOCK_STYLE: YamlStyle = { width: 80, plainness: 'ascii', binaryColumns: 76, binaryTag: '!!binary |' };
/** Pydantic AI's serializer. */
const PARSED_BODY_STYLE: YamlStyle = {
  width: 120,
  plainness: 'bmp',
  binaryColumns: 76,
  binaryTag: '!!binary |',
  blocks: true,
};

/** `vcr/serializers/jsonserializer.py` */
function dump(cassette: Json): string {
  return `${pythonJson(toNode(cassette), { indent: 4 })}\n`;
}

const STOCK: Dialects = {
  recorded: ['yaml', 'json'],
  yaml: (cassette) => writeYaml(cassette, STOCK_STYLE),
  json: dump,
};
const PARSED_BODY: Dialects = {
  recorded: ['yaml', 'json'],
  yaml: (cassette) => writeYaml(cassette, PARSED_BODY_STYLE),
  json: dump,
};

/** A whole cassette as vcrpy writes it: YAML with sorted keys, or JSON. Its only name is that of the file. */
export function writeVcrpy(
  _name: string,
  interactions: readonly RecordedInteraction[],
  into: Destination | undefined,
): string {
  const entries = exchangesWithin(interactions, into, STOCK).map((exchange) => ({
    request: requestOf(exchange),
    response: responseOf(exchange),
  }));
  const isJson = isJsonFile(into, STOCK);
  return isJson
    ? writeDocument({ version: 1, interactions: entries.map(asInJson) }, into, STOCK)
    : writeDocument({ interactions: entries, version: 1 }, into, STOCK);
}

/** vcrpy sorts the keys in YAML only. */
function asInJson({ request, response }: { readonly request: YamlRecord; readonly response: YamlRecord }): YamlRecord {
  const { method, uri, body, headers } = request;
  return {
    request: { method, uri, body, headers },
    response: { status: response.status, headers: response.headers, body: response.body },
  };
}

/** The same with parsed JSON bodies and lower-case header names. */
export function writeParsedBodies(
  _name: string,
  interactions: readonly RecordedInteraction[],
  into: Destination | undefined,
): string {
  const entries = exchangesWithin(interactions, into, STOCK).map((exchange) => {
    const small = {
      ...exchange,
      requestHeaders: exchange.requestHeaders.map(lowerCaseHeader),
      responseHeaders: exchange.responseHeaders.map(lowerCaseHeader),
    };
    return {
      request: withParsedBody(requestOf(small), exchange.requestBody, exchange.requestHeaders),
      response: withParsedBody(responseOf(small), exchange.responseBody, exchange.responseHeaders),
    };
  });
  return writeDocument({ interactions: entries, version: 1 }, into, PARSED_BODY);
}

/** A whole cassette of LangChain's tests, with requests and responses in separate lists. A `.gz` name gzips it. */
export function writeLangchain(_name: string, interactions: readonly RecordedInteraction[]): string {
  const exchanges = interactions.map(recordedExchange);
  return writeYaml({ requests: exchanges.map(requestOf), responses: exchanges.map(responseOf) }, STOCK_STYLE);
}

function requestOf({ requestBody, requestHeaders, method, url }: HttpExchange): YamlRecord {
  return {
    body: bodyScalar(requestBody),
    headers: sortKeys(headerValuesByName(requestHeaders)),
    method: method.toUpperCase(),
    uri: url,
  };
}

function responseOf({ responseBody, responseHeaders, status = 0 }: HttpExchange): YamlRecord {
  return {
    body: { string: bodyScalar(responseBody) ?? '' },
    headers: sortKeys(headerValuesByName(responseHeaders)),
    status: { code: status, message: statusPhrase(status) },
  };
}

/** The record with its body parsed, at the sorted position of the new name. The recorder drops the layout of JSON. */
function withParsedBody(
  { body, headers, ...others }: YamlRecord,
  recorded: HttpBody,
  recordedHeaders: readonly HttpHeader[],
): YamlRecord {
  const isJson = /^application\/json/.test(headerOf(recordedHeaders, 'content-type') ?? '');
  const json = losslessBodyJson(recorded) ?? (isJson ? bodyJson(recorded) : undefined);
  if (json === undefined) return { body, headers, ...others };
  return sortKeys({ headers, parsed_body: json, ...others });
}

function lowerCaseHeader([name, value]: HttpHeader): HttpHeader {
  return [name.toLowerCase(), value];
}

function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => compareCodePoints(left, right)));
}
