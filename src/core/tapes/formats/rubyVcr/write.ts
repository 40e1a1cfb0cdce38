import { compactJson, prettyJson } from '../../../json/json';
import { toNode } from '../../../json/jsonNode';
import { pythonJson } from '../../../json/pythonJson';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { statusPhrase } from '../../../wire/http';
import { writeYaml, YamlBinary, type YamlRecord, type YamlStyle } from '../../../yaml/writeYaml';
import type { Destination } from '../../format';
import { bodyScalar, dateOf, headerValuesByName, recordedExchange } from '../shared/recordedHttp';
import { type Dialects, isJsonFile, writeDocument } from '../shared/writeDocument';

/** A whole cassette as Ruby's VCR writes it, in YAML with Psych or in JSON; or as Betamax does, if it replaces one of those. */
export function writeRubyVcr(interactions: readonly RecordedInteraction[], into: Destination | undefined): string {
  const betamax = BETAMAX.exec(into?.replaces?.slice(-4096) ?? '')?.[1];
  if (betamax !== undefined) return writeBetamax(interactions, betamax, into);
  const entries = interactions.map((interaction) => {
    const exchange = recordedExchange(interaction);
    return {
      request: {
        method: exchange.method.toLowerCase(),
        uri: exchange.url,
        body: encodedBody(exchange.requestBody, into),
        headers: headerValuesByName(exchange.requestHeaders),
      },
      response: {
        status: { code: exchange.status ?? 0, message: statusPhrase(exchange.status ?? 0) },
        headers: headerValuesByName(exchange.responseHeaders),
        body: encodedBody(exchange.responseBody, into),
      },
      recorded_at: dateOf(interaction.timing).toUTCString(),
    };
  });
  return writeDocument({ http_interactions: entries, recorded_with: 'VCR 6.4.0' }, into, RUBY);
}

/** Psych writes base64 on one line. */
const PSYCH: YamlStyle = {
  width: 80,
  plainness: 'bmp',
  binaryColumns: Number.POSITIVE_INFINITY,
  binaryTag: '!binary |-',
};
const RUBY: Dialects = {
  recorded: ['yaml', 'json'],
  yaml: (cassette) => `---\n${writeYaml(cassette, PSYCH)}`,
  json: (cassette) => prettyJson(cassette),
};

function encodedBody(body: HttpBody, into: Destination | undefined): YamlRecord {
  const string = bodyScalar(body) ?? '';
  if (!(string instanceof YamlBinary)) return { encoding: 'UTF-8', string: String(string) };
  return { encoding: 'ASCII-8BIT', ...(isJsonFile(into, RUBY) ? { base64_string: string.base64 } : { string }) };
}

const BETAMAX = /recorded_with["']?\s*:\s*["']?(betamax\/[\w.]+)/;

/** A whole cassette as Python's Betamax writes it, which reads no other: with the addresses of responses, and dates without a zone. */
function writeBetamax(
  interactions: readonly RecordedInteraction[],
  recorder: string,
  into: Destination | undefined,
): string {
  const entries = interactions.map((interaction) => {
    const exchange = recordedExchange(interaction);
    const { method, url, status = 0 } = exchange;
    return {
      request: {
        body: betamaxBody(exchange.requestBody),
        headers: headerValuesByName(exchange.requestHeaders),
        method: method.toUpperCase(),
        uri: url,
      },
      response: {
        body: betamaxBody(exchange.responseBody),
        headers: headerValuesByName(exchange.responseHeaders),
        status: { code: status, message: statusPhrase(status) },
        url,
      },
      recorded_at: dateOf(interaction.timing).toISOString().slice(0, 19),
    };
  });
  return writeDocument({ http_interactions: entries, recorded_with: recorder }, into, PYTHON);
}

function betamaxBody(body: HttpBody): YamlRecord {
  const string = bodyScalar(body) ?? '';
  return string instanceof YamlBinary
    ? { encoding: null, base64_string: string.base64 }
    : { encoding: 'utf-8', string: String(string) };
}

const PYTHON: Dialects = {
  recorded: ['json', 'yaml'],
  yaml: (cassette) =>
    writeYaml(cassette, { width: 80, plainness: 'ascii', binaryColumns: 76, binaryTag: '!!binary |' }),
  json: (cassette) => pythonJson(toNode(cassette)),
};

/** A whole cassette as R's vcr writes it: without the headers of requests. */
export function writeRVcr(interactions: readonly RecordedInteraction[], into: Destination | undefined): string {
  const entries = interactions.map((interaction) => {
    const exchange = recordedExchange(interaction);
    return {
      request: { method: exchange.method.toUpperCase(), uri: exchange.url, ...plainBody(exchange.requestBody, into) },
      response: responseOf(exchange, into),
      recorded_at: dateOf(interaction.timing).toISOString().slice(0, 19).replace('T', ' '),
    };
  });
  return writeDocument({ http_interactions: entries, recorded_with: 'VCR-vcr/2.1.0' }, into, R);
}

const R: Dialects = {
  recorded: ['yaml', 'json'],
  yaml: (cassette) =>
    writeYaml(cassette, { width: 80, plainness: 'bmp', binaryColumns: 76, binaryTag: '!!binary |', blocks: true }),
  json: (cassette) => `${compactJson(cassette)}\n`,
};

function responseOf(
  { status, responseHeaders, responseBody }: HttpExchange,
  into: Destination | undefined,
): YamlRecord {
  return { status: status ?? 0, headers: singleValues(responseHeaders), ...plainBody(responseBody, into) };
}

/** R writes a list of one value as the value. */
function singleValues(headers: readonly HttpHeader[]): YamlRecord {
  const lists = Object.entries(headerValuesByName(headers));
  return Object.fromEntries(lists.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]));
}

function plainBody(body: HttpBody, into: Destination | undefined): YamlRecord {
  const string = bodyScalar(body);
  if (string === null) return {};
  const isBase64 = string instanceof YamlBinary && isJsonFile(into, RUBY);
  return { body: isBase64 ? { base64_string: string.base64 } : { string } };
}
