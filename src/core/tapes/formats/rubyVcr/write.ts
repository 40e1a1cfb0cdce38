import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { statusPhrase } from '../../../wire/http';
import { writeYaml, YamlBinary, type YamlRecord } from '../../../yaml/writeYaml';
import { headerValuesByName, recordedExchange } from '../shared/recordedHttp';
import { bodyScalar } from '../shared/yamlHttpTape';

/** A whole cassette as Ruby's VCR writes it, with Psych. */
export function writeRubyVcr(interactions: readonly RecordedInteraction[]): string {
  const entries = interactions.map((interaction) => {
    const exchange = recordedExchange(interaction);
    return {
      request: {
        method: exchange.method.toLowerCase(),
        uri: exchange.url,
        body: encodedBody(exchange.requestBody),
        headers: headerValuesByName(exchange.requestHeaders),
      },
      response: {
        status: { code: exchange.status ?? 0, message: statusPhrase(exchange.status ?? 0) },
        headers: headerValuesByName(exchange.responseHeaders),
        body: encodedBody(exchange.responseBody),
      },
      recorded_at: dateOf(interaction).toUTCString(),
    };
  });
  const style = {
    width: 80,
    plainness: 'bmp',
    binaryColumns: Number.POSITIVE_INFINITY,
    binaryTag: '!binary |-',
  } as const;
  return `---\n${writeYaml({ http_interactions: entries, recorded_with: 'VCR 6.4.0' }, style)}`;
}

function encodedBody(body: HttpBody): { readonly encoding: string; readonly string: string | YamlBinary } {
  const string = bodyScalar(body) ?? '';
  return string instanceof YamlBinary
    ? { encoding: 'ASCII-8BIT', string }
    : { encoding: 'UTF-8', string: String(string) };
}

/** A whole cassette as R's vcr writes it: without the headers of requests. */
export function writeRVcr(interactions: readonly RecordedInteraction[]): string {
  const entries = interactions.map((interaction) => {
    const exchange = recordedExchange(interaction);
    return {
      request: { method: exchange.method.toUpperCase(), uri: exchange.url, ...plainBody(exchange.requestBody) },
      response: responseOf(exchange),
      recorded_at: dateOf(interaction).toISOString().slice(0, 19).replace('T', ' '),
    };
  });
  const style = { width: 80, plainness: 'bmp', binaryColumns: 76, binaryTag: '!!binary |', blocks: true } as const;
  return writeYaml({ http_interactions: entries, recorded_with: 'VCR-vcr/2.1.0' }, style);
}

function responseOf({ status, responseHeaders, responseBody }: HttpExchange): YamlRecord {
  return { status: status ?? 0, headers: singleValues(responseHeaders), ...plainBody(responseBody) };
}

/** R writes a list of one value as the value. */
function singleValues(headers: readonly HttpHeader[]): YamlRecord {
  const lists = Object.entries(headerValuesByName(headers));
  return Object.fromEntries(lists.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]));
}

function plainBody(body: HttpBody): YamlRecord {
  const string = bodyScalar(body);
  return string === null ? {} : { body: { string } };
}

/** VCR requires a date; if none was recorded, it is the epoch. */
function dateOf({ timing }: RecordedInteraction): Date {
  const recordedAt = timing?.recordedAt ?? '';
  const date = new Date(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(recordedAt) ? `${recordedAt.replace(' ', 'T')}Z` : recordedAt,
  );
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}
