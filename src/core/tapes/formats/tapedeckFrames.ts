import { type JsonNode, member } from '../../json/jsonDocument';
import { present } from '../../wire/fields';
import type { Chunk, HttpBody } from '../tape';
import { type Field, jsonFields, line, textAt, writtenJson } from './tapedeckBody';

/**
 * A line for each piece of a streamed answer, with the milliseconds after the piece before. Where a piece is one
 * server-sent event with JSON in one line, or one line of JSON, it stands as JSON: `data` (and `event`), or `line`.
 */
export function frameLines(body: HttpBody): string {
  return body.type === 'chunks' ? body.chunks.map((chunk) => line(frameFields(chunk))).join('') : '';
}

function frameFields({ data, delayMs, event, base64 }: Chunk): Field[] {
  const after: Field = ['after', delayMs === undefined ? 'null' : `${delayMs}`];
  if (base64) return [after, ['base64', JSON.stringify(data)]];
  // An event that was taken apart: what came over the network is not known.
  if (event !== undefined) return [after, ['of', JSON.stringify(event)], ['text', JSON.stringify(data)]];
  return [after, ...(sseFields(data) ?? lineFields(data) ?? [['text', JSON.stringify(data)] as const])];
}

const SSE = /^(?:event: ([^\r\n]*)\n)?data: ([^\r\n]*)\n\n$/;

function sseFields(text: string): Field[] | undefined {
  const [, event, data] = SSE.exec(text) ?? [];
  const json = data === undefined ? undefined : jsonFields(data, 'data');
  if (json === undefined || json.some(([name]) => name === 'end')) return undefined;
  return [...(event === undefined ? [] : [['event', JSON.stringify(event)] as const]), ...json];
}

function lineFields(text: string): Field[] | undefined {
  const json = text.endsWith('\n') ? jsonFields(text.slice(0, -1), 'line') : undefined;
  return json?.some(([name]) => name === 'end') ? undefined : json;
}

/** The piece that a line tells; undefined for another line. */
export function readFrame(text: string, fields: JsonNode): Chunk | undefined {
  const after = member(fields, 'after');
  if (after === undefined) return undefined;
  const delayMs = after.type === 'number' ? Number(after.lexeme) : undefined;
  const base64 = textAt(fields, 'base64');
  if (base64 !== undefined) return present({ data: base64, base64: true as const, delayMs });
  const plain = textAt(fields, 'text');
  if (plain !== undefined) return present({ event: textAt(fields, 'of'), data: plain, delayMs });
  const event = textAt(fields, 'event');
  const data = writtenJson(text, fields, 'data');
  if (data !== undefined)
    return present({ data: `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`, delayMs });
  return present({ data: `${writtenJson(text, fields, 'line') ?? ''}\n`, delayMs });
}
