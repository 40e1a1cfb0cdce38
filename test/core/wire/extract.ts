import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments, type Tags } from 'yaml';
import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json';
import { jsonValue, readJson } from '../../../src/core/json/jsonDocument';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../src/core/tapes/tape';

/**
 * Takes the HTTP exchanges out of recorded files, for tests of the wire protocols only: quick, and of no use for
 * anything that writes. The formats themselves are read by `src/core/tapes/formats`.
 */
export interface Extracted {
  /** The folder of the corpus, which is the name of its format. */
  readonly format: string;
  readonly file: string;
  readonly index: number;
  readonly exchange: HttpExchange;
}

export const HTTP_FORMATS = [
  'vcrpy-yaml',
  'vcrpy-parsed-body',
  'ruby-vcr-yaml',
  'r-vcr-yaml',
  'go-vcr-yaml',
  'httpmock-yaml',
  'azure-test-proxy-json',
  'opencode-http-recorder-json',
  'httprr',
] as const;

/** Every file under a folder, sorted. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** The exchanges of all HTTP recordings of the corpus, in the order of their files. */
export function* extractCorpus(corpus: string): Generator<Extracted> {
  for (const format of HTTP_FORMATS)
    for (const path of filesUnder(join(corpus, format))) {
      const file = relative(corpus, path);
      let index = 0;
      for (const exchange of extractFile(format, readFileSync(path))) yield { format, file, index: index++, exchange };
    }
}

function extractFile(format: (typeof HTTP_FORMATS)[number], bytes: Uint8Array): HttpExchange[] {
  if (format === 'httprr') return httprr(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes);
  const text = Buffer.from(bytes).toString('utf8');
  if (format === 'azure-test-proxy-json') return items(parsedJson(text), 'Entries').map(azure);
  if (format === 'opencode-http-recorder-json') return items(parsedJson(text), 'interactions').map(opencode);
  const documents = yaml(text);
  if (format === 'httpmock-yaml') return documents.filter(isRecord).map(httpmock);
  const root = documents[0];
  if (format === 'go-vcr-yaml') return items(root, 'interactions').map(goVcr);
  if (format === 'r-vcr-yaml' || format === 'ruby-vcr-yaml') return items(root, 'http_interactions').map(rubyVcr);
  return items(root, 'interactions').map(vcrpy);
}

function vcrpy(item: JsonRecord): HttpExchange {
  const request = record(item.request);
  const response = record(item.response);
  return {
    method: text(request.method),
    url: text(request.uri),
    requestHeaders: headers(request.headers),
    requestBody: 'parsed_body' in request ? { type: 'json', json: request.parsed_body ?? null } : body(request.body),
    status: Number(record(response.status).code),
    responseHeaders: headers(response.headers),
    responseBody:
      'parsed_body' in response
        ? { type: 'json', json: response.parsed_body ?? null }
        : body(record(response.body).string),
  };
}

function rubyVcr(item: JsonRecord): HttpExchange {
  const request = record(item.request);
  const response = record(item.response);
  return {
    method: text(request.method).toUpperCase(),
    url: text(request.uri),
    requestHeaders: headers(request.headers),
    requestBody: body(record(request.body).string),
    status: Number(isRecord(response.status) ? response.status.code : response.status),
    responseHeaders: headers(response.headers),
    responseBody: body(record(response.body).string),
  };
}

function goVcr(item: JsonRecord): HttpExchange {
  const request = record(item.request);
  const response = record(item.response);
  return {
    method: text(request.method),
    url: text(request.url),
    requestHeaders: headers(request.headers),
    requestBody: body(request.body),
    status: Number(response.code),
    responseHeaders: headers(response.headers),
    responseBody: body(response.body),
  };
}

function httpmock(item: JsonRecord): HttpExchange {
  const request = record(item.when);
  const response = record(item.then);
  return {
    method: text(request.method),
    url: text(request.path),
    requestHeaders: headers(request.header),
    requestBody: encoded(request.body, request.body_encoding),
    status: Number(response.status),
    responseHeaders: headers(response.header),
    responseBody: encoded(response.body, response.body_encoding),
  };
}

function azure(item: JsonRecord): HttpExchange {
  const requestHeaders = headers(item.RequestHeaders);
  const responseHeaders = headers(item.ResponseHeaders);
  return {
    method: text(item.RequestMethod),
    url: text(item.RequestUri),
    requestHeaders,
    requestBody: azureBody(item.RequestBody, requestHeaders),
    status: Number(item.StatusCode),
    responseHeaders,
    responseBody: azureBody(item.ResponseBody, responseHeaders),
  };
}

