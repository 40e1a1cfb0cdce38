import { formatNode } from '../../../json/formatJson';
import { compactJson, type Json } from '../../../json/json';
import { parseExactJson, readJson } from '../../../json/readJson';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import type { RecordedInteraction, Timing } from '../../../model/interaction';
import { bodyContent } from '../../../wire/body/bodyContent';
import { writeChatBody, writeChatResponse } from '../../../wire/openaiChat/write';
import { YamlBinary, type YamlValue } from '../../../yaml/writeYaml';
import { usualUrlOf } from './usualUrls';

/**
 * The HTTP exchange of an interaction, for formats that store HTTP. An interaction that was recorded without HTTP
 * becomes a call of OpenAI's Chat Completions.
 */
export function recordedExchange({ http, request, response }: RecordedInteraction): HttpExchange {
  if (http !== undefined) return http;
  const json: readonly HttpHeader[] = [['content-type', 'application/json']];
  return {
    method: 'POST',
    url: usualUrlOf('openai-chat'),
    requestHeaders: json,
    requestBody: { type: 'text', text: compactJson(writeChatBody(request)) },
    status: response?.error === undefined ? 200 : 500,
    responseHeaders: json,
    responseBody: { type: 'text', text: compactJson(writeChatResponse(response)) },
  };
}

/** For formats in which each exchange has a date (`needsDates`): 1970 is read as none. */
export function dateOf(timing: Timing | undefined): Date {
  const recordedAt = timing?.recordedAt ?? '';
  const date = new Date(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(recordedAt) ? `${recordedAt.replace(' ', 'T')}Z` : recordedAt,
  );
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** Headers by name, each with its values, in the order of the first of them. */
export function headerValuesByName(headers: readonly HttpHeader[]): Record<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of headers) lists.set(name, [...(lists.get(name) ?? []), value]);
  return Object.fromEntries(lists);
}

/**
 * The object or list of a body, for formats that may store it parsed, if nothing is lost by that. Other JSON would be
 * read back as a text, or as no body.
 */
export function losslessBodyJson(body: HttpBody): (Json & object) | undefined {
  const json = body.type === 'json' ? body.json : losslessJson(body);
  return typeof json === 'object' && json !== null ? json : undefined;
}

/** The object or list of a body, if nothing but white space is lost by storing it parsed. */
export function bodyJson(body: HttpBody): (Json & object) | undefined {
  const text = bodyText(body) ?? '';
  const json = parseExactJson(text);
  if (typeof json !== 'object' || json === null) return undefined;
  const { value: node } = readJson(text);
  return node !== undefined && formatNode(text, node) === compactJson(json) ? json : undefined;
}

function losslessJson(body: HttpBody): Json | undefined {
  const content = bodyContent(body);
  if (content === undefined || !('text' in content)) return undefined;
  const json = parseExactJson(content.text);
  return json !== undefined && compactJson(json) === content.text ? json : undefined;
}

/** The text of a body; undefined for a binary one. */
export function bodyText(body: HttpBody): string | undefined {
  const content = bodyContent(body);
  return content !== undefined && 'text' in content ? content.text : undefined;
}

/** The base64 of a binary body. */
export function bodyBase64(body: HttpBody): string | undefined {
  const content = bodyContent(body);
  return content !== undefined && 'base64' in content ? content.base64 : undefined;
}

/** Headers as an object. Several headers of one name are joined, as HTTP allows. */
export function headerObject(headers: readonly HttpHeader[]): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const known = joined.get(name);
    joined.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(joined);
}

/** A body as the scalar of a new file; null for an empty body. */
export function bodyScalar(body: HttpBody): YamlValue {
  const content = bodyContent(body);
  if (content === undefined) return null;
  return 'text' in content ? content.text : new YamlBinary(content.base64);
}
