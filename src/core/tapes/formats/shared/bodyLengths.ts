import { decodeBase64 } from '../../../bytes/base64';
import { utf8Length } from '../../../bytes/utf8';
import { compactJson, type Json, prettyJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { toNode } from '../../../json/jsonNode';
import { pythonJson } from '../../../json/pythonJson';
import type { HttpBody } from '../../../model/http';
import { decodeBody } from '../../../wire/body/body';
import type { StoredBody } from './storedBody';

/** The length of a body before and after an edit, counted in one way. */
export interface LengthChange {
  readonly before: number;
  readonly after: number;
}

/** The changes of a body's length by an edit, for each way in which recorders count it, the most likely first. */
export function lengthChanges(stored: StoredBody, next: HttpBody): LengthChange[] {
  const { body, node } = stored;
  if (body.type === 'json' && next.type === 'json') return jsonLengths(body.json, next.json, node);
  const before = [...lengths(body), node?.type === 'string' ? node.value.length : undefined];
  const after = [...lengths(next), stored.encode?.(next)?.length];
  return before.flatMap((length, index) => {
    const other = after[index];
    return length === undefined || other === undefined ? [] : [{ before: length, after: other }];
  });
}

/** In bytes: as sent over the wire, and decompressed. */
function lengths(body: HttpBody): (number | undefined)[] {
  if (body.type === 'base64') return [decodeBase64(body.base64)?.length, decodeBody(body).bytes.length];
  if (body.type === 'text') return [utf8Length(body.text), decodeBody(body).bytes.length];
  if (body.type === 'chunks') return [body.chunks.reduce((sum, { data }) => sum + utf8Length(data), 0), undefined];
  return [undefined, undefined];
}

/** JSON that is stored parsed was sent either on one line or indented, with the same digits in its numbers. */
function jsonLengths(json: Json, next: Json, node: JsonNode | undefined): LengthChange[] {
  const change = utf8Length(compactJson(next)) - utf8Length(compactJson(json));
  const printed = node === undefined ? [compactJson(json), prettyJson(json)] : [printNode(node), printNode(node, '\n')];
  const plain = printed.map((text) => ({ before: utf8Length(text), after: utf8Length(text) + change }));
  return node === undefined ? plain : [...plain, pythonLength(json, next, node)];
}

/**
 * Python's `json.dumps`, by which Pydantic AI's cassettes state the length: ASCII, with a space after commas and
 * colons.
 */
function pythonLength(json: Json, next: Json, node: JsonNode): LengthChange {
  const before = pythonJson(node).length;
  return { before, after: before + pythonJson(toNode(next)).length - pythonJson(toNode(json)).length };
}

/** The text of a node on one line or, with a line end, indented by two. */
function printNode(node: JsonNode, lineEnd = ''): string {
  if (node.type === 'string') return JSON.stringify(node.value);
  if (node.type === 'number') return node.lexeme;
  if (node.type === 'literal') return String(node.value);
  const inner = lineEnd && `${lineEnd}  `;
  const colon = lineEnd ? ': ' : ':';
  const [open, close] = node.type === 'array' ? '[]' : '{}';
  const items =
    node.type === 'array'
      ? node.items.map((item) => printNode(item, inner))
      : node.members.map(({ key, value }) => `${JSON.stringify(key)}${colon}${printNode(value, inner)}`);
  return items.length === 0 ? `${open}${close}` : `${open}${inner}${items.join(`,${inner}`)}${lineEnd}${close}`;
}
