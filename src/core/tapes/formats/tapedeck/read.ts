import { omitUndefined } from '../../../json/fields';
import type { Json } from '../../../json/json';
import { nonBlankLines } from '../../../json/jsonLines';
import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { exactValue, member, parseExactJson, readJson } from '../../../json/readJson';
import type { Chunk, HttpBody, HttpExchange, HttpHeader, HttpRequest, ResponseEnding } from '../../../model/http';
import type { InteractionKind, Timing } from '../../../model/interaction';
import { listed } from '../../../text/counts';
import { message, t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { BodyBudget } from '../../../wire/body/bodyBudget';
import { type InteractionReading, LazyInteraction, type StoredHttp } from '../../lazyTape';
import { notRead } from '../../notRead';
import { readHttpInteraction } from '../shared/httpInteraction';
import { readBodyFields, readFrame, stringMember, withLayout } from './body';
import { chatRequestFromJson, chatResponseFromJson } from './chat';
import { HistoryReader } from './history';
import { readMcpEntry } from './mcp';

/** A request of a file and its response. */
export interface TapedeckEntry {
  readonly number: number;
  readonly request: RequestLine;
  readonly source: Span;
  readonly response?: ResponseLines;
}

/** A request, as HTTP or in Tapedeck's own model, restored on demand. */
export interface RequestLine {
  readonly http?: () => HttpRequest;
  readonly chat?: () => Json;
  readonly mcp?: () => JsonNode;
  readonly kind?: string;
  readonly at?: string;
}

/** The line of a response, and its frames. */
export class ResponseLines {
  readonly text: string;
  readonly source: { readonly start: number; end: number };
  readonly chunks: Chunk[] = [];

  constructor(text: string, { start, end }: Span) {
    this.text = text;
    this.source = { start, end };
  }

  get fields(): JsonNode {
    return fieldsOf(this.text);
  }
}

interface TapedeckReading {
  readonly name?: string;
  readonly test?: string;
  readonly version?: string;
  readonly entries: readonly TapedeckEntry[];
  readonly problems: readonly Problem[];
  /** The limit of the memory of the entries, in bytes. */
  readonly weight: number;
}

/** Reads the lines of a tape. A line that cannot be read is a problem; all others are read. */
export function readTapedeck(text: TextParts): TapedeckReading {
  const reader = new LineReader();
  for (const span of nonBlankLines(text)) reader.line(text.slice(span.start, span.end), span);
  return reader.reading();
}

/** The memory of a line. */
const LINE_BYTES = 1000;
const RESTORE = message('Restore the line from version control, or record the tape again.');

/** Reads lines one after the other, each after those that it refers to. */
export class LineReader {
  readonly #known = new HistoryReader();
  readonly #entries = new Map<number, { -readonly [K in keyof TapedeckEntry]: TapedeckEntry[K] }>();
  readonly #problems: Problem[] = [];
  #header: JsonNode | undefined;
  #open: ResponseLines | undefined;
  #weight = 0;

  line(text: string, span: Span): void {
    const { value, problems } = readJson(text);
    const [problem] = problems;
    try {
      if (value?.type !== 'object' || problem !== undefined)
        throw new RangeError(problem?.message ?? t('a line must be a JSON object'));
      this.#read(text, value, span);
      this.#weight += LINE_BYTES;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#report(error.message, span);
    }
  }

  get hasNoProblem(): boolean {
    return this.#problems.length === 0;
  }

  /** The request of a number, with the response that was read of it. */
  entry(number: number): TapedeckEntry | undefined {
    return this.#entries.get(number);
  }

  reading(): TapedeckReading {
    const name = stringMember(this.#header, 'name');
    const test = stringMember(this.#header, 'test');
    const version = member(this.#header, 'version');
    const known = { entries: [...this.#entries.values()], problems: this.#problems, weight: this.#weight };
    return omitUndefined({ name, test, version: version?.type === 'number' ? version.lexeme : undefined, ...known });
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
    else if (response !== undefined) this.#response(text, response, span);
    if (request !== undefined || response !== undefined) this.#checkMembers(fields, span);
    else if (member(fields, 'tapedeck') !== undefined) this.#readHeader(fields);
    else throw new RangeError(t('a line must be a request, a response or a frame'));
  }

  #readHeader(fields: JsonNode): void {
    this.#header ??= fields;
    const version = numberAt(fields, 'version');
    if (version !== 1) throw new RangeError(t('version {0} of the format is not known here', version ?? 'none'));
  }

  #request(text: string, fields: JsonNode, number: number, source: Span): void {
    if (this.#entries.has(number)) throw new RangeError(t('there is a request {0} already', number));
    const same = numberAt(fields, 'same');
    const earlier = same === undefined ? undefined : this.#entries.get(same);
    if (same !== undefined && earlier === undefined)
      throw new RangeError(t('there is no request {0} before this', same));
    const request = earlier?.request ?? this.#readRequest(text, fields, number);
    const { at: _, ...repeated } = request;
    const at = stringMember(fields, 'at');
    this.#entries.set(number, { number, request: { ...repeated, at }, source });
  }

  #readRequest(text: string, fields: JsonNode, number: number): RequestLine {
    const kind = stringMember(fields, 'kind');
    const mcp = member(fields, 'mcp');
    if (mcp?.type === 'object') return { kind: 'mcp', mcp: () => fieldsOf(text) };
    const chat = member(fields, 'chat');
    const method = stringMember(fields, 'method');
    if (chat !== undefined || method === undefined) {
      const chatJson = chat?.type === 'object' ? this.#object(text, 'chat', number) : () => '{}';
      return omitUndefined({ kind, chat: chat && (() => parseExactJson(chatJson()) ?? null) });
    }
    const headers = member(fields, 'headers');
    const readHeaders = () => member(fieldsOf(text), 'headers') ?? EMPTY;
    const headersJson = headers && this.#known.value(text, ' headers', readHeaders, number);
    const body = this.#requestBody(text, fields, number);
    const url = stringMember(fields, 'url') ?? '';
    const http = () => {
      const requestBody = body();
      return { method, url, requestHeaders: headersOf(headersJson && readJson(headersJson()).value), requestBody };
    };
    return omitUndefined({ kind, http });
  }

  /** The text in its original layout. */
  #requestBody(text: string, fields: JsonNode, number: number): () => HttpBody {
    const json = member(fields, 'json');
    if (json?.type !== 'object' || member(fields, 'parsed') !== undefined) return () => bodyOf(text, fieldsOf(text));
    const compact = this.#object(text, 'json', number);
    return () => ({ type: 'text', text: withLayout(compact(), fieldsOf(text)) });
  }

  #object(text: string, name: string, number: number): () => string {
    const read = () => {
      const node = member(fieldsOf(text), name);
      return node?.type === 'object' ? node : EMPTY;
    };
    return this.#known.object(text, read, number);
  }

  #response(text: string, number: number, span: Span): void {
    const entry = this.#entries.get(number);
    if (entry === undefined) throw new RangeError(t('there is no request {0} before this', number));
    if (entry.response !== undefined) throw new RangeError(t('request {0} has a response already', number));
    this.#open = new ResponseLines(text, span);
    entry.response = this.#open;
  }

  /** Where a part is missing, it may stand under another name. */
  #checkMembers(fields: JsonNode, span: Span): void {
    if (fields.type !== 'object' || this.#problems.length >= MAX_PROBLEMS) return;
    const has = (key: string): boolean => member(fields, key) !== undefined;
    if (has('same') || has('chat') || has('mcp')) return;
    const lacked = (has('headers') ? '' : 'array ') + (BODIES.some(has) ? '' : 'object array string ');
    const types = lacked + (has('method') || has('status') ? '' : 'number');
    const unread = fields.members.filter(({ key, value }) => !MEMBERS.has(key) && types.includes(value.type));
    if (unread.length > 0) this.#problems.push(notRead(listed(unread.map(({ key }) => `\`${key}\``)), span));
  }

  #report(message: string, { start, end }: Span): void {
    const span = { start, end: Math.min(end, start + 1) };
    if (this.#problems.length < MAX_PROBLEMS)
      this.#problems.push({ severity: 'error', message, fix: t(RESTORE), span });
  }
}

const EMPTY: JsonObjectNode = { type: 'object', members: [], start: 0, end: 0 };

/** The members of a line, read each time that they are asked for: kept, those of all lines take several times as much as the tape. */
function fieldsOf(line: string): JsonNode {
  return readJson(line).value ?? EMPTY;
}

function addFrame(frame: Chunk, span: Span, open: ResponseLines | undefined): void {
  if (open === undefined) throw new RangeError(t('a frame must follow its response'));
  open.chunks.push(frame);
  open.source.end = span.end;
}

const BODIES = ['json', 'text', 'base64', 'frames'];
/** The members of requests and responses. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['request', 'same', 'kind', 'at', 'method', 'url', 'headers', 'chat', 'mcp', 'message'],
  ...['response', 'ms', 'first_ms', 'status', 'ended', 'parsed', 'layout', 'end', ...BODIES],
]);

/** The limit of problems for a file in which every line is broken. */
const MAX_PROBLEMS = 100;

/** JSON of a format that stores it parsed has no original text. */
function bodyOf(text: string, fields: JsonNode): HttpBody {
  const body = readBodyFields(text, fields);
  const json = member(fields, 'json');
  return member(fields, 'parsed') !== undefined && json !== undefined ? { type: 'json', json: exactValue(json) } : body;
}

const KINDS: readonly InteractionKind[] = ['llm', 'embedding', 'tool', 'mcp', 'http', 'environment', 'frame', 'script'];
const ENDINGS: readonly ResponseEnding[] = ['closed', 'reset', 'silent'];

function kindOf({ kind }: RequestLine): InteractionKind | undefined {
  return KINDS.find((known) => known === kind);
}

/** An entry as an interaction; `index` counts from 0. */
export function tapedeckInteraction(entry: TapedeckEntry, index: number, budget: BodyBudget): LazyInteraction {
  const source = { start: entry.source.start, end: Math.max(entry.source.end, entry.response?.source.end ?? 0) };
  return new LazyInteraction(
    index,
    source,
    () => readEntry(entry, source, budget),
    () => storedEntry(entry, source, budget),
  );
}

/** The HTTP of an entry, whose response is read when it is asked for; undefined for an entry that was recorded without HTTP. */
export function storedEntry(entry: TapedeckEntry, { start }: Span, budget: BodyBudget): StoredHttp | undefined {
  const { request, response: lines, number } = entry;
  const sent = request.http?.();
  if (sent === undefined) return undefined;
  let read: Response | undefined;
  const response = () => {
    if (read === undefined) {
      read = responseContent(lines);
      budget.cover({ ...sent, ...read }, start);
    }
    return read;
  };
  budget.cover({ ...sent, ...NO_RESPONSE }, start);
  const http: HttpExchange = {
    ...sent,
    get status() {
      return statusOf(lines);
    },
    get ended() {
      return endingOf(lines);
    },
    get responseHeaders() {
      return response().responseHeaders;
    },
    get responseBody() {
      return response().responseBody;
    },
  };
  return { http, kind: kindOf(request), id: `${number}`, problems: [] };
}

type Response = Pick<HttpExchange, 'responseHeaders' | 'responseBody'>;
export const NO_RESPONSE: Response = { responseHeaders: [], responseBody: { type: 'none' } };

/** The content of an entry with a source. */
export function readEntry(entry: TapedeckEntry, source: Span, budget: BodyBudget): InteractionReading {
  const { request, response, number } = entry;
  const [timing, id, exchange] = [timingOf(entry), `${number}`, entryExchange(entry)];
  if (exchange !== undefined) {
    const { content, problems, ...size } = readHttpInteraction({ exchange, source, id, timing, budget });
    return { ...size, content: { ...content, kind: kindOf(request) ?? content.kind }, problems };
  }
  if (request.mcp !== undefined)
    return { content: { ...readMcpEntry(request.mcp(), response), timing, id }, problems: [] };
  const chat = response && member(response.fields, 'chat');
  const content = omitUndefined({
    kind: kindOf(request) ?? ('llm' as const),
    request: request.chat && chatRequestFromJson(request.chat()),
    response: chat && chatResponseFromJson(exactValue(chat)),
    timing,
    id,
  });
  return { content, problems: [] };
}

/** The HTTP exchange of an entry; undefined for an entry that was recorded without HTTP. */
export function entryExchange({ request: { http }, response }: TapedeckEntry): HttpExchange | undefined {
  return (
    http &&
    omitUndefined({ ...http(), status: statusOf(response), ended: endingOf(response), ...responseContent(response) })
  );
}

function statusOf(response: ResponseLines | undefined): number | undefined {
  return response && numberAt(response.fields, 'status');
}

function endingOf(response: ResponseLines | undefined): ResponseEnding | undefined {
  const ended = response && stringMember(response.fields, 'ended');
  return ENDINGS.find((ending) => ending === ended);
}

function responseContent(response: ResponseLines | undefined): Response {
  if (response === undefined) return NO_RESPONSE;
  return { responseHeaders: headersOf(member(response.fields, 'headers')), responseBody: responseBodyOf(response) };
}

function responseBodyOf({ text, fields, chunks }: ResponseLines): HttpBody {
  return member(fields, 'frames') === undefined && chunks.length === 0
    ? bodyOf(text, fields)
    : { type: 'chunks', chunks };
}

function timingOf({ request: { at }, response }: TapedeckEntry): Timing | undefined {
  const known = omitUndefined({
    recordedAt: at,
    durationMs: response && numberAt(response.fields, 'ms'),
    firstTokenMs: response && numberAt(response.fields, 'first_ms'),
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

/** The number at a key of an object. */
export function numberAt(node: JsonNode, key: string): number | undefined {
  const found = member(node, key);
  return found?.type === 'number' ? Number(found.lexeme) : undefined;
}
