import { isRecord, type Json, type JsonRecord } from '../json/json';
import { isBlank, listOf, recordOf, recordsOf, textOf } from './fields';
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
    const parts = this.#parts.map(({ raw, text }) => (text === undefined ? raw : { ...recordOf(raw), text }));
    return { ...Object.fromEntries(this.#others), content: { ...this.#content, parts } };
  }

  /** A text goes on in the next piece, unless it is a thought and that is none. */
  #add(part: Json): void {
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
}

function goesOn(last: JsonRecord, next: JsonRecord): boolean {
  return (last.thought === true) === (next.thought === true);
}
