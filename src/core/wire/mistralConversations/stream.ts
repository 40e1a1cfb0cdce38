import { asIndex, asList, asRecord, asString, isBlank, omitKeys } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/** Joins the events of a streamed response: each is of the response as a whole, or of one of its entries. */
export function joinConversationEvents(events: readonly StreamEvent[]): JsonRecord {
  let response: JsonRecord = {};
  const entries = new Map<string, EntryBuilder>();
  for (const { json } of events) {
    const [kind, step] = partsOf(asString(json.type) ?? '');
    if (kind === 'conversation.response') response = { ...response, ...responseMembers(step, json) };
    else if (step !== '') {
      const key = `${asIndex(json.output_index)} ${asString(json.id) ?? ''}`;
      const entry = entries.get(key) ?? new EntryBuilder(kind);
      entries.set(key, entry);
      entry.add(json);
    }
  }
  const outputs = [...entries.values()].map((entry) => entry.build());
  return { object: 'conversation.response', ...response, outputs };
}

/** The type of an event, such as `message.output.delta`, is that of its entry and what happened to it. */
function partsOf(type: string): readonly [kind: string, step: string] {
  const end = type.lastIndexOf('.');
  return [type.slice(0, Math.max(0, end)), type.slice(end + 1)];
}

function responseMembers(step: string, event: JsonRecord): JsonRecord {
  const members = omitKeys(event, 'type', 'created_at');
  return step === 'error' ? { error: members } : members;
}

class EntryBuilder {
  readonly #type: string;
  #members: JsonRecord = {};
  #arguments: string | undefined;
  readonly #chunks: IndexedChunk[] = [];

  constructor(type: string) {
    this.#type = type;
  }

  add(event: JsonRecord): void {
    const { content, arguments: args } = event;
    const others = omitKeys(event, 'type', 'created_at', 'output_index', 'content_index', 'content', 'arguments');
    this.#members = { ...this.#members, ...others };
    if (typeof args === 'string') this.#arguments = (this.#arguments ?? '') + args;
    if (content !== undefined) this.#addContent(asIndex(event.content_index), content);
  }

  /** Content is a piece of text, or a chunk of text, of thinking, or with anything else. */
  #addContent(index: number, content: Json): void {
    const chunk: JsonRecord = typeof content === 'string' ? { type: 'text', text: content } : asRecord(content);
    const last = this.#chunks.at(-1);
    const joined = last?.index === index ? joinedChunk(last.chunk, chunk) : undefined;
    if (joined === undefined) this.#chunks.push({ index, chunk });
    else this.#chunks.splice(-1, 1, { index, chunk: joined });
  }

  build(): JsonRecord {
    return {
      object: 'entry',
      type: this.#type,
      ...this.#members,
      ...(this.#arguments === undefined ? {} : { arguments: this.#arguments }),
      ...(this.#type === 'message.output' ? { content: this.#content() } : {}),
    };
  }

  /** A text by itself is no list. */
  #content(): Json {
    const chunks = this.#chunks.map(({ chunk }) => chunk);
    const [only = { text: '' }] = chunks;
    return chunks.length <= 1 && typeof only.text === 'string' ? only.text : chunks;
  }
}

interface IndexedChunk {
  readonly index: number;
  readonly chunk: JsonRecord;
}

/** A chunk with the next piece of it; undefined if that is another chunk. */
function joinedChunk(chunk: JsonRecord, next: JsonRecord): JsonRecord | undefined {
  if (chunk.type !== next.type) return undefined;
  if (typeof chunk.text === 'string' && typeof next.text === 'string')
    return { ...chunk, ...next, text: chunk.text + next.text };
  if (isBlank(next.thinking)) return undefined;
  return { ...chunk, ...next, thinking: [...asList(chunk.thinking), ...asList(next.thinking)] };
}
