import { compareCodePoints } from '../../json/pythonJson';
import { statusPhrase } from '../../wire/statusPhrase';
import { writeYaml, type YamlRecord, type YamlStyle } from '../../yaml/writeYaml';
import { headerLists, recordedExchange } from '../recordedExchange';
import type { HttpBody, HttpExchange, HttpHeader } from '../tape';
import type { RecordedInteraction } from '../tapeFormat';
import { jsonOf } from './writtenBody';
import { bodyScalar } from './yamlHttp';

/** PyYAML with libyaml. */
const STOCK: YamlStyle = { width: 80, plainness: 'ascii', binaryColumns: 76, binaryTag: '!!binary |' };
/** Pydantic AI's serializer. */
const PARSED: YamlStyle = { width: 120, plainness: 'bmp', binaryColumns: 76, binaryTag: '!!binary |', blocks: true };

/** A whole cassette as vcrpy writes it, all keys sorted. The name is that of the file only. */
export function writeVcrpy(_name: string, interactions: readonly RecordedInteraction[]): string {
  const entries = interactions.map(recordedExchange).map((exchange) => ({
    request: requestOf(exchange),
    response: responseOf(exchange),
  }));
  return writeYaml({ interactions: entries, version: 1 }, STOCK);
}

/** The same with JSON bodies parsed and the names of headers in small letters. */
export function writeParsedBodies(_name: string, interactions: readonly RecordedInteraction[]): string {
  const entries = interactions.map(recordedExchange).map((exchange) => {
    const small = {
      ...exchange,
      requestHeaders: exchange.requestHeaders.map(inSmallLetters),
      responseHeaders: exchange.responseHeaders.map(inSmallLetters),
    };
    return {
      request: parsed(requestOf(small), exchange.requestBody),
      response: parsed(responseOf(small), exchange.responseBody),
    };
  });
  return writeYaml({ interactions: entries, version: 1 }, PARSED);
}

/** A whole cassette of LangChain's tests: requests and responses apart. It is gzipped where its name says so. */
export function writeLangchain(_name: string, interactions: readonly RecordedInteraction[]): string {
  const exchanges = interactions.map(recordedExchange);
  return writeYaml({ requests: exchanges.map(requestOf), responses: exchanges.map(responseOf) }, STOCK);
}

function requestOf({ requestBody, requestHeaders, method, url }: HttpExchange): YamlRecord {
  return {
    body: bodyScalar(requestBody),
    headers: sorted(headerLists(requestHeaders)),
    method: method.toUpperCase(),
    uri: url,
  };
}

function responseOf({ responseBody, responseHeaders, status = 0 }: HttpExchange): YamlRecord {
  return {
    body: { string: bodyScalar(responseBody) ?? '' },
    headers: sorted(headerLists(responseHeaders)),
    status: { code: status, message: statusPhrase(status) },
  };
}

/** With the body parsed, in the place that its name has among the others. */
function parsed({ body, headers, ...others }: YamlRecord, recorded: HttpBody): YamlRecord {
  const json = jsonOf(recorded);
  if (json === undefined) return { body, headers, ...others };
  return sorted({ headers, parsed_body: json, ...others });
}

function inSmallLetters([name, value]: HttpHeader): HttpHeader {
  return [name.toLowerCase(), value];
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => compareCodePoints(left, right)));
}
