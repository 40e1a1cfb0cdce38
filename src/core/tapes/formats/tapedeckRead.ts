import type { Json } from '../../json/json';
import { type JsonNode, jsonValue, member, readJson } from '../../json/jsonDocument';
import type { Problem, Span } from '../../text/source';
import { present } from '../../wire/fields';
import { parseJson } from '../../wire/parseJson';
import { readHttpInteraction } from '../httpInteraction';
import { jsonWeight } from '../jsonWeight';
import { type InteractionReading, LazyInteraction } from '../lazyTape';
import type { Chunk, HttpBody, HttpExchange, HttpHeader, InteractionKind, ResponseEnding, Timing } from '../tape';
import { textLines } from './jsonLines';
import { laidOut, readBody, textAt } from './tapedeckBody';
import { readChatRequest, readChatResponse } from './tapedeckChat';
import { readFrame } from './tapedeckFrames';
import { Known } from './tapedeckHistory';

/** What a file says of one request and its answer. */
export interface TapedeckEntry {
  readonly number: number;
  readonly asked: Asked;
  readonly source: Span;
  readonly answer?: Answer;
}

/** A request, over HTTP or by its meaning, as it was when somebody asks. */
interface Asked {
  readonly http?: () => Pick<HttpExchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>;
  readonly chat?: () => Json;
  readonly kind?: string;
  readonly at?: string;
}

export interface Answer {
  readonly text: string;
  readonly fields: JsonNode;
  readonly chunks: Chunk[];
  readonly source: { readonly start: number; end: number };
}

export interface TapedeckReading {
  readonly name?: string;
  readonly version?: string;
  readonly entries: readonly TapedeckEntry[];
  readonly problems: readonly Problem[];
  /** The bytes of memory that the entries take at most. */
  readonly weight: number;
}

/** Reads the lines of a tape. A line that cannot be understood is a problem, and all others are read. */
export function readTapedeck(text: string): TapedeckReading {
  const reader = new LineReader();
  for (const span of textLines(text)) reader.line(text.slice(span.start, span.end), span);
  return reader.reading();
}

/** Of an entry beside its values. */
const LINE_BYTES = 1000;
const RESTORE = 'Restore the line from version control, or record the tape again.';

class LineReader {
  readonly #known = new Known();
  readonly #entries = new Map<number, { -readonly [K in keyof TapedeckEntry]: TapedeckEntry[K] }>();
  readonly #problems: Problem[] = [];
  #header: JsonNode | undefined;
  #open: Answer | undefined;
  #weight = 0;

  line(text: string, span: Span): void {
    const { value, problems } = readJson(text);
    const [problem] = problems;
    try {
      if (value?.type !== 'object' || problem !== undefined)
        throw new RangeError(problem?.message ?? 'a line must be a JSON object');
      this.#read(text, value, span);
      this.#weight += LINE_BYTES + (jsonWeight(value) ?? 0);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#report(error.message, span);
    }
  }

  reading(): TapedeckReading {
    const name = textAt(this.#header, 'name');
    const version = member(this.#header, 'version');
    const known = { entries: [...this.#entries.values()], problems: this.#problems, weight: this.#weight };
    return present({ name, version: version?.type === 'number' ? version.lexeme : undefined, ...known });
  }

  #read(text: string, fields: JsonNode, span: Span): void {
    const frame = readFrame(text, fields);
    const open = this.#open;
    if (frame !== undefined) {
      addFrame(frame, span, open);
      return;
    }
    this.#open = undefined;
    const request = numberAt(fields, 'request');
    const response = numberAt(fields, 'response');
    if (request !== undefined) this.#request(text, fields, request, span);
    else if (response !== undefined) this.#response(text, fields, response, span);
    else if (member(fields, 'tapedeck') !== undefined) this.#readHeader(fields);
    else throw new RangeError('a line must be a request, a response or a frame');
  }

  #readHeader(fields: JsonNode): void {
    this.#header ??= fields;
    const version = numberAt(fields, 'version');
    if (version !== 1) throw new RangeError(`version ${version ?? 'none'} of the format is not known here`);
  }

  #request(text: string, fields: JsonNode, number: number, source: Span): void {
    if (this.#entries.has(number)) throw new RangeError(`there is a request ${number} already`);
    const same = numberAt(fields, 'same');
    const earlier = same === undefined ? undefined : this.#entries.get(same);
    if (same !== undefined && earlier === undefined) throw new RangeError(`there is no request ${same} before this`);
    const asked = earlier?.asked ?? this.#asked(text, fields, number);
    const { at: _, ...repeated } = asked;
    const at = textAt(fields, 'at');
    this.#entries.set(number, { number, asked: { ...repeated, ...(at === undefined ? {} : { at }) }, source });
  }

  #asked(text: string, fields: JsonNode, number: number): Asked {
    const kind = textAt(fields, 'kind');
    const chat = member(fields, 'chat');
    const method = textAt(fields, 'method');
    if (chat !== undefined || method === undefined) {
      const said = chat?.type === 'object' ? this.#known.object(text, chat, number) : () => '{}';
      return present({ kind, chat: chat && (() => parseJson(said()) ?? null) });
    }
    const headers = member(fields, 'headers');
    const said = headers && this.#known.value(text, ' headers', headers, number);
    const body = this.#requestBody(text, fields, number);
    const url = textAt(fields, 'url') ?? '';
    const http = () => ({
      method,
      url,
      requestHeaders: headersOf(said && readJson(said()).value),
      requestBody: body(),
    });
    return present({ kind, http });
  }

  /** As it was laid out. */
  #requestBody(text: string, fields: JsonNode, number: number): () => HttpBody {
    const json = member(fields, 'json');
    if (json?.type !== 'object' || member(fields, 'parsed') !== undefined) return () => bodyOf(text, fields);
    const compact = this.#known.object(text, json, number);
    return () => ({ type: 'text', text: laidOut(compact(), fields) });
  }

