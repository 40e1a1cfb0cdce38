import type { JsonMember, JsonNode } from '../json/jsonNode';
import { decodePlain } from './decodeScalar';
import { resolvePlain } from './plainScalar';
import { readFlowYaml } from './readFlowYaml';
import { readBlockScalar, readQuotedScalar } from './readScalar';

/** Deeper texts are left to the library reader, which reports them. */
const MAX_DEPTH = 60;
/** YAML limits the length of a key on the line of its value. */
const MAX_KEY_LENGTH = 1000;
const DASH = 0x2d;
const NEWLINE = 0x0a;
const HASH = 0x23;
const SPACE = 0x20;
const DOCUMENT_END = /^\.\.\.\n?$/;
/** The characters that no plain scalar begins with. */
const INDICATORS = new Set(',[]{}#&*!|>\'"%@`');
/** A comment, another key or a tab, which are left to the library reader. */
const NOT_PLAIN = /:(?: |$)| #|\t/;
const BINARY = /!!?binary +(?=[^ \n])/y;

/**
 * Reads the YAML that recorders write: block maps and lists, plain, quoted and block scalars, small flow collections,
 * and base64. Returns exactly the nodes that the `yaml` package leads to, many times faster, or undefined for a text
 * with anything else (anchors, some comments, other tags, errors), which is left to that package.
 */
export function readBlockYaml(text: string): readonly JsonNode[] | undefined {
  if (text.includes('\r') || text.includes('\uFEFF')) return undefined;
  return new BlockReader(text).documents();
}

