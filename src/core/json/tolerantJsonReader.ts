import { t } from '../text/l10n';
import type { ParseResult, Problem } from '../text/source';
import type { TextParts } from '../text/textParts';
import type { JsonNode } from './jsonNode';
import { nodeOfToken } from './jsonNode';
import { ESCAPED, JsonTokens, maxBranches, maxTokens, PLAIN } from './jsonTokens';

/** The maximum nesting. No tape needs more, and a recursive reader must not overflow on a hostile one. */
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
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = 0xfeff;

interface SyntaxFailure {
  readonly message: string;
  readonly offset: number;
}

/**
 * Reads JSON by recursive descent over char codes and records positions. Reading ends at the first error; everything
 * before it is kept. Allocates no objects, because a tape may have a hundred megabytes.
 */
export class TolerantJsonReader {
  #at = 0;
  #failure: SyntaxFailure | undefined;
  #isTooLarge = false;
  #branches = 0;
  readonly #limit: number;
  readonly #text: string;
  readonly #tokens: JsonTokens;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = new JsonTokens(text);
    this.#limit = 3 * maxTokens(text);
  }

  document(): ParseResult<JsonNode> {
    if (this.#text.charCodeAt(0) === BYTE_ORDER_MARK) this.#at = 1;
    this.#value(0);
    if (this.#failure === undefined && !Number.isNaN(this.#next())) this.#expected(t('nothing more'));
    const value = this.#tokens.isEmpty || this.#isTooLarge ? undefined : nodeOfToken(this.#tokens, this.#tokens.root);
    return { value, problems: this.#failure === undefined ? [] : [syntaxProblem(this.#text, this.#failure)] };
  }

  /** Adds a value, or fails. A list or object with an error is added with its content before the error. */
  #value(depth: number): void {
    if (this.#tokens.size > this.#limit) {
      this.#isTooLarge = true;
      this.#fail(t('more than {0} values', this.#limit / 3), this.#at);
      return;
    }
    const char = this.#next();
    const start = this.#at;
    if (char === QUOTE) this.#string();
    else if (char === OPEN_OBJECT) this.#object(start, depth);
    else if (char === OPEN_LIST) this.#array(start, depth);
    else if (char === MINUS || isDigit(char)) this.#number(start);
    else this.#literal(start);
  }

  #object(start: number, depth: number): void {
    const token = this.#open(start, depth);
    if (token === -1) return;
    if (this.#next() === CLOSE_OBJECT) this.#at += 1;
    else while (this.#member(depth) && this.#continues(CLOSE_OBJECT, '"," or "}"'));
    this.#tokens.close(token, this.#at);
  }

  /** Returns false after an error. A name without a value is not a member. */
  #member(depth: number): boolean {
    if (this.#next() !== QUOTE) return this.#expected(t('a member name in double quotes'));
    const name = this.#tokens.size;
    this.#string();
    if (this.#failure === undefined) {
      if (this.#next() === COLON) {
        this.#at += 1;
        this.#value(depth + 1);
      } else this.#expected('":"');
    }
    if (this.#failure === undefined) return true;
    if (this.#tokens.size === name + 3) this.#tokens.cut(name);
    return false;
  }

  #array(start: number, depth: number): void {
    const token = this.#open(start, depth);
    if (token === -1) return;
    if (this.#next() === CLOSE_LIST) this.#at += 1;
    else
      do this.#value(depth + 1);
      while (this.#failure === undefined && this.#continues(CLOSE_LIST, '"," or "]"'));
    this.#tokens.close(token, this.#at);
  }

  /** Starts a list or object and returns its token; -1 if it is nested too deeply. */
  #open(start: number, depth: number): number {
    if (depth >= MAX_DEPTH) {
      this.#fail(t('nested deeper than {0} levels', MAX_DEPTH), start);
      return -1;
    }
    this.#branches += 1;
    if (this.#branches > maxBranches(this.#text)) {
      this.#isTooLarge = true;
      this.#fail(t('more than {0} lists and objects', maxBranches(this.#text)), start);
      return -1;
    }
    const token = this.#tokens.size;
    this.#tokens.add(start, start, PLAIN);
    this.#at = start + 1;
    return token;
  }

  /** Reads a comma, which means that another element follows, or the closing bracket. */
  #continues(close: number, expected: string): boolean {
    const char = this.#next();
    if (char !== COMMA && char !== close) return this.#expected(expected);
    this.#at += 1;
    return char === COMMA;
  }

  #string(): void {
    const text = this.#text;
    const start = this.#at;
    let note = PLAIN;
    let at = afterPlain(text, start + 1);
    while (text.charCodeAt(at) === BACKSLASH) {
      note = ESCAPED;
      const next = afterEscape(text, at + 1);
      if (next === -1) break;
      at = afterPlain(text, next);
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      this.#at = at + 1;
      this.#tokens.add(start, at + 1, note);
    } else if (code === BACKSLASH) this.#fail(t('a string has an invalid escape'), start);
    else if (at >= text.length) this.#fail(t('a string is not closed'), start);
    else this.#fail(t('a control character inside a string must be escaped'), at);
  }

  #number(start: number): void {
    const text = this.#text;
    let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
    if (!isDigit(text.charCodeAt(at))) {
      this.#expected(t('a number'));
      return;
    }
    at = text.charCodeAt(at) === ZERO ? at + 1 : afterDigits(text, at);
    if (text.charCodeAt(at) === DOT && isDigit(text.charCodeAt(at + 1))) at = afterDigits(text, at + 1);
    const letter = text.charCodeAt(at);
    if (letter === LOWER_E || letter === UPPER_E) {
      const sign = text.charCodeAt(at + 1);
      const digits = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
      if (isDigit(text.charCodeAt(digits))) at = afterDigits(text, digits);
    }
    this.#at = at;
    this.#tokens.add(start, at, PLAIN);
  }

  #literal(start: number): void {
    const word = LITERALS.find((candidate) => this.#text.startsWith(candidate, start));
    if (word === undefined) this.#expected(t('a value'));
    else {
      this.#at = start + word.length;
      this.#tokens.add(start, this.#at, PLAIN);
    }
  }

  /** Skips white space and returns the next char code; NaN at the end. */
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

  #expected(expected: string): false {
    this.#fail(unexpected(this.#text, this.#at, expected), this.#at);
    return false;
  }

  #fail(message: string, offset: number): void {
    this.#failure ??= { message, offset };
    this.#tokens.isValid = false;
  }
}

