import type { Span } from '../../text/source';

/** One server-sent event, with its place in the text. */
export interface SseEvent extends Span {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
  /** Where the value of each `data` line stands; joined with line feeds they are the data. */
  readonly dataLines: readonly Span[];
}

const LINE_END = /\r\n|\n|\r/g;

/**
 * The events of an event stream (WHATWG HTML 9.2): lines may end in CRLF, LF or CR, comments are passed over, a byte
 * order mark too. Other than a browser it keeps an event at the end that no blank line follows, because recorders trim text,
 * and lines that are no fields where nothing else was said: servers that fail half way write their error as it is.
 */
export function readSse(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  let open = new EventBuilder(0);
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  LINE_END.lastIndex = at;
  while (at < text.length) {
    const end = LINE_END.exec(text);
    const lineEnd = end?.index ?? text.length;
    const next = end === null ? text.length : LINE_END.lastIndex;
    if (lineEnd === at) {
      open.close(text, events, next);
      open = new EventBuilder(next);
    } else open.line(text, at, lineEnd);
    at = next;
  }
  open.close(text, events, text.length);
  return events;
}

/** Whether a text is an event stream: its first line that says anything is a field or a comment. */
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
