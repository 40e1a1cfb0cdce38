import type { Problem, Reading } from '../text/source';
import type { JsonArrayNode, JsonMember, JsonNode, JsonNumberNode, JsonObjectNode } from './jsonDocument';

/** Nesting beyond this is refused: no tape needs it and a recursive reader must not overflow on a hostile one. */
const MAX_DEPTH = 500;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LOWER_E = 0x65;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = 0xfeff;

interface SyntaxFault {
  readonly message: string;
  readonly offset: number;
}

/**
 * Recursive descent over char codes. The first fault ends the reading: every level returns what it has. A tape can have
 * a hundred megabytes, so nothing here allocates but the tree.
 */
export class JsonReader {
  #at = 0;
  #fault: SyntaxFault | undefined;
  readonly #text: string;
  readonly #keys: string[] = new Array<string>(KEYS).fill('');

  constructor(text: string) {
    this.#text = text;
  }

  document(): Reading<JsonNode> {
    if (this.#text.charCodeAt(0) === BYTE_ORDER_MARK) this.#at = 1;
    const value = this.#value(0);
    if (this.#fault === undefined && !Number.isNaN(this.#next())) this.#expected('nothing more');
    return { value, problems: this.#fault === undefined ? [] : [this.#problem(this.#fault)] };
  }

  #problem({ message, offset }: SyntaxFault): Problem {
    const start = Math.min(offset, this.#text.length);
    return {
      severity: 'error',
      message: `invalid JSON: ${message}`,
      fix: 'Repair the file in the text editor, or restore it from version control.',
      span: { start, end: Math.min(start + 1, this.#text.length) },
    };
  }

  /** Undefined when there is none; then there is a fault. */
  #value(depth: number): JsonNode | undefined {
    const char = this.#next();
    const start = this.#at;
    if (char === QUOTE) {
      const value = this.#string(false);
      return value === undefined ? undefined : { type: 'string', value, start, end: this.#at };
    }
    if (char === OPEN_OBJECT) return this.#object(start, depth);
    if (char === OPEN_LIST) return this.#array(start, depth);
    if (char === MINUS || isDigit(char)) return this.#number(start);
    return this.#literal(start);
  }

  #object(start: number, depth: number): JsonObjectNode | undefined {
    if (depth >= MAX_DEPTH) return this.#tooDeep();
    const members: JsonMember[] = [];
    this.#at += 1;
    if (this.#next() === CLOSE_OBJECT) this.#at += 1;
    else {
      while (this.#member(members, depth) && this.#goesOn(CLOSE_OBJECT, '"," or "}"'));
    }
    return { type: 'object', members, start, end: this.#at };
  }

  /** False after a fault. */
  #member(members: JsonMember[], depth: number): boolean {
    if (this.#next() !== QUOTE) return this.#expected('a member name in double quotes');
    const start = this.#at;
    const key = this.#string(true);
    if (key === undefined) return false;
    const keySpan = { start, end: this.#at };
    if (this.#next() !== COLON) return this.#expected('":"');
    this.#at += 1;
    const value = this.#value(depth + 1);
    if (value !== undefined) members.push({ key, keySpan, value });
    return this.#fault === undefined;
  }

  #array(start: number, depth: number): JsonArrayNode | undefined {
    if (depth >= MAX_DEPTH) return this.#tooDeep();
    const items: JsonNode[] = [];
    this.#at += 1;
    if (this.#next() === CLOSE_LIST) this.#at += 1;
    else {
      do {
        const item = this.#value(depth + 1);
        if (item !== undefined) items.push(item);
      } while (this.#fault === undefined && this.#goesOn(CLOSE_LIST, '"," or "]"'));
    }
    return { type: 'array', items, start, end: this.#at };
  }

  /** Reads what stands between two elements, or the end. True when another element has to follow. */
  #goesOn(close: number, wanted: string): boolean {
    const char = this.#next();
    if (char !== COMMA && char !== close) return this.#expected(wanted);
    this.#at += 1;
    return char === COMMA;
  }

  #string(isKey: boolean): string | undefined {
    const text = this.#text;
    const start = this.#at;
    let at = start + 1;
    let code = text.charCodeAt(at);
    // Far faster than a regular expression for the few characters that most strings have, and far slower for many.
    for (const soon = at + 32; code !== QUOTE && code !== BACKSLASH && code >= SPACE && at < soon; ) {
      at += 1;
      code = text.charCodeAt(at);
    }
    if (code !== QUOTE && code !== BACKSLASH && code >= SPACE) {
      PLAIN.lastIndex = at;
      PLAIN.test(text);
      at = PLAIN.lastIndex;
      code = text.charCodeAt(at);
    }
    if (code === BACKSLASH) return this.#escaped(start, at);
    if (code < SPACE) return this.#fail('a control character inside a string must be escaped', at);
    if (code !== QUOTE) return this.#fail('a string is not closed', start);
    this.#at = at + 1;
    return isKey ? this.#key(start + 1, at) : text.slice(start + 1, at);
  }

  /** A string whose first escape is known. */
  #escaped(start: number, firstEscape: number): string | undefined {
    const text = this.#text;
    const end = endOfString(text, firstEscape);
    if (end === -1) return this.#unclosed(start, firstEscape);
    this.#at = end + 1;
    const token = text.slice(start, end + 1);
    try {
      return JSON.parse(token) as string;
    } catch {
      const control = token.search(CONTROL);
      return control === -1
        ? this.#fail('a string has an invalid escape', start)
        : this.#fail('a control character inside a string must be escaped', start + control);
    }
  }

  #unclosed(start: number, firstEscape: number): undefined {
    const control = this.#text.slice(firstEscape).search(CONTROL);
    return control === -1
      ? this.#fail('a string is not closed', start)
      : this.#fail('a control character inside a string must be escaped', firstEscape + control);
  }

  /** A tape has few keys, many times over: one string each. */
  #key(start: number, end: number): string {
    const text = this.#text;
    const length = end - start;
    const slot = (length * 31 + text.charCodeAt(start) * 7 + text.charCodeAt(end - 1)) & (KEYS - 1);
    const known = this.#keys[slot] as string;
    if (known.length === length && text.startsWith(known, start)) return known;
    const key = text.slice(start, end);
    this.#keys[slot] = key;
    return key;
  }

  #number(start: number): JsonNumberNode | undefined {
    const text = this.#text;
    let at = start;
    if (text.charCodeAt(at) === MINUS) at += 1;
    if (!isDigit(text.charCodeAt(at))) return this.#expected('a number') || undefined;
    at = text.charCodeAt(at) === ZERO ? at + 1 : afterDigits(text, at);
    if (text.charCodeAt(at) === DOT && isDigit(text.charCodeAt(at + 1))) at = afterDigits(text, at + 1);
    const letter = text.charCodeAt(at);
    if (letter === LOWER_E || letter === UPPER_E) {
      const sign = text.charCodeAt(at + 1);
      const digits = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
      if (isDigit(text.charCodeAt(digits))) at = afterDigits(text, digits);
    }
    this.#at = at;
    return { type: 'number', lexeme: text.slice(start, at), start, end: at };
  }

  #literal(start: number): JsonNode | undefined {
    for (const [word, value] of LITERALS) {
      if (!this.#text.startsWith(word, start)) continue;
      this.#at = start + word.length;
      return { type: 'literal', value, start, end: this.#at };
    }
    return this.#expected('a value') || undefined;
  }

  /** The char code of what comes after white space, where the reader then stands; NaN at the end. */
  #next(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === SPACE || code === LINE_FEED || code === RETURN || code === TAB) {
      at += 1;
      code = text.charCodeAt(at);
    }
    this.#at = at;
    return code;
  }

  #expected(wanted: string): false {
    const found = this.#text.codePointAt(this.#at);
    const what = found === undefined ? 'the end of the file' : JSON.stringify(String.fromCodePoint(found));
    this.#fail(`expected ${wanted}, found ${what}`, this.#at);
    return false;
  }

  #tooDeep(): undefined {
    return this.#fail(`nested deeper than ${MAX_DEPTH} levels`, this.#at);
  }

  #fail(message: string, offset: number): undefined {
    this.#fault ??= { message, offset };
  }
}

const KEYS = 256;
/** What may stand in a string as it is, up to the next quote or escape. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const CONTROL = /[^ -\uffff]/;
const LITERALS = [
  ['null', null],
  ['true', true],
  ['false', false],
] as const;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function afterDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** The place of the quote that closes a string; -1 where none does. No escape may reach over `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (at - escapes > from && text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}
