import { asList, asRecord, asRecords, asString, isBlank } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/** An exchange that is not a model call. */
interface OtherExchange {
  readonly method: string;
  readonly path: string;
  readonly request: Json | undefined;
  readonly response: Json | undefined;
  readonly responseText: string | undefined;
  readonly events: readonly StreamEvent[];
  readonly contentType: string | undefined;
  /** Of the decoded response: UTF-16 units of a text, otherwise bytes. */
  readonly size: number;
}

/** Describes the purpose of an exchange in a few words; undefined if there is no response. */
export function describeExchange(exchange: OtherExchange): string | undefined {
  for (const [path, describe] of ENDPOINTS) {
    const summary = path.test(exchange.path) ? describe(exchange) : undefined;
    if (summary !== undefined) return summary;
  }
  return describeRemoteCall(exchange.request) ?? describeResponse(exchange.response) ?? describeContent(exchange);
}

type Describe = (exchange: OtherExchange) => string | undefined;

const ENDPOINTS: readonly (readonly [RegExp, Describe])[] = [
  [
    /\/rerank\/?$/,
    ({ response }) => `rerank, ${count(asRecord(response).results ?? asRecord(response).data, 'result')}`,
  ],
  [/\/moderations\/?$/, ({ response }) => describeModeration(asRecords(asRecord(response).results))],
  [/\/images\/[a-z]+\/?$/, ({ response }) => `image generation, ${count(asRecord(response).data, 'image')}`],
  [/\/(transcri(ptions|be)|translations|speech-to-text)\/?$/, (exchange) => `transcription: ${transcript(exchange)}`],
  [/\/(audio\/speech|text-to-speech\/.*)$/, (exchange) => `speech, ${describeContent(exchange) ?? 'nothing'}`],
  [/\/models\/?$/, ({ response }) => `${count(asRecord(response).data ?? asRecord(response).models, 'model')}`],
  [/count[-_]?tokens\/?$|\/input_tokens\/?$|\/tokenize\/?$/i, ({ response }) => describeTokens(asRecord(response))],
  [/\/(oauth2?\/)?token\/?$/, ({ response }) => ('access_token' in asRecord(response) ? 'access token' : undefined)],
  [/:predictLongRunning$|\/videos(\/generations)?\/?$/, () => 'video generation'],
];

function count(list: Json | undefined, noun: string): string {
  const { length } = asList(list);
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}

function describeModeration(results: readonly JsonRecord[]): string | undefined {
  if (results.length === 0) return undefined;
  const flags = results.flatMap(({ categories }) => Object.entries(asRecord(categories)));
  const flagged = new Set(flags.flatMap(([name, value]) => (value === true ? [name] : [])));
  return `moderation, ${flagged.size > 0 ? `flagged: ${[...flagged].join(', ')}` : 'nothing flagged'}`;
}

/** A streamed transcription ends with the whole text, or else consists of segments. */
function transcript({ response, responseText = '', events }: OtherExchange): string {
  const texts = events.map(({ json }) => asString(json.text) ?? '');
  const whole = events.find(({ json }) => json.type === 'transcript.text.done');
  const streamed = asString(whole?.json.text) ?? texts.join('');
  return shorten(asString(asRecord(response).text) ?? (events.length > 0 ? streamed : responseText));
}

const MAX_LENGTH = 80;

function shorten(text: string): string {
  const line = text
    .slice(0, 4 * MAX_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function describeTokens(response: JsonRecord): string | undefined {
  const totals = [response.totalTokens, response.input_tokens, response.inputTokens, response.total_tokens];
  const total = totals.find((value) => typeof value === 'number');
  if (total !== undefined) return `token count, ${total}`;
  return Array.isArray(response.tokens) ? `tokens, ${response.tokens.length}` : undefined;
}

/** Describes a call of JSON-RPC, which MCP uses. */
function describeRemoteCall(request: Json | undefined): string | undefined {
  const { jsonrpc, method, params } = asRecord(request);
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined;
  return [method, asString(asRecord(params).name)].filter(Boolean).join(' ');
}

/** Describes a response that names its `object`, such as `thread.run, queued`. */
export function describeResponse(response: Json | undefined): string | undefined {
  if (!isRecord(response) || typeof response.object !== 'string') return undefined;
  if (response.object === 'list') return `list, ${count(response.data, 'item')}`;
  const state = response.deleted === true ? 'deleted' : asString(response.status);
  return shorten([response.object, state].filter(Boolean).join(', '));
}

function describeContent({ contentType, size }: OtherExchange): string | undefined {
  if (size === 0) return undefined;
  const [type] = (contentType ?? '').split(';');
  return isBlank(type) ? sizeOf(size) : `${type}, ${sizeOf(size)}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
