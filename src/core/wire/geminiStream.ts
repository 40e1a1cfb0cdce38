import { isRecord, type Json, type JsonRecord } from '../json/json';
import { isBlank, listOf, recordOf, recordsOf, textOf, without } from './fields';
import { callIn, OpenCall } from './geminiCall';
import type { StreamEvent } from './wireProtocol';

/** Puts the pieces of a streamed answer together: each is a whole answer with some of the parts. */
export function joinCandidates(events: readonly StreamEvent[]): JsonRecord {
  const whole = new Map<string, Json>();
  const candidates = new Map<Json, OpenCandidate>();
  for (const { json } of events) {
    for (const [key, value] of Object.entries(json)) if (key !== 'candidates' && !isBlank(value)) whole.set(key, value);
    for (const piece of recordsOf(json.candidates)) {
      const index = piece.index ?? 0;
      const candidate = candidates.get(index) ?? new OpenCandidate();
      candidates.set(index, candidate);
      candidate.take(piece);
    }
  }
  return { ...Object.fromEntries(whole), candidates: [...candidates.values()].map((candidate) => candidate.whole()) };
}

class OpenCandidate {
  readonly #others = new Map<string, Json>();
  #content: JsonRecord = {};
  readonly #parts: OpenPart[] = [];

  take(piece: JsonRecord): void {
    for (const [key, value] of Object.entries(piece))
      if (key !== 'content' && !isBlank(value)) this.#others.set(key, value);
    const content = recordOf(piece.content);
    this.#content = { ...this.#content, ...content };
    for (const part of listOf(content.parts)) this.#add(part);
  }

  whole(): JsonRecord {
    const parts = this.#parts.map(wholePart);
    return { ...Object.fromEntries(this.#others), content: { ...this.#content, parts } };
  }

  #add(part: Json): void {
    const call = callIn(part);
    if (call === undefined) this.#say(part);
    else this.#call(part, call);
  }

  /** A call goes on in the next one that has neither a name nor arguments of its own. */
  #call(part: Json, piece: JsonRecord): void {
    const last = this.#parts.at(-1);
    const goesOn = last?.call !== undefined && isBlank(piece.name) && isBlank(piece.args);
    const open = goesOn ? last : { raw: {}, text: undefined, call: new OpenCall() };
    open.raw = { ...recordOf(open.raw), ...without(recordOf(part), 'functionCall', 'function_call') };
    open.call?.take(piece);
    if (!goesOn) this.#parts.push(open);
  }

  /** A text goes on in the next piece, unless it is a thought and that is none. */
  #say(part: Json): void {
    const last = this.#parts.at(-1);
    const text = textOf(recordOf(part).text);
    if (text !== undefined && last?.text !== undefined && goesOn(recordOf(last.raw), recordOf(part))) {
      last.text += text;
      last.raw = { ...recordOf(last.raw), ...recordOf(part) };
    } else if (!isRecord(part) || text === undefined) this.#parts.push({ raw: part, text: undefined });
    else this.#parts.push({ raw: part, text });
  }
}

interface OpenPart {
  raw: Json;
  text: string | undefined;
  readonly call?: OpenCall;
}

function wholePart({ raw, text, call }: OpenPart): Json {
  if (call !== undefined) return { ...recordOf(raw), functionCall: call.whole() };
  return text === undefined ? raw : { ...recordOf(raw), text };
}

function goesOn(last: JsonRecord, next: JsonRecord): boolean {
  return (last.thought === true) === (next.thought === true);
}
