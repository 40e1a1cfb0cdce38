import { asList, asRecord } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/** Joins lines, each a response with a piece of the text; the last one has the counts. */
export function joinOllamaLines(events: readonly StreamEvent[]): JsonRecord {
  let response: JsonRecord = {};
  let message: JsonRecord = {};
  const texts = new Map<string, string>();
  const calls: Json[] = [];
  const add = (key: string, value: Json | undefined) => {
    if (typeof value === 'string') texts.set(key, (texts.get(key) ?? '') + value);
  };
  for (const { json } of events) {
    response = { ...response, ...json };
    const piece = asRecord(json.message);
    message = { ...message, ...piece };
    add('content', piece.content ?? json.response);
    add('thinking', piece.thinking ?? json.thinking);
    for (const call of asList(piece.tool_calls)) calls.push(call);
  }
  return { ...response, message: { ...message, ...Object.fromEntries(texts), tool_calls: calls } };
}
