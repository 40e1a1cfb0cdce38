import { asRecord, asString, isBlank } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/** Puts the events of a streamed answer together, of either version. */
export function joinCohereEvents(events: readonly StreamEvent[]): JsonRecord {
  return events.some(({ json }) => 'event_type' in json) ? joinVersion1(events) : joinVersion2(events);
}

/** The last event of version 1 repeats the whole answer. */
function joinVersion1(events: readonly StreamEvent[]): JsonRecord {
  let answer: JsonRecord = {};
  let text = '';
  let calls: Json = [];
  for (const { json } of events) {
    if (json.event_type === 'text-generation') text += asString(json.text) ?? '';
    if (json.event_type === 'tool-calls-generation') calls = json.tool_calls ?? calls;
    if (json.event_type === 'stream-start') answer = { ...answer, generation_id: json.generation_id ?? null };
    if (json.event_type === 'stream-end')
      answer = { ...answer, finish_reason: json.finish_reason ?? null, ...asRecord(json.response) };
  }
  return { generation_id: '', ...answer, text: asString(answer.text) || text, tool_calls: answer.tool_calls ?? calls };
}

function joinVersion2(events: readonly StreamEvent[]): JsonRecord {
  const answer = new ResponseBuilder();
  for (const { json } of events) answer.take(json);
  return answer.whole();
}

interface PartialPiece {
  start: JsonRecord;
  text: string;
}

class ResponseBuilder {
  #answer: JsonRecord = {};
  #plan = '';
  readonly #contents = new Map<Json, PartialPiece>();
  readonly #calls = new Map<Json, PartialPiece>();
  readonly #citations: Json[] = [];

  take(event: JsonRecord): void {
    const index = event.index ?? 0;
    const { tool_plan: plan, citations, content, tool_calls: call } = asRecord(asRecord(event.delta).message);
    if (event.type === 'message-end') this.#answer = { ...this.#answer, ...asRecord(event.delta) };
    if (event.type === 'tool-plan-delta') this.#plan += asString(plan) ?? '';
    if (event.type === 'citation-start') this.#citations.push(citations ?? null);
    const { text, thinking } = asRecord(content);
    if (!isBlank(asRecord(content))) {
      const kind = thinking === undefined ? {} : { type: 'thinking' };
      add(this.#contents, index, { ...asRecord(content), ...kind }, asString(text) ?? asString(thinking) ?? '');
    }
    if (!isBlank(asRecord(call))) {
      add(this.#calls, index, asRecord(call), asString(asRecord(asRecord(call).function).arguments) ?? '');
    }
  }

  whole(): JsonRecord {
    const message = {
      role: 'assistant',
      content: [...this.#contents.values()].map(contentOf),
      tool_plan: this.#plan,
      tool_calls: [...this.#calls.values()].map(callOf),
      citations: this.#citations,
    };
    return { ...this.#answer, message };
  }
}

function add(pieces: Map<Json, PartialPiece>, index: Json, start: JsonRecord, text: string): void {
  const open = pieces.get(index);
  if (open === undefined) pieces.set(index, { start, text });
  else open.text += text;
}

function contentOf({ start, text }: PartialPiece): JsonRecord {
  return start.type === 'thinking' ? { type: 'thinking', thinking: text } : { type: 'text', text };
}

function callOf({ start, text }: PartialPiece): JsonRecord {
  return { ...start, function: { ...asRecord(start.function), arguments: text } };
}
