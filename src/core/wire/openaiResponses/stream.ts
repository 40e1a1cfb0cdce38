import { asIndex, asRecord, asString, isBlank } from '../../json/fields';
import { isRecord, type JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/**
 * Joins the events of a streamed response. The last event normally repeats the whole response. If the stream was cut
 * off, or the server abbreviates that event, the items are joined from the events before it.
 */
export function joinResponseEvents(events: readonly StreamEvent[]): JsonRecord {
  let response: JsonRecord = {};
  const items = new Map<number, ItemBuilder>();
  for (const { json } of events) {
    if (isRecord(json.response)) response = { ...response, ...json.response };
    if (json.output_index === undefined) continue;
    const index = asIndex(json.output_index);
    const item = items.get(index) ?? new ItemBuilder();
    items.set(index, item);
    item.add(asString(json.type) ?? '', json);
  }
  if (!isBlank(response.output)) return response;
  const ordered = [...items].sort(([left], [right]) => left - right);
  return { ...response, object: 'response', output: ordered.map(([, item]) => item.build()) };
}

/** The member of an item that a delta extends, by event type. */
const DELTAS = new Map([
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.mcp_call_arguments.delta', 'arguments'],
  ['response.mcp_call.arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'input'],
  ['response.code_interpreter_call_code.delta', 'code'],
  ['response.code_interpreter_call.code.delta', 'code'],
]);
/** The type of content that a delta extends, by event type. */
const CONTENT_DELTAS = new Map([
  ['response.output_text.delta', 'output_text'],
  ['response.refusal.delta', 'refusal'],
  ['response.reasoning_text.delta', 'reasoning_text'],
  ['response.reasoning_summary_text.delta', 'summary_text'],
  ['response.reasoning_summary.delta', 'summary_text'],
]);

class ItemBuilder {
  #item: JsonRecord = {};
  #done = false;
  readonly #texts = new Map<string, string>();
  /** Content parts by type and index. */
  readonly #content = new Map<string, { readonly type: string; text: string }>();

  add(type: string, json: JsonRecord): void {
    if (isRecord(json.item)) {
      this.#item = { ...this.#item, ...json.item };
      this.#done = type === 'response.output_item.done';
    }
    const delta = asString(json.delta);
    if (delta === undefined) return;
    const member = DELTAS.get(type);
    if (member !== undefined) this.#texts.set(member, (this.#texts.get(member) ?? '') + delta);
    const kind = CONTENT_DELTAS.get(type);
    if (kind !== undefined) this.#add(kind, asIndex(json.content_index ?? json.summary_index), delta);
  }

  build(): JsonRecord {
    if (this.#done) return this.#item;
    const pieces = [...this.#content.values()];
    const summary = pieces.filter(({ type }) => type === 'summary_text');
    const content = pieces.filter(({ type }) => type !== 'summary_text').map(contentPart);
    return {
      type: isBlank(this.#item.type) ? (summary.length > 0 ? 'reasoning' : 'message') : (this.#item.type ?? null),
      ...this.#item,
      ...Object.fromEntries(this.#texts),
      ...(content.length > 0 ? { content } : {}),
      ...(summary.length > 0 ? { summary: summary.map(({ text }) => asRecord({ type: 'summary_text', text })) } : {}),
    };
  }

  #add(type: string, place: number, text: string): void {
    const key = `${type} ${place}`;
    const piece = this.#content.get(key);
    if (piece === undefined) this.#content.set(key, { type, text });
    else piece.text += text;
  }
}

function contentPart({ type, text }: { readonly type: string; readonly text: string }): JsonRecord {
  return type === 'refusal' ? { type, refusal: text } : { type, text };
}
