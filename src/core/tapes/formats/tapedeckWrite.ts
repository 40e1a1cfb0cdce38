import { sha256Hex } from '../../hash/sha256';
import { type JsonNode, readJson } from '../../json/jsonDocument';
import { layOut } from '../../json/jsonLayout';
import { compactJson } from '../../wire/compactJson';
import { readExchange } from '../../wire/readExchange';
import type { HttpBody, HttpExchange } from '../tape';
import type { RecordedInteraction } from '../tapeFormat';
import { bodyFields, type Field, jsonFields, line, object } from './tapedeckBody';
import { modelJson } from './tapedeckChat';
import { frameLines } from './tapedeckFrames';
import { Written } from './tapedeckHistory';

/** The first line of every tape. */
export function tapedeckHeader(name: string): string {
  return line([
    ['tapedeck', '"tape"'],
    ['version', '1'],
    ['name', JSON.stringify(name)],
  ]);
}

/** Writes interactions one after the other: what one has, later ones refer to. */
export class TapedeckWriter {
  readonly #written = new Written();
  /** Whole requests, by their hash. */
  readonly #requests = new Map<string, number>();
  #next = 1;

  /** The lines of the next interaction. With a number, it is what stands under that number in a tape that is continued. */
  write(interaction: RecordedInteraction, number = this.#next): string {
    this.#next = Math.max(this.#next, number + 1);
    return this.#request(interaction, number) + this.#response(interaction, number);
  }

  #request(interaction: RecordedInteraction, number: number): string {
    const { kind, http, timing } = interaction;
    const head: Field[] = [['request', `${number}`]];
    if (kind !== undefined && kind !== (http === undefined ? 'llm' : readExchange(http).kind))
      head.push(['kind', JSON.stringify(kind)]);
    if (timing?.recordedAt !== undefined) head.push(['at', JSON.stringify(timing.recordedAt)]);
    const { text, fields } = asked(interaction);
    const hash = sha256Hex(text);
    const same = this.#requests.get(hash);
    if (same !== undefined) return line([...head, ['same', `${same}`]]);
    this.#requests.set(hash, number);
    return line([...head, ...fields(this.#written, number)]);
  }

  #response({ http, response, timing }: RecordedInteraction, number: number): string {
    if (http === undefined ? response === undefined : !isAnswered(http)) return '';
    const head: Field[] = [['response', `${number}`]];
    if (timing?.durationMs !== undefined) head.push(['ms', `${timing.durationMs}`]);
    if (timing?.firstTokenMs !== undefined) head.push(['first_ms', `${timing.firstTokenMs}`]);
    if (http === undefined) return line([...head, ['chat', compactJson(modelJson(response ?? null))]]);
    return line([...head, ...answerFields(http)]) + frameLines(http.responseBody);
  }
}

/** The members of a response line that tell the answer, for a new answer in its place as well. */
export function answerFields({ status, responseHeaders, responseBody, ended }: HttpExchange): Field[] {
  const fields: Field[] = [];
  if (status !== undefined) fields.push(['status', `${status}`]);
  if (responseHeaders.length > 0) fields.push(['headers', JSON.stringify(responseHeaders)]);
  if (responseBody.type === 'chunks') fields.push(['frames', `${responseBody.chunks.length}`]);
  fields.push(...bodyFields(responseBody));
  if (ended !== undefined) fields.push(['ended', JSON.stringify(ended)]);
  return fields;
}

function isAnswered({ status, responseHeaders, responseBody, ended }: HttpExchange): boolean {
  return status !== undefined || responseHeaders.length > 0 || responseBody.type !== 'none' || ended !== undefined;
}

/** All that is asked as one text, and its members with references to what was asked before. */
interface Asked {
  readonly text: string;
  fields(written: Written, number: number): Field[];
}

function asked({ http, request }: RecordedInteraction): Asked {
  if (http !== undefined) return askedOverHttp(http);
  if (request === undefined) return { text: '', fields: () => [] };
  const chat = compactObject(compactJson(modelJson(request)));
  if (chat === undefined) return { text: '', fields: () => [] };
  return { text: chat.raw, fields: (written, number) => [['chat', referring(written, chat, number)]] };
}

function askedOverHttp({ method, url, requestHeaders, requestBody }: HttpExchange): Asked {
  const headers = JSON.stringify(requestHeaders);
  const object = objectOf(requestBody);
  const body = object === undefined ? bodyFields(requestBody) : [];
  return {
    text: JSON.stringify([method, url, headers, object?.raw ?? body]),
    fields: (written, number) => [
      ['method', JSON.stringify(method)],
      ['url', JSON.stringify(url)],
      ...(requestHeaders.length === 0 ? [] : [['headers', written.value(' headers', headers, number)] as const]),
      ...(object === undefined ? body : [['json', referring(written, object, number)] as const, ...object.layout]),
    ],
  };
}

/** A JSON object in one line. */
interface CompactObject {
  readonly raw: string;
  readonly node: JsonNode;
  /** How it was laid out, where that has a name. Other white space in a request means nothing, and is lost. */
  readonly layout: readonly Field[];
}

function objectOf(body: HttpBody): CompactObject | undefined {
  return body.type === 'text' ? compactObject(body.text) : undefined;
}

function compactObject(text: string): CompactObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const { value, problems } = readJson(text);
  if (value === undefined || problems.length > 0) return undefined;
  const raw = layOut(text, value);
  if (raw === text) return { raw, node: value, layout: [] };
  const compact = compactObject(raw);
  const [, ...layout] = jsonFields(text) ?? [];
  return compact && { ...compact, layout };
}

function referring(written: Written, { raw, node }: CompactObject, number: number): string {
  return object(written.members(raw, node, number));
}
