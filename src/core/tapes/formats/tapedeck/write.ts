import { sha256Hex } from '../../../hash/digest';
import { formatNode } from '../../../json/formatJson';
import { compactJson } from '../../../json/json';
import type { JsonObjectNode } from '../../../json/jsonNode';
import { readJson } from '../../../json/readJson';
import type { HttpBody, HttpExchange } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { readExchange } from '../../../wire/read/readExchange';
import { bodyFields, frameLines, jsonFields, type LineField, writeLine } from './body';
import { chatToJson } from './chat';
import { HistoryWriter } from './history';
import { mcpFields, stepLine } from './mcp';

/** The first line of every tape. `test`: the id of the test that recorded it, in its runner. */
export function tapedeckHeader(name: string, test?: string): string {
  return writeLine([
    ['tapedeck', '"tape"'],
    ['version', '1'],
    ['name', JSON.stringify(name)],
    ...(test === undefined ? [] : [['test', JSON.stringify(test)] as const]),
  ]);
}

/** Writes interactions one after the other: later ones refer to the content of earlier ones. */
export class TapedeckWriter {
  readonly #written = new HistoryWriter();
  /** Whole requests, by their hash. */
  readonly #requests = new Map<string, number>();
  #next = 1;

  /** The lines of the next interaction, which has this number if it is already in the tape. */
  write(interaction: RecordedInteraction, number = this.#next): string {
    this.#next = Math.max(this.#next, number + 1);
    return this.#request(interaction, number) + this.#response(interaction, number);
  }

  #request(interaction: RecordedInteraction, number: number): string {
    const { kind, http, mcp, timing } = interaction;
    const head: LineField[] = [['request', `${number}`]];
    if (mcp === undefined && kind !== undefined && kind !== (http === undefined ? 'llm' : readExchange(http).kind))
      head.push(['kind', JSON.stringify(kind)]);
    if (timing?.recordedAt !== undefined) head.push(['at', JSON.stringify(timing.recordedAt)]);
    if (mcp !== undefined) return writeLine([...head, ...mcpFields(mcp)]);
    const { text, fields } = writeModelRequest(interaction);
    const hash = sha256Hex(text);
    const same = this.#requests.get(hash);
    if (same !== undefined) return writeLine([...head, ['same', `${same}`]]);
    this.#requests.set(hash, number);
    return writeLine([...head, ...fields(this.#written, number)]);
  }

  #response({ http, response, mcp, timing }: RecordedInteraction, number: number): string {
    if (mcp !== undefined ? mcp.steps.length === 0 : http === undefined ? response === undefined : !hasResponse(http))
      return '';
    const head: LineField[] = [['response', `${number}`]];
    if (timing?.durationMs !== undefined) head.push(['ms', `${timing.durationMs}`]);
    if (timing?.firstTokenMs !== undefined) head.push(['first_ms', `${timing.firstTokenMs}`]);
    if (mcp !== undefined)
      return writeLine([...head, ['frames', `${mcp.steps.length}`]]) + mcp.steps.map(stepLine).join('');
    if (http === undefined) return writeLine([...head, ['chat', compactJson(chatToJson(response ?? null))]]);
    return writeLine([...head, ...responseFields(http)]) + frameLines(http.responseBody);
  }
}

/** The body members of a response line, which are also written for an edited response. */
export function responseFields({ status, responseHeaders, responseBody, ended }: HttpExchange): LineField[] {
  const fields: LineField[] = [];
  if (status !== undefined) fields.push(['status', `${status}`]);
  if (responseHeaders.length > 0) fields.push(['headers', JSON.stringify(responseHeaders)]);
  if (responseBody.type === 'chunks') fields.push(['frames', `${responseBody.chunks.length}`]);
  fields.push(...bodyFields(responseBody));
  if (ended !== undefined) fields.push(['ended', JSON.stringify(ended)]);
  return fields;
}

function hasResponse({ status, responseHeaders, responseBody, ended }: HttpExchange): boolean {
  return status !== undefined || responseHeaders.length > 0 || responseBody.type !== 'none' || ended !== undefined;
}

/** The whole request as one text, and its members with references to earlier requests. */
interface WrittenRequest {
  readonly text: string;
  fields(written: HistoryWriter, number: number): LineField[];
}

function writeModelRequest({ http, request }: RecordedInteraction): WrittenRequest {
  if (http !== undefined) return writeHttpRequest(http);
  if (request === undefined) return { text: '', fields: () => [] };
  const chat = compactObject(compactJson(chatToJson(request)));
  if (chat === undefined) return { text: '', fields: () => [] };
  return { text: chat.raw, fields: (written, number) => [['chat', withReferences(written, chat, number)]] };
}

function writeHttpRequest({ method, url, requestHeaders, requestBody }: HttpExchange): WrittenRequest {
  const headers = JSON.stringify(requestHeaders);
  const object = objectOf(requestBody);
  const body = object === undefined ? bodyFields(requestBody) : [];
  return {
    text: JSON.stringify([method, url, headers, object?.raw ?? body]),
    fields: (written, number) => [
      ['method', JSON.stringify(method)],
      ['url', JSON.stringify(url)],
      ...(requestHeaders.length === 0 ? [] : [['headers', written.value(' headers', headers, number)] as const]),
      ...(object === undefined ? body : [['json', withReferences(written, object, number)] as const, ...object.layout]),
    ],
  };
}

/** A JSON object in one line. */
interface CompactObject {
  readonly raw: string;
  readonly node: JsonObjectNode;
  /** The layout, which has a name. */
  readonly layout: readonly LineField[];
}

function objectOf(body: HttpBody): CompactObject | undefined {
  return body.type === 'text' ? compactObject(body.text) : undefined;
}

/** Undefined for a text that could not be made again from the object: it is kept as a text. */
function compactObject(text: string): CompactObject | undefined {
  // A byte order mark is no white space of JSON.
  if (!/^[ \t\r\n]*\{/.test(text)) return undefined;
  const { value, problems } = readJson(text);
  if (value?.type !== 'object' || problems.length > 0) return undefined;
  const raw = formatNode(text, value);
  if (raw === text) return { raw, node: value, layout: [] };
  const fields = jsonFields(text);
  const compact = fields && compactObject(raw);
  return compact && { ...compact, layout: fields.slice(1) };
}

function withReferences(written: HistoryWriter, { raw, node }: CompactObject, number: number): string {
  return written.object(raw, node, number);
}
