import { isRecord, type Json } from '../../core/json/json';
import type { ChatResponse } from '../../core/model/message';

const MASK = '[redacted]';
/** Keys of providers are longer. Shorter ones are placeholders, such as "mock", that may also be plain words in a text. */
const SHORTEST_REAL_KEY = 16;

/** The text without the key. */
export function redactKey(text: string, key: string | undefined): string {
  return key === undefined || key === '' ? text : text.replaceAll(key, MASK);
}

/** The response without the key: a server that echoes its request must not bring the key onto the tape. */
export function redactKeyInResponse(response: ChatResponse, key: string | undefined): ChatResponse {
  if (key === undefined || key.length < SHORTEST_REAL_KEY) return response;
  return {
    ...response,
    content: response.content === null ? null : redactKey(response.content, key),
    toolCalls: response.toolCalls.map((call) => ({ ...call, arguments: redactKeyInJson(call.arguments, key) })),
  };
}

function redactKeyInJson(value: Json, key: string): Json {
  if (typeof value === 'string') return redactKey(value, key);
  if (Array.isArray(value)) return value.map((item) => redactKeyInJson(item, key));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactKeyInJson(member, key)]));
}