/** The problem of a text that goes on at `offset`, after its value. */
export function trailingProblem(text: TextParts, offset: number): Problem {
  return syntaxProblem(text, { message: unexpected(text, offset, t('nothing more')), offset });
}

function syntaxProblem({ length }: TextParts, { message, offset }: SyntaxFailure): Problem {
  const start = Math.min(offset, length);
  return {
    severity: 'error',
    message: t('invalid JSON: {0}', message),
    fix: t('Fix the file in the text editor, or restore it from version control.'),
    span: { start, end: Math.min(start + 1, length) },
  };
}

function unexpected(text: TextParts, at: number, expected: string): string {
  const found = text.slice(at, at + 2).codePointAt(0);
  const what = found === undefined ? t('the end of the file') : JSON.stringify(String.fromCodePoint(found));
  return t('expected {0}, found {1}', expected, what);
}

const LITERALS = ['null', 'true', 'false'];
const UNTIL_SPECIAL = /[ !#-[\]-\uffff]*/y;

/** The offset of the next quote, escape or control character; the end of the text if there is none. */
function afterPlain(text: string, start: number): number {
  let at = start;
  // For short strings, which most are, a loop is much faster than a regular expression; for long ones, much slower.
  for (const soon = start + 32; at < soon; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH || !(code >= SPACE)) return at;
  }
  UNTIL_SPECIAL.lastIndex = at;
  UNTIL_SPECIAL.test(text);
  return UNTIL_SPECIAL.lastIndex;
}

/** The offset after the escape whose second character is at `at`; -1 if it is invalid. */
function afterEscape(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === LOWER_U) return HEX.test(text.slice(at + 1, at + 5)) ? at + 5 : -1;
  return ESCAPABLE[code] === 1 ? at + 1 : -1;
}

const HEX = /^[\da-f]{4}$/i;
const ESCAPABLE = new Uint8Array(128);
for (const char of '"\\/bfnrt') ESCAPABLE[char.charCodeAt(0)] = 1;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function afterDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}
