import type { Json } from '../json/json';
import { decodeBase64, encodeBase64 } from '../wire/base64';
import { chunkBytes } from '../wire/body';
import { compactJson } from '../wire/compactJson';
import { writeAnswer, writeChatMessage, writeTool } from './formats/openaiWrite';
import type { ChatRequest, HttpBody, HttpExchange, HttpHeader } from './tape';
import type { RecordedInteraction } from './tapeFormat';

/**
 * What went over the wire, for formats that store HTTP. Of an interaction that was recorded without it, what would have
 * gone over the wire had it been a call of OpenAI's Chat Completions.
 */
export function recordedExchange({ http, request, response }: RecordedInteraction): HttpExchange {
  if (http !== undefined) return http;
  const json: readonly HttpHeader[] = [['content-type', 'application/json']];
  return {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    requestHeaders: json,
    requestBody: { type: 'text', text: compactJson(writeRequestBody(request)) },
    status: response?.error === undefined ? 200 : 500,
    responseHeaders: json,
    responseBody: { type: 'text', text: compactJson(writeAnswer(response)) },
  };
}

/** A request as the body of a call of OpenAI's Chat Completions. */
export function writeRequestBody(request: ChatRequest | undefined): Json {
  const { model, messages = [], tools = [], params = {} } = request ?? {};
  return {
    ...(model === undefined ? {} : { model }),
    messages: messages.map(writeChatMessage),
    ...(tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
    ...params,
  };
}

/** A body as a recorder of bytes stores it: as text where it is text, or else as base64. Undefined where there is none. */
export function storedContent(body: HttpBody): { readonly text: string } | { readonly base64: string } | undefined {
  switch (body.type) {
    case 'none':
      return undefined;
    case 'text':
      return { text: body.text };
    case 'json':
      return { text: compactJson(body.json) };
    case 'chunks':
      if (body.chunks.some(({ base64 }) => base64)) return textOrBase64(encodeBase64(chunkBytes(body.chunks)));
      return { text: body.chunks.map(eventText).join('') };
    case 'base64':
      return textOrBase64(body.base64.replace(/\s+/g, ''));
  }
}

/** Chunks are what came over the network, or events that were taken apart. */
function eventText({ event, data }: { readonly event?: string; readonly data: string }): string {
  return event === undefined ? data : `event: ${event}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
}

function textOrBase64(base64: string): { readonly text: string } | { readonly base64: string } {
  const bytes = decodeBase64(base64);
  if (bytes === undefined) return { base64 };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64 };
  }
}

/** Headers by name, each with its values, in the order of the first of them. */
export function headerLists(headers: readonly HttpHeader[]): Record<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of headers) lists.set(name, [...(lists.get(name) ?? []), value]);
  return Object.fromEntries(lists);
}
