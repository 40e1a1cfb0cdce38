import { type JsonNode, member, readJson } from '../../json/jsonDocument';
import { type JsonLayout, layOut } from '../../json/jsonLayout';
import { compactJson } from '../../wire/compactJson';
import type { HttpBody } from '../tape';

/**
 * Bodies as members of a line: `json` where the text can be made again from it, character for character, with `layout`
 * and `end` saying how; else `text`; or `base64` for what is no text.
 */

/** A member of a line: its name and its JSON. */
export type Field = readonly [name: string, json: string];

const LAYOUTS: readonly JsonLayout[] = ['compact', 'indented', 'spaced'];

export function bodyFields(body: HttpBody): Field[] {
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

/** Undefined for a text that is no JSON, or is laid out in a way that has no name. */
export function jsonFields(text: string, key = 'json'): Field[] | undefined {
  const end = /\s*$/.exec(text)?.[0] ?? '';
  if (!/^[{[]/.test(text) || end.length > 2) return undefined;
  const { value, problems } = readJson(text);
  if (value === undefined || problems.length > 0) return undefined;
  const written = text.slice(0, text.length - end.length);
  const layout = LAYOUTS.find((candidate) => layOut(text, value, candidate) === written);
  if (layout === undefined) return undefined;
  return [
    [key, layOut(text, value)],
    ...(layout === 'compact' ? [] : [['layout', JSON.stringify(layout)] as const]),
    ...(end === '' ? [] : [['end', JSON.stringify(end)] as const]),
  ];
}

/** The body that the members of a line tell. */
export function readBody(line: string, fields: JsonNode): HttpBody {
  const text = textAt(fields, 'text');
  if (text !== undefined) return { type: 'text', text };
  const base64 = textAt(fields, 'base64');
  if (base64 !== undefined) return { type: 'base64', base64 };
  const written = writtenJson(line, fields);
  return written === undefined ? { type: 'none' } : { type: 'text', text: written };
}

/** The text of a `json` member, as it was written. */
export function writtenJson(line: string, fields: JsonNode, key = 'json'): string | undefined {
  const json = member(fields, key);
  return json && laidOut(layOut(line, json), fields);
}

/** JSON in one line in the layout that the members beside it name. */
export function laidOut(compact: string, fields: JsonNode): string {
  const layout = textAt(fields, 'layout');
  const named = LAYOUTS.find((candidate) => candidate === layout);
  const node = named === undefined ? undefined : readJson(compact).value;
  return (node === undefined ? compact : layOut(compact, node, named)) + (textAt(fields, 'end') ?? '');
}

/** The text at a key of an object. */
export function textAt(node: JsonNode | undefined, key: string): string | undefined {
  const found = member(node, key);
  return found?.type === 'string' ? found.value : undefined;
}

/** A line of a tape. */
export function line(fields: readonly Field[]): string {
  return `${object(fields)}\n`;
}

export function object(fields: readonly Field[]): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}