  #response(text: string, fields: JsonNode, number: number, span: Span): void {
    const entry = this.#entries.get(number);
    if (entry === undefined) throw new RangeError(`there is no request ${number} before this`);
    if (entry.answer !== undefined) throw new RangeError(`request ${number} has a response already`);
    this.#open = { text, fields, chunks: [], source: { start: span.start, end: span.end } };
    entry.answer = this.#open;
  }

  #report(message: string, { start, end }: Span): void {
    const span = { start, end: Math.min(end, start + 1) };
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ severity: 'error', message, fix: RESTORE, span });
  }
}

function addFrame(frame: Chunk, span: Span, open: Answer | undefined): void {
  if (open === undefined) throw new RangeError('a frame must follow its response');
  open.chunks.push(frame);
  open.source.end = span.end;
}

/** A file in which every line is broken says so this often. */
const MAX_PROBLEMS = 100;

/** A format that keeps JSON parsed has no text of it. */
function bodyOf(text: string, fields: JsonNode): HttpBody {
  const body = readBody(text, fields);
  const json = member(fields, 'json');
  return member(fields, 'parsed') !== undefined && json !== undefined ? { type: 'json', json: jsonValue(json) } : body;
}

const KINDS: readonly InteractionKind[] = ['llm', 'embedding', 'tool', 'http', 'environment', 'frame', 'script'];
const ENDINGS: readonly ResponseEnding[] = ['closed', 'reset', 'silent'];

function kindOf({ kind }: Asked): InteractionKind | undefined {
  return KINDS.find((known) => known === kind);
}

/** An entry as an interaction; `index` counts from 0. */
export function tapedeckInteraction(entry: TapedeckEntry, index: number): LazyInteraction {
  const source = { start: entry.source.start, end: Math.max(entry.source.end, entry.answer?.source.end ?? 0) };
  return new LazyInteraction(index, source, () => readEntry(entry, source));
}

function readEntry(entry: TapedeckEntry, source: Span): InteractionReading {
  const { asked, answer, number } = entry;
  const [timing, id, exchange] = [timingOf(entry), `${number}`, exchangeOf(entry)];
  if (exchange !== undefined) {
    const { content, problems } = readHttpInteraction({ exchange, source, id, timing });
    return { content: { ...content, kind: kindOf(asked) ?? content.kind }, problems };
  }
  const chat = answer && member(answer.fields, 'chat');
  const content = present({
    kind: kindOf(asked) ?? ('llm' as const),
    request: asked.chat && readChatRequest(asked.chat()),
    response: chat && readChatResponse(jsonValue(chat)),
    timing,
    id,
  });
  return { content, problems: [] };
}

/** What went over the wire; undefined where an entry tells only what it meant. */
export function exchangeOf({ asked: { http }, answer }: TapedeckEntry): HttpExchange | undefined {
  if (http === undefined) return undefined;
  const status = answer && numberAt(answer.fields, 'status');
  return present({
    ...http(),
    status,
    responseHeaders: headersOf(answer && member(answer.fields, 'headers')),
    responseBody: answer === undefined ? { type: 'none' as const } : answerBody(answer),
    ended: ENDINGS.find((ending) => answer !== undefined && ending === textAt(answer.fields, 'ended')),
  });
}

function answerBody({ text, fields, chunks }: Answer): HttpBody {
  return member(fields, 'frames') === undefined && chunks.length === 0
    ? bodyOf(text, fields)
    : { type: 'chunks', chunks };
}

function timingOf({ asked: { at }, answer }: TapedeckEntry): Timing | undefined {
  const known = present({
    recordedAt: at,
    durationMs: answer && numberAt(answer.fields, 'ms'),
    firstTokenMs: answer && numberAt(answer.fields, 'first_ms'),
  });
  return Object.keys(known).length === 0 ? undefined : known;
}

function headersOf(node: JsonNode | undefined): HttpHeader[] {
  if (node?.type !== 'array') return [];
  return node.items.flatMap((item) => {
    const [name, value] = item.type === 'array' ? item.items : [];
    return name?.type === 'string' && value?.type === 'string' ? [[name.value, value.value] as const] : [];
  });
}

function numberAt(node: JsonNode, key: string): number | undefined {
  const found = member(node, key);
  return found?.type === 'number' ? Number(found.lexeme) : undefined;
}
