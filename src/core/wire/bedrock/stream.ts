import { asList, asRecord, asString, omitKeys } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/**
 * Joins the events of ConverseStream. An event is named by its frame or, if only payloads are stored, by its one
 * member.
 */
export function joinConverseEvents(events: readonly StreamEvent[]): JsonRecord {
  let response: JsonRecord = {};
  let role: Json = 'assistant';
  const blocks = new Map<Json, BlockBuilder>();
  const blockAt = ({ contentBlockIndex: index = 0 }: JsonRecord): BlockBuilder => {
    const block = blocks.get(index) ?? new BlockBuilder();
    blocks.set(index, block);
    return block;
  };
  for (const { name, payload } of events.map(namedEvent)) {
    if (name === 'messageStart') role = payload.role ?? role;
    else if (name === 'contentBlockStart') blockAt(payload).start(asRecord(payload.start));
    else if (name === 'contentBlockDelta') blockAt(payload).add(asRecord(payload.delta));
    else if (name === 'messageStop' || name === 'metadata') response = { ...response, ...payload };
  }
  const content = [...blocks.values()].map((block) => block.build());
  return { ...response, output: { message: { role, content } } };
}

const NAMES = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
]);

function namedEvent({ event, json }: StreamEvent): { readonly name: string; readonly payload: JsonRecord } {
  const inside = Object.entries(json).find(([key, value]) => NAMES.has(key) && isRecord(value));
  if (inside === undefined) return { name: event ?? '', payload: json };
  const [name, payload] = inside;
  // `invoke` reports durations beside the last event.
  return { name, payload: { ...omitKeys(json, name), ...asRecord(payload) } };
}

class BlockBuilder {
  #start: JsonRecord = {};
  #text: string | undefined;
  #input: string | undefined;
  readonly #reasoning = { text: '', signature: '', redacted: '' };
  readonly #citations: Json[] = [];
  readonly #results: Json[] = [];

  start(start: JsonRecord): void {
    this.#start = start;
  }

  add({ text, toolUse, toolResult, reasoningContent, citation }: JsonRecord): void {
    if (typeof text === 'string') this.#text = (this.#text ?? '') + text;
    if (isRecord(toolUse)) this.#input = (this.#input ?? '') + (asString(toolUse.input) ?? '');
    for (const result of asList(toolResult)) this.#results.push(result);
    const reasoning = asRecord(reasoningContent);
    this.#reasoning.text += asString(reasoning.text) ?? '';
    this.#reasoning.signature += asString(reasoning.signature) ?? '';
    this.#reasoning.redacted += asString(reasoning.redactedContent) ?? '';
    if (citation !== undefined) this.#citations.push(citation);
  }

  build(): JsonRecord {
    const { text, signature, redacted } = this.#reasoning;
    // The input of a streamed call is JSON text, as the model wrote it.
    if (isRecord(this.#start.toolUse) || this.#input !== undefined) {
      return { toolUse: { ...asRecord(this.#start.toolUse), input: this.#input ?? '' } };
    }
    if (this.#results.length > 0) {
      return { toolResult: { ...asRecord(this.#start.toolResult), content: this.#results } };
    }
    if (text !== '' || signature !== '') return { reasoningContent: { reasoningText: { text, signature } } };
    if (redacted !== '') return { reasoningContent: { redactedContent: redacted } };
    if (this.#citations.length > 0) {
      return { citationsContent: { content: [{ text: this.#text ?? '' }], citations: this.#citations } };
    }
    return this.#text === undefined ? this.#start : { ...this.#start, text: this.#text };
  }
}