/** A list of strings is lines of text, unless the content is JSON; a string is text or, for binary content, base64. */
function azureBody(value: Json | undefined, list: readonly HttpHeader[]): HttpBody {
  const contentType = list.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (value === null || value === undefined) return { type: 'none' };
  if (Array.isArray(value) && !/json/.test(contentType)) return { type: 'text', text: value.map(text).join('') };
  if (typeof value !== 'string') return { type: 'json', json: value };
  return /^(audio|image|application\/octet-stream)/.test(contentType)
    ? { type: 'base64', base64: value }
    : { type: 'text', text: value };
}

function opencode(item: JsonRecord): HttpExchange {
  const request = record(item.request);
  const response = record(item.response);
  return {
    method: text(request.method),
    url: text(request.url),
    requestHeaders: headers(request.headers),
    requestBody: encoded(request.body, request.bodyEncoding),
    status: Number(response.status),
    responseHeaders: headers(response.headers),
    responseBody: encoded(response.body, response.bodyEncoding),
  };
}

function httprr(bytes: Uint8Array): HttpExchange[] {
  const file = Buffer.from(bytes).toString('latin1');
  const exchanges: HttpExchange[] = [];
  let at = file.indexOf('\n') + 1;
  while (at < file.length) {
    const end = file.indexOf('\n', at);
    const [request = 0, response = 0] = file.slice(at, end).split(' ').map(Number);
    const start = end + 1;
    exchanges.push(wire(file.slice(start, start + request), file.slice(start + request, start + request + response)));
    at = start + request + response;
  }
  return exchanges;
}

function wire(request: string, response: string): HttpExchange {
  const asked = httpMessage(request);
  const answered = httpMessage(response);
  const [method = '', url = ''] = asked.first.split(' ');
  return {
    method,
    url,
    requestHeaders: asked.headers,
    requestBody: asked.body,
    status: Number(answered.first.split(' ')[1]),
    responseHeaders: answered.headers,
    responseBody: answered.body,
  };
}

function httpMessage(message: string): { first: string; headers: HttpHeader[]; body: HttpBody } {
  const blank = /\r?\n\r?\n/.exec(message);
  const head = message.slice(0, blank?.index ?? message.length);
  const raw = blank === null ? '' : message.slice(blank.index + blank[0].length);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const list = lines.map(
    (line): HttpHeader => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()],
  );
  const chunked = list.some(([name, value]) => /^transfer-encoding$/i.test(name) && /chunked/i.test(value));
  return { first, headers: list, body: latin1Body(chunked ? dechunk(raw) : raw) };
}

function dechunk(raw: string): string {
  let out = '';
  for (let at = 0; at < raw.length; ) {
    const end = raw.indexOf('\r\n', at);
    const size = Number.parseInt(raw.slice(at, end), 16);
    if (end < 0 || !(size > 0)) break;
    out += raw.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
  return out;
}

function latin1Body(raw: string): HttpBody {
  if (raw === '') return { type: 'none' };
  const bytes = Buffer.from(raw, 'latin1');
  const decoded = bytes.toString('utf8');
  return decoded.includes('\ufffd')
    ? { type: 'base64', base64: bytes.toString('base64') }
    : { type: 'text', text: decoded };
}

/** A scalar of a YAML tape: text, bytes, nothing, or what a hand has made of it. */
function body(value: Json | undefined): HttpBody {
  if (value === null || value === undefined || value === '') return { type: 'none' };
  if (typeof value === 'string') return { type: 'text', text: value };
  if (value instanceof Uint8Array) return { type: 'base64', base64: Buffer.from(value).toString('base64') };
  return { type: 'json', json: value };
}

function encoded(value: Json | undefined, encoding: Json | undefined): HttpBody {
  return encoding === 'base64' ? { type: 'base64', base64: text(value) } : body(value);
}

function headers(value: Json | undefined): HttpHeader[] {
  if (Array.isArray(value)) return value.filter(isRecord).map(({ name, value: one }) => [text(name), text(one)]);
  return Object.entries(record(value)).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map((item): HttpHeader => [name, text(item)]),
  );
}

function items(root: Json | undefined, key: string): JsonRecord[] {
  const list = record(root)[key];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function record(value: Json | undefined): JsonRecord {
  return isRecord(value) ? value : {};
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value);
}

function parsedJson(source: string): Json | undefined {
  const { value } = readJson(source);
  return value && jsonValue(value);
}

const localBinary: Tags[number] = {
  tag: '!binary',
  resolve: (source: string) => new Uint8Array(Buffer.from(source, 'base64')),
};

function yaml(source: string): Json[] {
  const documents = parseAllDocuments(source, {
    customTags: (tags) => [...tags, 'binary', localBinary],
    logLevel: 'silent',
  });
  return Array.isArray(documents) ? documents.map((one) => one.toJS({ maxAliasCount: -1 }) as Json) : [];
}
