import { asRecord, asString, isBlank } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/** Joins the events of a stream of either version. */
export function joinCohereEvents(events: readonly StreamEvent[]): JsonRecord {
  return events.some(({ json }) => 'event_type' in json) ? joinVersion1(events) : joinVersion2(events);
}

/** The last event of version 1 repeats the whole response. */
function joinVersion1(events: readonly StreamEvent[]): JsonRecord {
  let response: JsonRecord = {};
  let text = '';
  let calls: Json = [];
  for (const { json } of events) {
    if (json.event_type === 'text-generation') text += asString(json.text) ?? '';
    if (json.event_type === 'tool-calls-generation') calls = json.tool_calls ?? calls;
    if (json.event_type === 'stream-start') response = { ...response, generation_id: json.generation_id ?? null };
    if (json.event_type === 'stream-end')
      response = { ...response, finish_reason: json.finish_reason ?? null, ...asRecord(json.response) };
  }
  return {
    generation_id: '',
    ...response,
    text: asString(response.text) || text,
    tool_calls: response.tool_calls ?? calls,
  };
}

function joinVersion2(events: readonly StreamEvent[]): JsonRecord {
  const response = new ResponseBuilder();
  for (const { json } of events) response.add(json);
  return response.build();
}

interface PartialPiece {
  start: JsonRecord;
  text: string;
}

class ResponseBuilder {
  #response: JsonRecord = {};
  #plan = '';
  readonly #contents = new Map<Json, PartialPiece>();
  readonly #calls = new Map<Json, PartialPiece>();
  readonly #citations: Json[] = [];

  add(event: JsonRecord): void {
    const index = event.index ?? 0;
    const { tool_plan: plan, citations, content, tool_calls: call } = asRecord(asRecord(event.delta).message);
    if (event.type === 'message-end') this.#response = { ...this.#response, ...asRecord(event.delta) };
    if (event.type === 'tool-plan-delta') this.#plan += asString(plan) ?? '';
    if (event.type === 'citation-start') this.#citations.push(citations ?? null);
    const { text, thinking } = asRecord(content);
    if (!isBlank(asRecord(content))) {
      const kind: JsonRecord = thinking === undefined ? {} : { type: 'thinking' };
      add(this.#contents, index, { ...asRecord(content), ...kind }, asString(text) ?? asString(thinking) ?? '');
    }
    if (!isBlank(asRecord(call))) {
      add(this.#calls, index, asRecord(call), asString(asRecord(asRecord(call).function).arguments) ?? '');
    }
  }

  build(): JsonRecord {
    const message = {
      role: 'assistant',
      content: [...this.#contents.values()].map(contentOf),
      tool_plan: this.#plan,
      tool_calls: [...this.#calls.values()].map(callOf),
      citations: this.#citations,
    };
    return { ...this.#response, message };
  }
}

function add(pieces: Map<Json, PartialPiece>, index: Json, start: JsonRecord, text: string): void {
  const piece = pieces.get(index);
  if (piece === undefined) pieces.set(index, { start, text });
  else piece.text += text;
}

function contentOf({ start, text }: PartialPiece): JsonRecord {
  return start.type === 'thinking' ? { type: 'thinking', thinking: text } : { type: 'text', text };
}

function callOf({ start, text }: PartialPiece): JsonRecord {
  return { ...start, function: { ...asRecord(start.function), arguments: text } };
}
