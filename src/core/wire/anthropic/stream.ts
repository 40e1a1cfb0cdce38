import { asRecord, asString, isBlank, omitKeys } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import { parseExactJson } from '../../json/readJson';
import type { StreamEvent } from '../protocol';

/** Joins the events of a streamed message. */
export function joinMessageEvents(events: readonly StreamEvent[]): JsonRecord {
  const message = new MessageBuilder();
  for (const { json } of events) message.add(json);
  return message.build();
}

class MessageBuilder {
  #message: JsonRecord = {};
  #usage: JsonRecord = {};
  readonly #blocks = new Map<Json, BlockBuilder>();

  add(event: JsonRecord): void {
    switch (event.type) {
      case 'message_start':
        this.#message = { ...this.#message, ...asRecord(event.message) };
        this.#addUsage(asRecord(event.message).usage);
        break;
      case 'content_block_start':
        this.#block(event).start(asRecord(event.content_block));
        break;
      case 'content_block_delta':
        this.#block(event).add(asRecord(event.delta));
        break;
      case 'message_delta':
        this.#message = { ...this.#message, ...withoutBlanks(asRecord(event.delta)) };
        this.#addUsage(event.usage);
        break;
      case 'message_stop':
        // Bedrock reports durations beside it.
        this.#message = { ...this.#message, ...omitKeys(event, 'type') };
    }
  }

  build(): JsonRecord {
    const content = [...this.#blocks.values()].map((block) => block.build());
    return { type: 'message', ...this.#message, content, usage: this.#usage };
  }

  /** Later counts replace earlier ones, unless they are missing or null. */
  #addUsage(usage: Json | undefined): void {
    this.#usage = { ...this.#usage, ...withoutBlanks(asRecord(usage)) };
  }

  #block({ index = 0 }: JsonRecord): BlockBuilder {
    const block = this.#blocks.get(index) ?? new BlockBuilder();
    this.#blocks.set(index, block);
    return block;
  }
}

function withoutBlanks(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlank(value)));
}

class BlockBuilder {
  #start: JsonRecord = {};
  /** The JSON text of a tool's input. */
  #input: string | undefined;
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, Json[]>();

  start(block: JsonRecord): void {
    this.#start = block;
  }

  add(delta: JsonRecord): void {
    const { type, partial_json: json, citation, ...others } = delta;
    if (typeof json === 'string') this.#input = (this.#input ?? '') + json;
    if (citation !== undefined) this.#append('citations', citation);
    for (const [key, value] of Object.entries(others)) {
      const text = asString(value);
      if (text !== undefined) this.#texts.set(key, (this.#texts.get(key) ?? asString(this.#start[key]) ?? '') + text);
      else if (!isBlank(value)) this.#append(key, value);
    }
    if (this.#start.type === undefined) this.#start = { type: blockTypeOf(asString(type) ?? '') };
  }

  build(): JsonRecord {
    return {
      ...this.#start,
      ...Object.fromEntries(this.#texts),
      ...Object.fromEntries(this.#lists),
      ...(this.#input ? { input: this.#readInput(this.#input) } : {}),
    };
  }

  /** A call of the client's tools keeps its text; a call of a server tool is only displayed. */
  #readInput(text: string): Json {
    return this.#start.type === 'tool_use' ? text : (parseExactJson(text) ?? text);
  }

  #append(key: string, value: Json): void {
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    list.push(value);
  }
}

/** The type of a block whose start was not recorded, derived from its delta. */
function blockTypeOf(delta: string): string {
  if (delta === 'input_json_delta') return 'tool_use';
  return delta === 'thinking_delta' || delta === 'signature_delta' ? 'thinking' : 'text';
}