class BlockReader {
  readonly #text: string;
  /** The current line: its start, its indentation, and the offset of its content. */
  #line = 0;
  #indent = 0;
  #at = 0;
  /** Whether there are comments on the lines before it. */
  #isCommented = false;
  #depth = 0;
  /** The offset after the last node, including the spaces and the line feed that follow it. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  documents(): readonly JsonNode[] | undefined {
    const documents: JsonNode[] = [];
    if (!this.#next()) return undefined;
    if (this.#isMarker() && !this.#skipMarker()) return undefined;
    for (;;) {
      const root = this.#indent < 0 ? undefined : this.#collection();
      if (root === undefined) return undefined;
      documents.push(root);
      if (this.#at >= this.#text.length) return documents;
      if (!this.#isMarker() || !this.#skipMarker()) return undefined;
    }
  }

  /** Advances to the next line with content, or to the end. False if the line is not supported here. */
  #next(): boolean {
    const text = this.#text;
    let comments = -1;
    for (;;) {
      this.#at = skipSpaces(text, this.#line);
      const char = text.charCodeAt(this.#at);
      if (char === HASH) comments = Math.max(comments, this.#at - this.#line);
      else if (char !== NEWLINE) break;
      this.#line = lineEnd(text, this.#at) + 1;
    }
    // libyaml writes a document end after an open-ended scalar.
    if (this.#at === this.#line && DOCUMENT_END.test(text.slice(this.#at, this.#at + 8))) this.#at = text.length;
    const char = text[this.#at];
    this.#isCommented = comments >= 0;
    this.#indent = char === undefined || this.#isMarker() ? -1 : this.#at - this.#line;
    // A comment that is indented more than the next line belongs to the node above.
    return char !== '\t' && char !== '%' && (comments <= 0 || comments <= this.#indent);
  }

  #isMarker(): boolean {
    return this.#at === this.#line && this.#text.startsWith('---', this.#at);
  }

  #skipMarker(): boolean {
    const end = lineEnd(this.#text, this.#at);
    if (end !== this.#at + 3 || end === this.#text.length) return false;
    this.#line = end + 1;
    // The position of an empty document is left to the library reader.
    return this.#next() && this.#indent >= 0;
  }

  /** Reads the list or map that begins on the line. */
  #collection(): JsonNode | undefined {
    if (this.#depth > MAX_DEPTH) return undefined;
    this.#depth += 1;
    const node = this.#isDash() ? this.#list() : this.#map();
    this.#depth -= 1;
    return node;
  }

  #isDash(): boolean {
    const next = this.#text.charCodeAt(this.#at + 1);
    return this.#text.charCodeAt(this.#at) === DASH && (next === SPACE || next === NEWLINE);
  }

  #list(): JsonNode | undefined {
    const column = this.#indent;
    const start = this.#at;
    const items: JsonNode[] = [];
    do {
      const item = this.#item(column);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#indent === column && this.#isDash());
    return this.#indent > column ? undefined : { type: 'array', items, start, end: this.#end };
  }

  #item(column: number): JsonNode | undefined {
    const at = skipSpaces(this.#text, this.#at + 1);
    if (this.#text.charCodeAt(at) === NEWLINE) return this.#below(at, column + 1);
    this.#indent = column + at - this.#at;
    this.#at = at;
    if (this.#isDash() || this.#key() !== undefined) return this.#collection();
    return this.#value(at, column + 1);
  }

  #map(): JsonNode | undefined {
    const column = this.#indent;
    const start = this.#at;
    const members: JsonMember[] = [];
    do {
      const member = this.#member(column);
      if (member === undefined) return undefined;
      members.push(member);
    } while (this.#indent === column);
    return this.#indent > column ? undefined : { type: 'object', members, start, end: this.#end };
  }

  #member(column: number): JsonMember | undefined {
    const name = this.#key();
    if (name === undefined) return undefined;
    const { key, end } = name;
    // A merge of other maps, which are anchored, is left to the library reader.
    if (this.#text.startsWith('<<:', this.#at)) return undefined;
    const keySpan = { start: this.#at, end };
    const at = skipSpaces(this.#text, end + 1);
    const char = this.#text.charCodeAt(at);
    // A list may have the indentation of its key.
    const value =
      char === NEWLINE || Number.isNaN(char) ? this.#below(at, column + 1, column) : this.#value(at, column + 1);
    return value && { key, keySpan, value };
  }

  /** Reads the value on the lines below, with at least this indentation; it may be absent. */
  #below(at: number, indent: number, listIndent = indent): JsonNode | undefined {
    this.#line = at + 1;
    if (!this.#next()) return undefined;
    if (this.#indent >= indent || (this.#indent === listIndent && this.#isDash())) {
      if (this.#isDash() || this.#key() !== undefined) return this.#collection();
      return this.#value(this.#at, indent);
    }
    // Whether a comment belongs to the absent value is left to the library reader.
    if (this.#isCommented) return undefined;
    this.#end = at;
    return { type: 'literal', value: null, start: at, end: at };
  }

  /** The key that begins on the line, with the offset of its colon. */
  #key(): { readonly key: string; readonly end: number } | undefined {
    const text = this.#text;
    const start = this.#at;
    const quote = text[start];
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, start + 1) + 1;
      const key = text.slice(start + 1, end - 1);
      const isPlain = end > 0 && end - start < MAX_KEY_LENGTH && !/[\n\\]/.test(key) && text[end] !== quote;
      return isPlain && isColon(text, end) ? { key, end } : undefined;
    }
    for (let at = start; at < start + MAX_KEY_LENGTH; at += 1) {
      const char = text.charCodeAt(at);
      if (char === COLON && isColon(text, at)) {
        return at === start ||
          !isPlainStart(text, start) ||
          NOT_PLAIN.test(text.slice(start, at)) ||
          text[at - 1] === ' '
          ? undefined
          : { key: text.slice(start, at), end: at };
      }
      if (char === NEWLINE || Number.isNaN(char)) return undefined;
    }
    return undefined;
  }

  /** Reads a scalar or flow collection. Its further lines have at least this indentation. */
  #value(at: number, indent: number): JsonNode | undefined {
    const text = this.#text;
    const node = this.#valueNode(at, indent);
    if (node === undefined) return undefined;
    const isBlock = node.end > 0 && text.charCodeAt(node.end - 1) === NEWLINE;
    const end = isBlock ? node.end : skipSpaces(text, node.end);
    const char = text.charCodeAt(end);
    if (!isBlock && char !== NEWLINE && !Number.isNaN(char)) return undefined;
    this.#end = isBlock ? end : Math.min(end + 1, text.length);
    this.#line = this.#end;
    return this.#next() ? node : undefined;
  }

  #valueNode(at: number, indent: number): JsonNode | undefined {
    const text = this.#text;
    switch (text[at]) {
      case '"':
      case "'":
        return readQuotedScalar(text, at);
      case '|':
      case '>':
        return readBlockScalar(text, at, indent);
      case '[':
      case '{':
        return readFlowYaml(text, at);
      case '!':
        return this.#binary(at, indent);
      default:
        return isPlainStart(text, at) ? this.#plain(at, indent) : undefined;
    }
  }

  #binary(at: number, indent: number): JsonNode | undefined {
    BINARY.lastIndex = at;
    const length = BINARY.exec(this.#text)?.[0].length;
    const node = length === undefined ? undefined : this.#valueNode(at + length, indent);
    if (node?.type !== 'string' || node.binary) return undefined;
    return { type: 'string', value: node.value, binary: true, start: node.start, end: node.end };
  }

  /** Reads a plain scalar, which may continue on the lines below. */
  #plain(at: number, indent: number): JsonNode | undefined {
    const text = this.#text;
    let end = lineEnd(text, at);
    if (NOT_PLAIN.test(text.slice(at, end))) return undefined;
    let isFolded = false;
    for (let next = end; next < text.length; ) {
      const start = skipSpaces(text, next + 1);
      const char = text.charCodeAt(start);
      if (char !== NEWLINE && (start - next - 1 < indent || Number.isNaN(char))) break;
      next = lineEnd(text, start);
      if (char === NEWLINE) continue;
      const line = text.slice(start, next);
      if (line.startsWith('#') || NOT_PLAIN.test(line)) return undefined;
      isFolded = true;
      end = next;
    }
    while (text.charCodeAt(end - 1) === SPACE) end -= 1;
    const source = text.slice(at, end);
    return { ...resolvePlain(isFolded ? decodePlain(source) : source), start: at, end };
  }
}

const COLON = 0x3a;

function isColon(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === COLON && (next === SPACE || next === NEWLINE || Number.isNaN(next));
}

function isPlainStart(text: string, at: number): boolean {
  const char = text[at] ?? '#';
  if (INDICATORS.has(char)) return false;
  const next = text[at + 1] ?? ' ';
  return !((char === '-' || char === '?' || char === ':') && (next === ' ' || next === '\n'));
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return at;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}
