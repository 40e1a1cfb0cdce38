import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { concatBytes } from '../../bytes/concatBytes';
import { asIndex, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { StreamEvent } from '../protocol';

/** Puts the chunks of a Chat Completion together, as the answer they would have been. */
export function joinChatChunks(events: readonly StreamEvent[]): JsonRecord {
  const choices = new Map<number, ChoiceBuilder>();
  const whole = new Map<string, Json>();
  for (const { json } of events) {
    for (const [key, value] of Object.entries(json)) {
      if (key !== 'choices' && !isBlank(value)) whole.set(key, value);
    }
    for (const piece of asRecords(json.choices)) {
      const index = asIndex(piece.index);
      const choice = choices.get(index) ?? new ChoiceBuilder();
      choices.set(index, choice);
      choice.take(piece);
    }
  }
  const ordered = [...choices].sort(([left], [right]) => left - right);
  return { ...Object.fromEntries(whole), choices: ordered.map(([, choice]) => choice.whole()) };
}

/** Texts that come in pieces. */
const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_signature'];
const LISTS = ['reasoning_details', 'thinking_blocks', 'images', 'annotations', 'citations', 'executed_tools'];

class ChoiceBuilder {
  readonly #others = new Map<string, Json>();
  readonly #message = new Map<string, Json>();
  readonly #texts = new Map<string, TextBuilder>();
  readonly #lists = new Map<string, Json[]>();
  readonly #calls = new ToolCallsBuilder();
  readonly #audio = new AudioBuilder();
  readonly #functionCall = { name: '', arguments: '' };

  take(piece: JsonRecord): void {
    for (const [key, value] of Object.entries(piece)) {
      if (key !== 'delta' && key !== 'message' && !isBlank(value)) this.#others.set(key, value);
    }
    // Some servers repeat the whole message so far beside the delta, and some send nothing but it.
    if (isRecord(piece.delta)) this.#merge(piece.delta);
    else for (const [key, value] of Object.entries(asRecord(piece.message))) this.#message.set(key, value);
  }

  whole(): JsonRecord {
    const texts = [...this.#texts].map(([key, text]): [string, Json] => [key, text.whole()]);
    const calls = this.#calls.whole();
    const message = {
      ...Object.fromEntries(this.#message),
      ...Object.fromEntries(texts),
      ...Object.fromEntries(this.#lists),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(this.#functionCall.name === '' ? {} : { function_call: { ...this.#functionCall } }),
      ...this.#audio.whole(),
    };
    return { ...Object.fromEntries(this.#others), message };
  }

  #merge(delta: JsonRecord): void {
    for (const [key, value] of Object.entries(delta)) {
      if (TEXTS.includes(key) && (typeof value === 'string' || Array.isArray(value))) this.#text(key).take(value);
      else if (LISTS.includes(key) && Array.isArray(value)) this.#append(key, value);
      else if (key === 'tool_calls') for (const call of asRecords(value)) this.#calls.take(call);
      else if (key === 'function_call') this.#mergeFunctionCall(asRecord(value));
      else if (key === 'audio') this.#audio.take(asRecord(value));
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

/** A text, or, as Mistral sends it when it thinks, a list of parts. Parts of a kind that follow each other are one. */
class TextBuilder {
  readonly #parts: { readonly type: string; text: string; readonly raw?: Json }[] = [];
  #isList = false;

  take(piece: string | readonly Json[]): void {
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

  whole(): Json {
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

/** Speech comes as pieces of base64, each complete in itself, with the words beside it. */
class AudioBuilder {
  readonly #data: string[] = [];
  #others: JsonRecord = {};
  #transcript: string | undefined;

  take(audio: JsonRecord): void {
    if (typeof audio.data === 'string') this.#data.push(audio.data);
    if (typeof audio.transcript === 'string') this.#transcript = (this.#transcript ?? '') + audio.transcript;
    this.#others = { ...this.#others, ...omitKeys(audio, 'data', 'transcript') };
  }

  whole(): JsonRecord {
    if (this.#data.length === 0 && this.#transcript === undefined) return {};
    const data = this.#data.length === 0 ? undefined : joinBase64(this.#data);
    return { audio: omitUndefined({ ...this.#others, data, transcript: this.#transcript }) };
  }
}

/** Joins what pieces of base64 stand for; the pieces as they are, where they are no base64. */
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
  /** Where the pieces of the text belong. */
  kind: 'function' | 'custom';
  /** How many pieces it came in. */
  pieces: number;
}

/** Calls come in pieces that belong together by index. */
export class ToolCallsBuilder {
  readonly #calls: PartialCall[] = [];
  readonly #callAt = new Map<Json, PartialCall>();

  take(piece: JsonRecord): void {
    const kind = isRecord(piece.custom) ? 'custom' : 'function';
    const wanted = asRecord(piece[kind]);
    const name = asString(wanted.name) ?? '';
    const call = this.#callOf(piece, name);
    if (kind === 'custom') call.kind = kind;
    call.others = { ...call.others, ...omitKeys(piece, 'index', 'function', 'custom') };
    // Other servers make up an id for every piece.
    call.id ||= asString(piece.id) ?? '';
    // A few servers repeat the name with every piece.
    if (name !== call.name) call.name += name;
    call.pieces += 1;
    call.text += asString(wanted.arguments) ?? asString(wanted.input) ?? stringifyArguments(wanted.arguments);
  }

  whole(): JsonRecord[] {
    return this.#calls.map(({ others, id, name, text, kind }) => ({
      ...others,
      id,
      [kind]: kind === 'custom' ? { name, input: text } : { name, arguments: text },
    }));
  }

  #callOf({ id, index }: JsonRecord, name: string): PartialCall {
    const key = index ?? 0;
    const call = this.#callAt.get(key);
    if (call !== undefined && !(name && startsAnotherCall(call, id))) return call;
    const begun: PartialCall = { others: {}, id: '', name: '', text: '', kind: 'function', pieces: 0 };
    this.#calls.push(begun);
    this.#callAt.set(key, begun);
    return begun;
  }
}

/**
 * Whether a name begins another call, at servers that leave the index out, or at 0: with another id, or, where there
 * are no ids, behind a call that came as a whole.
 */
function startsAnotherCall(call: PartialCall, id: Json | undefined): boolean {
  if (id && call.id) return id !== call.id;
  return !id && !call.id && call.pieces === 1 && isRecord(parseJson(call.text));
}

/** Arguments that came as an object. */
function stringifyArguments(value: Json | undefined): string {
  return isRecord(value) ? compactJson(value) : '';
}
