import { omitUndefined } from '../../../json/fields';
import { formatNode, type JsonLayout } from '../../../json/formatJson';
import { compactJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { member, readJson } from '../../../json/readJson';
import type { Chunk, HttpBody } from '../../../model/http';

/**
 * Bodies as members of a line: `json` if the exact text can be restored from it, with `layout` and `end` as the details
 * of its layout; otherwise `text`, or `base64` for a binary body.
 */

/** A member of a line: its name and its JSON. */
export type LineField = readonly [name: string, json: string];

const LAYOUTS: readonly JsonLayout[] = ['compact', 'indented', 'spaced'];

export function bodyFields(body: HttpBody): LineField[] {
  switch (body.type) {
    case 'none':
    case 'chunks':
      return [];
    case 'json':
      return [
        ['json', compactJson(body.json)],
        ['parsed', 'true'],
      ];
    case 'text':
      return jsonFields(body.text) ?? [['text', JSON.stringify(body.text)]];
    case 'base64':
      return [['base64', JSON.stringify(body.base64)]];
  }
}

/** Undefined for a text that is not JSON, or has a layout without a name. */
export function jsonFields(text: string, key = 'json'): LineField[] | undefined {
  const end = /\s*$/.exec(text)?.[0] ?? '';
  if (!/^[{[]/.test(text) || end.length > 2) return undefined;
  const { value, problems } = readJson(text);
  if (value === undefined || problems.length > 0) return undefined;
  const written = text.slice(0, text.length - end.length);
  const layout = LAYOUTS.find((candidate) => formatNode(text, value, candidate) === written);
  if (layout === undefined) return undefined;
  return [
    [key, formatNode(text, value)],
    ...(layout === 'compact' ? [] : [['layout', JSON.stringify(layout)] as const]),
    ...(end === '' ? [] : [['end', JSON.stringify(end)] as const]),
  ];
}

/** The body in the members of a line. */
export function readBodyFields(line: string, fields: JsonNode): HttpBody {
  const text = stringMember(fields, 'text');
  if (text !== undefined) return { type: 'text', text };
  const base64 = stringMember(fields, 'base64');
  if (base64 !== undefined) return { type: 'base64', base64 };
  const written = originalJson(line, fields);
  return written === undefined ? { type: 'none' } : { type: 'text', text: written };
}

/** The text of a `json` member, as it was written. */
function originalJson(line: string, fields: JsonNode, key = 'json'): string | undefined {
  const json = member(fields, key);
  return json && withLayout(formatNode(line, json), fields);
}

/** JSON of one line in the layout that the members beside it name. */
export function withLayout(compact: string, fields: JsonNode): string {
  const layout = stringMember(fields, 'layout');
  const named = LAYOUTS.find((candidate) => candidate === layout);
  const node = named === undefined ? undefined : readJson(compact).value;
  return (node === undefined ? compact : formatNode(compact, node, named)) + (stringMember(fields, 'end') ?? '');
}

/** The text at a key of an object. */
export function stringMember(node: JsonNode | undefined, key: string): string | undefined {
  const found = member(node, key);
  return found?.type === 'string' ? found.value : undefined;
}

/** A line of a tape. */
export function writeLine(fields: readonly LineField[]): string {
  return `${writeObject(fields)}\n`;
}

export function writeObject(fields: readonly LineField[]): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/**
 * A line for each piece of a streamed response, with the milliseconds after the previous piece. A piece that is a
 * single server-sent event with one line of JSON, or a single line of JSON, is stored as JSON: `data` (and `event`), or
 * `line`.
 */
export function frameLines(body: HttpBody): string {
  return body.type === 'chunks' ? body.chunks.map((chunk) => writeLine(frameFields(chunk))).join('') : '';
}

function frameFields({ data, delayMs, event, base64 }: Chunk): LineField[] {
  const after: LineField = ['after', delayMs === undefined ? 'null' : `${delayMs}`];
  // The original bytes of an event that was parsed are unknown.
  const named: LineField[] = event === undefined ? [] : [['of', JSON.stringify(event)]];
  if (base64) return [after, ...named, ['base64', JSON.stringify(data)]];
  const said = event === undefined || !isSender(event) ? undefined : jsonFields(data, event);
  if (said !== undefined) return [after, ...said];
  if (event !== undefined) return [after, ...named, ['text', JSON.stringify(data)]];
  return [after, ...(sseFields(data) ?? lineFields(data) ?? [['text', JSON.stringify(data)] as const])];
}

const SSE = /^(?:event: ([^\r\n]*)\n)?data: ([^\r\n]*)\n\n$/;

function sseFields(text: string): LineField[] | undefined {
  const [, event, data] = SSE.exec(text) ?? [];
  const json = data === undefined ? undefined : jsonFields(data, 'data');
  if (json === undefined || json.some(([name]) => name === 'end')) return undefined;
  return [...(event === undefined ? [] : [['event', JSON.stringify(event)] as const]), ...json];
}

function lineFields(text: string): LineField[] | undefined {
  const json = text.endsWith('\n') ? jsonFields(text.slice(0, -1), 'line') : undefined;
  return json?.some(([name]) => name === 'end') ? undefined : json;
}

/** The piece in a line; undefined for any other line. */
export function readFrame(text: string, fields: JsonNode): Chunk | undefined {
  const after = member(fields, 'after');
  if (after === undefined) return undefined;
  const delayMs = after.type === 'number' ? Number(after.lexeme) : undefined;
  const base64 = stringMember(fields, 'base64');
  const said = saidFrame(text, fields);
  if (said !== undefined) return omitUndefined({ ...said, delayMs });
  const named = stringMember(fields, 'of');
  if (base64 !== undefined) return omitUndefined({ event: named, data: base64, base64: true as const, delayMs });
  const plain = stringMember(fields, 'text');
  if (plain !== undefined) return omitUndefined({ event: named, data: plain, delayMs });
  const event = stringMember(fields, 'event');
  const data = originalJson(text, fields, 'data');
  if (data !== undefined)
    return omitUndefined({ data: `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`, delayMs });
  return omitUndefined({ data: `${originalJson(text, fields, 'line') ?? ''}\n`, delayMs });
}

/** Who a message is from, in a talk or of MCP; `last` and `close` end a talk, for one end and for both. */
const SENDERS = ['server', 'client', 'last', 'close'] as const;

function isSender(event: string): boolean {
  return SENDERS.some((sender) => sender === event);
}

/** A message as a piece of a stream that is named after its sender. */
function saidFrame(text: string, fields: JsonNode): Pick<Chunk, 'event' | 'data'> | undefined {
  const event = SENDERS.find((sender) => member(fields, sender) !== undefined);
  const data = event && originalJson(text, fields, event);
  return event === undefined || data === undefined ? undefined : { event, data };
}
