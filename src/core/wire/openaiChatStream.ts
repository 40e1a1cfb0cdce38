import { isRecord, type Json, type JsonRecord } from '../json/json';
import { decodeBase64, encodeBase64 } from './base64';
import { concatBytes } from './bytes';
import { indexOf, isBlank, present, recordOf, recordsOf, textOf, without } from './fields';
import { CallPieces } from './openaiCallPieces';
import type { StreamEvent } from './wireProtocol';

/** Puts the chunks of a Chat Completion together, as the answer they would have been. */
export function joinChatChunks(events: readonly StreamEvent[]): JsonRecord {
  const choices = new Map<number, OpenChoice>();
  const whole = new Map<string, Json>();
  for (const { json } of events) {
    for (const [key, value] of Object.entries(json)) {
      if (key !== 'choices' && !isBlank(value)) whole.set(key, value);
    }
    for (const piece of recordsOf(json.choices)) {
      const index = indexOf(piece.index);
      const choice = choices.get(index) ?? new OpenChoice();
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

class OpenChoice {
  readonly #others = new Map<string, Json>();
  readonly #message = new Map<string, Json>();
  readonly #texts = new Map<string, OpenText>();
  readonly #lists = new Map<string, Json[]>();
  readonly #calls = new CallPieces();
  readonly #audio = new OpenAudio();
  readonly #functionCall = { name: '', arguments: '' };

  take(piece: JsonRecord): void {
    for (const [key, value] of Object.entries(piece)) {
      if (key !== 'delta' && key !== 'message' && !isBlank(value)) this.#others.set(key, value);
    }
    // Some servers repeat the whole message so far beside the delta, and some send nothing but it.
    if (isRecord(piece.delta)) this.#merge(piece.delta);
    else for (const [key, value] of Object.entries(recordOf(piece.message))) this.#message.set(key, value);
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
      else if (key === 'tool_calls') for (const call of recordsOf(value)) this.#calls.take(call);
      else if (key === 'function_call') this.#mergeFunctionCall(recordOf(value));
      else if (key === 'audio') this.#audio.take(recordOf(value));
      else if (!isBlank(value)) this.#message.set(key, value);
    }
  }

  #text(key: string): OpenText {
    const text = this.#texts.get(key) ?? new OpenText();
    this.#texts.set(key, text);
    return text;
  }

  #append(key: string, items: readonly Json[]): void {
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    for (const item of items) list.push(item);
  }

  #mergeFunctionCall({ name, arguments: args }: JsonRecord): void {
    this.#functionCall.name += textOf(name) ?? '';
    this.#functionCall.arguments += textOf(args) ?? '';
  }
}

/** A text, or, as Mistral sends it when it thinks, a list of parts. Parts of a kind that follow each other are one. */
class OpenText {
  readonly #parts: { readonly type: string; text: string; readonly raw?: Json }[] = [];
  #isList = false;

  take(piece: string | readonly Json[]): void {
    if (typeof piece === 'string') {
      this.#add('text', piece);
      return;
    }
    this.#isList = true;
    for (const part of piece) {
      const { type, text, thinking } = recordOf(part);
      if (type === 'text' && typeof text === 'string') this.#add('text', text);
      else if (type === 'thinking')
        this.#add(
          'thinking',
          recordsOf(thinking)
            .map((item) => textOf(item.text) ?? '')
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
class OpenAudio {
  readonly #data: string[] = [];
  #others: JsonRecord = {};
  #transcript: string | undefined;

  take(audio: JsonRecord): void {
    if (typeof audio.data === 'string') this.#data.push(audio.data);
    if (typeof audio.transcript === 'string') this.#transcript = (this.#transcript ?? '') + audio.transcript;
    this.#others = { ...this.#others, ...without(audio, 'data', 'transcript') };
  }

  whole(): JsonRecord {
    if (this.#data.length === 0 && this.#transcript === undefined) return {};
    const data = this.#data.length === 0 ? undefined : joinBase64(this.#data);
    return { audio: present({ ...this.#others, data, transcript: this.#transcript }) };
  }
}

/** Joins what pieces of base64 stand for; the pieces as they are, where they are no base64. */
function joinBase64(pieces: readonly string[]): string {
  const decoded = pieces.map(decodeBase64);
  if (decoded.some((bytes) => bytes === undefined)) return pieces.join('');
  return encodeBase64(concatBytes(decoded.filter((bytes) => bytes !== undefined)));
}
