import type { Span } from '../text/source';
import type { Splice } from '../text/splice';
import { splicesBetween } from '../text/splicesBetween';
import { compactJson, isRecord, type Json, prettyJson } from './json';
import { type JsonNode, type JsonObjectNode, type JsonStringNode, toNode } from './jsonNode';
import { pythonJson, pythonString } from './pythonJson';
import { jsonValue, member } from './readJson';

/**
 * Writes a string as a JSON token, escaped in the style of the token it replaces: ASCII only, or with escaped slashes,
 * if that is how it was written.
 */
export function stringifyStringLike(value: string, replaced: string): string {
  const onlyAscii = /\\u(?!00[01])/i.test(replaced) && /^[ -~]*$/.test(replaced);
  const token = onlyAscii ? pythonString(value, true) : JSON.stringify(value);
  const slashes = /\\\//.test(replaced) && !/[^\\]\//.test(replaced.replace(/\\\//g, ''));
  return slashes ? token.replaceAll('/', '\\/') : token;
}

/** Writes JSON in the style of the JSON it replaces: indented to the same depth, with Python's spaces, or compact. */
export function stringifyLike(value: Json, replaced: string): string {
  if (/[\r\n]/.test(replaced.trim())) return stringifyIndentedLike(value, replaced);
  const punctuation = replaced.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (/[:,] /.test(punctuation)) return pythonJson(toNode(value), { ensureAscii: !/[^\0-\x7f]/.test(replaced) });
  return compactJson(value);
}

function stringifyIndentedLike(value: Json, replaced: string): string {
  const lines = replaced.trimEnd().split(/\r?\n/);
  const base = /^[ \t]*/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  const inner = /^[ \t]*/.exec(lines[1] ?? '')?.[0] ?? '';
  const step = inner.startsWith(base) && inner.length > base.length ? inner.slice(base.length) : '  ';
  const lineEnd = replaced.includes('\r\n') ? '\r\n' : '\n';
  return prettyJson(value)
    .split('\n')
    .map((line, index) => {
      const depth = (line.length - line.trimStart().length) / 2;
      return index === 0 ? line : base + step.repeat(depth) + line.trimStart();
    })
    .join(lineEnd);
}

/**
 * The splices inside a JSON string that change its value. Unchanged text keeps its escapes, and new text is escaped in
 * the same style, so that a long body in a string changes only where it must.
 */
export function jsonStringSplices(source: string, token: Span & { readonly value: string }, value: string): Splice[] {
  const style = source.slice(token.start, token.end);
  let unit = 0;
  let at = token.start + 1;
  // Every escape is one UTF-16 unit.
  const offsetOf = (target: number): number => {
    for (; unit < target; unit += 1) at += source[at] !== '\\' ? 1 : source[at + 1] === 'u' ? 6 : 2;
    return at;
  };
  return splicesBetween(token.value, value).map(({ start, end, text }) => {
    const from = offsetOf(start);
    return { start: from, end: offsetOf(end), text: escapeLike(text, style) };
  });
}

function escapeLike(text: string, style: string): string {
  const written = stringifyStringLike(text, style).slice(1, -1);
  // .NET escapes only characters beyond the BMP, with upper-case digits.
  const astral = /\\ud[89ab]/i.test(style) ? written.replace(/[\ud800-\udfff]/g, unicodeEscape) : written;
  if (!/\\u[0-9a-f]*[A-F]/.test(style)) return astral;
  return astral.replace(/\\(?:u([0-9a-f]{4})|.)/g, (found, digits?: string) =>
    digits ? `\\u${digits.toUpperCase()}` : found,
  );
}

/** The escape `\uXXXX` of one UTF-16 unit. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Writes replacements in the style of a file: strings piecewise, other values as a whole. */
export interface NodeWriter {
  string(node: JsonStringNode, value: string): Iterable<Splice>;
  /** The token of a value that replaces a node. */
  value(node: JsonNode, value: Json): string;
}

/** The minimal splices that give a node another value. Numbers that are equal keep their digits. */
export function* valueSplices(node: JsonNode, next: Json, writer: NodeWriter): Generator<Splice> {
  if (node.type === 'string' && typeof next === 'string') {
    if (node.value !== next) yield* writer.string(node, next);
  } else if (node.type === 'array' && Array.isArray(next) && next.length === node.items.length) {
    for (const [index, item] of node.items.entries()) yield* valueSplices(item, next[index] ?? null, writer);
  } else if (node.type === 'object' && isRecord(next) && hasSameKeys(node.members, next)) {
    // The last of repeated keys counts.
    const last = new Map(node.members.map(({ key, value }) => [key, value]));
    for (const [key, value] of last) yield* valueSplices(value, next[key] ?? null, writer);
  } else if (node.type === 'array' || node.type === 'object' || jsonValue(node) !== next) {
    yield { start: node.start, end: node.end, text: writer.value(node, next) };
  }
}

function hasSameKeys(members: readonly { readonly key: string }[], next: Json & object): boolean {
  const keys = new Set(members.map(({ key }) => key));
  const nextKeys = Object.keys(next);
  return nextKeys.length === keys.size && nextKeys.every((key) => keys.has(key));
}

/**
 * Sets a member of an object to a value, given as a JSON token. Replaces the old value, or inserts the member before
 * the first one, with the same white space.
 */
export function setMember(text: string, object: JsonObjectNode, key: string, token: string): Splice {
  const old = member(object, key);
  if (old !== undefined) return { start: old.start, end: old.end, text: token };
  const name = JSON.stringify(key);
  const [first] = object.members;
  if (first === undefined) return { start: object.start + 1, end: object.end - 1, text: `${name}: ${token}` };
  const at = first.keySpan.start;
  return { start: at, end: at, text: `${name}: ${token},${text.slice(object.start + 1, at) || ' '}` };
}
