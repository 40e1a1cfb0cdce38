import { asList, asRecord, asRecords, asString, isBlank } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/** What is known of an exchange that is no call of a model. */
export interface OtherExchange {
  readonly method: string;
  readonly path: string;
  readonly request: Json | undefined;
  readonly response: Json | undefined;
  readonly responseText: string | undefined;
  readonly events: readonly StreamEvent[];
  readonly contentType: string | undefined;
  /** Of the decoded answer, in bytes or, for text, characters. */
  readonly size: number;
}

/** A few words about what an exchange was for. Undefined where nothing was answered. */
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

/** A streamed transcript ends with the whole text, or has come in segments. */
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

function describeTokens(answer: JsonRecord): string | undefined {
  const known = [answer.totalTokens, answer.input_tokens, answer.inputTokens, answer.total_tokens];
  const total = known.find((value) => typeof value === 'number');
  if (total !== undefined) return `token count, ${total}`;
  return Array.isArray(answer.tokens) ? `tokens, ${answer.tokens.length}` : undefined;
}

/** JSON-RPC, which MCP speaks. */
function describeRemoteCall(request: Json | undefined): string | undefined {
  const { jsonrpc, method, params } = asRecord(request);
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined;
  return [method, asString(asRecord(params).name)].filter(Boolean).join(' ');
}

/** Answers that name their kind: `thread.run, queued`. */
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
