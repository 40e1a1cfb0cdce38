import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { concatBytes } from '../../bytes/concatBytes';
import { asIndex, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { StreamEvent } from '../protocol';

/** Joins the chunks of a chat completion into the unstreamed completion. */
export function joinChatChunks(events: readonly StreamEvent[]): JsonRecord {
  const choices = new Map<number, ChoiceBuilder>();
  const others = new Map<string, Json>();
  for (const { json } of events) {
    for (const [key, value] of Object.entries(json)) {
      if (key !== 'choices' && !isBlank(value)) others.set(key, value);
    }
    for (const chunk of asRecords(json.choices)) {
      const index = asIndex(chunk.index);
      const choice = choices.get(index) ?? new ChoiceBuilder();
      choices.set(index, choice);
      choice.add(chunk);
    }
  }
  const ordered = [...choices].sort(([left], [right]) => left - right);
  return { ...Object.fromEntries(others), choices: ordered.map(([, choice]) => choice.build()) };
}

/** Members whose strings are concatenated. */
const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_signature'];
/** Members whose lists are concatenated. */
const LISTS = ['reasoning_details', 'thinking_blocks', 'images', 'annotations', 'citations', 'executed_tools'];

class ChoiceBuilder {
  readonly #others = new Map<string, Json>();
  readonly #message = new Map<string, Json>();
  readonly #texts = new Map<string, TextBuilder>();
  readonly #lists = new Map<string, Json[]>();
  readonly #calls = new ToolCallsBuilder();
  readonly #audio = new AudioBuilder();
  readonly #functionCall = { name: '', arguments: '' };

  add(piece: JsonRecord): void {
    for (const [key, value] of Object.entries(piece)) {
      if (key !== 'delta' && key !== 'message' && !isBlank(value)) this.#others.set(key, value);
    }
    // Some servers repeat the message so far beside the delta, and some send only that.
    if (isRecord(piece.delta)) this.#merge(piece.delta);
    else for (const [key, value] of Object.entries(asRecord(piece.message))) this.#message.set(key, value);
  }

  build(): JsonRecord {
    const texts = [...this.#texts].map(([key, text]): [string, Json] => [key, text.build()]);
    const calls = this.#calls.build();
    const message = {
      ...Object.fromEntries(this.#message),
      ...Object.fromEntries(texts),
      ...Object.fromEntries(this.#lists),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(this.#functionCall.name === '' ? {} : { function_call: { ...this.#functionCall } }),
      ...this.#audio.build(),
    };
    return { ...Object.fromEntries(this.#others), message };
  }

  #merge(delta: JsonRecord): void {
    for (const [key, value] of Object.entries(delta)) {
      if (TEXTS.includes(key) && (typeof value === 'string' || Array.isArray(value))) this.#text(key).add(value);
      else if (LISTS.includes(key) && Array.isArray(value)) this.#append(key, value);
      else if (key === 'tool_calls') for (const call of asRecords(value)) this.#calls.add(call);
      else if (key === 'function_call') this.#mergeFunctionCall(asRecord(value));
      else if (key === 'audio') this.#audio.add(asRecord(value));
      else if (!isBlank(value)) this.#message.set(key, value);
    }
  }

  #text(key: string): TextBuilder {
    const text = this.#texts.get(key) ?? new TextBuilder();
    this.#texts.set(key, text);
    return text;
  }

  #append(key: string, items: readonly Json[]): void {
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    for (const item of items) list.push(item);
  }

  #mergeFunctionCall({ name, arguments: args }: JsonRecord): void {
    this.#functionCall.name += asString(name) ?? '';
    this.#functionCall.arguments += asString(args) ?? '';
  }
}

/**
 * Joins a text that comes as strings or, from Mistral's reasoning models, as lists of parts. Adjacent parts of the same
 * type are merged.
 */
class TextBuilder {
  readonly #parts: { readonly type: string; text: string; readonly raw?: Json }[] = [];
  #isList = false;

  add(piece: string | readonly Json[]): void {
    if (typeof piece === 'string') {
      this.#add('text', piece);
      return;
    }
    this.#isList = true;
    for (const part of piece) {
      const { type, text, thinking } = asRecord(part);
      if (type === 'text' && typeof text === 'string') this.#add('text', text);
      else if (type === 'thinking')
        this.#add(
          'thinking',
          asRecords(thinking)
            .map((item) => asString(item.text) ?? '')
            .join(''),
        );
      else this.#parts.push({ type: 'other', text: '', raw: part });
    }
  }

  build(): Json {
    if (!this.#isList) return this.#parts[0]?.text ?? '';
    return this.#parts
      .filter(({ type, text }) => type === 'other' || text !== '')
      .map(({ type, text, raw }) => raw ?? (type === 'text' ? { type, text } : { type, thinking: text }));
  }

  #add(type: string, text: string): void {
    const last = this.#parts.at(-1);
    if (last?.type === type) last.text += text;
    else this.#parts.push({ type, text });
  }
}

/** Joins audio: pieces of base64, each padded on its own, and a transcript. */
class AudioBuilder {
  readonly #data: string[] = [];
  #others: JsonRecord = {};
  #transcript: string | undefined;

  add(audio: JsonRecord): void {
    if (typeof audio.data === 'string') this.#data.push(audio.data);
    if (typeof audio.transcript === 'string') this.#transcript = (this.#transcript ?? '') + audio.transcript;
    this.#others = { ...this.#others, ...omitKeys(audio, 'data', 'transcript') };
  }

  build(): JsonRecord {
    if (this.#data.length === 0 && this.#transcript === undefined) return {};
    const data = this.#data.length === 0 ? undefined : joinBase64(this.#data);
    return { audio: omitUndefined({ ...this.#others, data, transcript: this.#transcript }) };
  }
}

/** Joins the data of base64 pieces; invalid ones are joined as they are. */
function joinBase64(pieces: readonly string[]): string {
  const decoded = pieces.map(decodeBase64);
  if (decoded.some((bytes) => bytes === undefined)) return pieces.join('');
  return encodeBase64(concatBytes(decoded.filter((bytes) => bytes !== undefined)));
}

interface PartialCall {
  others: JsonRecord;
  id: string;
  name: string;
  text: string;
  /** The member that the text belongs to. */
  kind: 'function' | 'custom';
  /** The number of pieces so far. */
  pieces: number;
}

/** Joins tool calls, whose pieces belong together by `index`. */
class ToolCallsBuilder {
  readonly #calls: PartialCall[] = [];
  readonly #callAt = new Map<Json, PartialCall>();

  add(piece: JsonRecord): void {
    const kind = isRecord(piece.custom) ? 'custom' : 'function';
    const definition = asRecord(piece[kind]);
    const name = asString(definition.name) ?? '';
    const call = this.#callOf(piece, name);
    if (kind === 'custom') call.kind = kind;
    call.others = { ...call.others, ...omitKeys(piece, 'index', 'function', 'custom') };
    // Some servers send another id with every piece; the first one counts.
    call.id ||= asString(piece.id) ?? '';
    // A few servers repeat the name with every piece.
    if (name !== call.name) call.name += name;
    call.pieces += 1;
    call.text +=
      asString(definition.arguments) ?? asString(definition.input) ?? stringifyArguments(definition.arguments);
  }

  build(): JsonRecord[] {
    return this.#calls.map(({ others, id, name, text, kind }) => ({
      ...others,
      id,
      [kind]: { name, [kind === 'custom' ? 'input' : 'arguments']: text },
    }));
  }

  #callOf({ id, index }: JsonRecord, name: string): PartialCall {
    const key = index ?? 0;
    const call = this.#callAt.get(key);
    if (call !== undefined && !(name && startsAnotherCall(call, id))) return call;
    const started: PartialCall = { others: {}, id: '', name: '', text: '', kind: 'function', pieces: 0 };
    this.#calls.push(started);
    this.#callAt.set(key, started);
    return started;
  }
}

/**
 * Whether a name starts another call, from servers that omit the index or always send 0: it does with another id or,
 * without ids, after a call that came in one piece.
 */
function startsAnotherCall(call: PartialCall, id: Json | undefined): boolean {
  if (id && call.id) return id !== call.id;
  return !id && !call.id && call.pieces === 1 && isRecord(parseJson(call.text));
}

/** Some servers send arguments as an object. */
function stringifyArguments(value: Json | undefined): string {
  return isRecord(value) ? compactJson(value) : '';
}
