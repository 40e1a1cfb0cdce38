import type { Span } from '../../text/source';

/** One server-sent event, with its position in the text. */
interface SseEvent extends Span {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
  /** The value of each `data` line; `data` is these, joined with line feeds. */
  readonly dataLines: readonly Span[];
}

const LINE_END = /\r\n|\n|\r/g;

/**
 * Reads server-sent events (WHATWG HTML, 9.2): lines may end in CRLF, LF or CR; comments and a byte order mark are
 * skipped. Unlike a browser, it keeps a last event without a blank line after it, because recorders trim text, and an
 * event of lines that are not fields, because servers that fail midway write their error without framing.
 */
export function readSse(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  let event = new EventBuilder(0);
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  LINE_END.lastIndex = at;
  while (at < text.length) {
    const end = LINE_END.exec(text);
    const lineEnd = end?.index ?? text.length;
    const next = end === null ? text.length : LINE_END.lastIndex;
    if (lineEnd === at) {
      event.close(text, events, next);
      event = new EventBuilder(next);
    } else event.line(text, at, lineEnd);
    at = next;
  }
  event.close(text, events, text.length);
  return events;
}

/** Whether the first non-empty line of a text is a field or a comment of an event stream. */
export function looksLikeSse(text: string): boolean {
  return /^\uFEFF?[\r\n]*(?::|(?:data|event|id|retry)(?::|\r|\n|$))/.test(text.slice(0, 1024));
}

class EventBuilder {
  readonly #start: number;
  readonly #data: string[] = [];
  readonly #dataLines: Span[] = [];
  readonly #bareLines: Span[] = [];
  #event: string | undefined;
  #id: string | undefined;

  constructor(start: number) {
    this.#start = start;
  }

  line(text: string, start: number, end: number): void {
    const colon = text.indexOf(':', start);
    const nameEnd = colon === -1 || colon > end ? end : colon;
    const name = text.slice(start, nameEnd);
    let valueStart = Math.min(nameEnd + 1, end);
    if (text.charCodeAt(valueStart) === 0x20 && valueStart < end) valueStart += 1;
    if (name === 'event') this.#event = text.slice(valueStart, end);
    else if (name === 'id') this.#id = text.slice(valueStart, end);
    else if (name === 'data') {
      this.#data.push(text.slice(valueStart, end));
      this.#dataLines.push({ start: valueStart, end });
    } else if (name !== '' && name !== 'retry') this.#bareLines.push({ start, end });
  }

  close(text: string, events: SseEvent[], end: number): void {
    if (this.#dataLines.length === 0) this.#takeBareLines(text);
    if (this.#dataLines.length === 0) return;
    events.push({
      ...(this.#event ? { event: this.#event } : {}),
      ...(this.#id === undefined ? {} : { id: this.#id }),
      data: this.#data.join('\n'),
      dataLines: this.#dataLines,
      start: this.#start,
      end,
    });
  }

  #takeBareLines(text: string): void {
    for (const line of this.#bareLines) {
      this.#data.push(text.slice(line.start, line.end));
      this.#dataLines.push(line);
    }
  }
}
