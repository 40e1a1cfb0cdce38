import type { Json, JsonRecord } from '../json/json';
import { isBlank, recordOf, textOf } from './fields';
import type { StreamEvent } from './wireProtocol';

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
    if (json.event_type === 'text-generation') text += textOf(json.text) ?? '';
    if (json.event_type === 'tool-calls-generation') calls = json.tool_calls ?? calls;
    if (json.event_type === 'stream-start') answer = { ...answer, generation_id: json.generation_id ?? null };
    if (json.event_type === 'stream-end')
      answer = { ...answer, finish_reason: json.finish_reason ?? null, ...recordOf(json.response) };
  }
  return { generation_id: '', ...answer, text: textOf(answer.text) || text, tool_calls: answer.tool_calls ?? calls };
}

function joinVersion2(events: readonly StreamEvent[]): JsonRecord {
  const answer = new OpenAnswer();
  for (const { json } of events) answer.take(json);
  return answer.whole();
}

interface OpenPiece {
  start: JsonRecord;
  text: string;
}

class OpenAnswer {
  #answer: JsonRecord = {};
  #plan = '';
  readonly #contents = new Map<Json, OpenPiece>();
  readonly #calls = new Map<Json, OpenPiece>();
  readonly #citations: Json[] = [];

  take(event: JsonRecord): void {
    const index = event.index ?? 0;
    const { tool_plan: plan, citations, content, tool_calls: call } = recordOf(recordOf(event.delta).message);
    if (event.type === 'message-end') this.#answer = { ...this.#answer, ...recordOf(event.delta) };
    if (event.type === 'tool-plan-delta') this.#plan += textOf(plan) ?? '';
    if (event.type === 'citation-start') this.#citations.push(citations ?? null);
    const { text, thinking } = recordOf(content);
    if (!isBlank(recordOf(content))) {
      const kind = thinking === undefined ? {} : { type: 'thinking' };
      add(this.#contents, index, { ...recordOf(content), ...kind }, textOf(text) ?? textOf(thinking) ?? '');
    }
    if (!isBlank(recordOf(call))) {
      add(this.#calls, index, recordOf(call), textOf(recordOf(recordOf(call).function).arguments) ?? '');
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

function add(pieces: Map<Json, OpenPiece>, index: Json, start: JsonRecord, text: string): void {
  const open = pieces.get(index);
  if (open === undefined) pieces.set(index, { start, text });
  else open.text += text;
}

function contentOf({ start, text }: OpenPiece): JsonRecord {
  return start.type === 'thinking' ? { type: 'thinking', thinking: text } : { type: 'text', text };
}

function callOf({ start, text }: OpenPiece): JsonRecord {
  return { ...start, function: { ...recordOf(start.function), arguments: text } };
}
