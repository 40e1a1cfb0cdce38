import type { Problem, Reading, Span } from '../text/source';
import type { Json } from './json';

/**
 * A JSON text as a tree that remembers where everything stands. Numbers keep their lexeme, because `1.0` and
 * 18446744073709551615 do not survive a double. Grammar: RFC 8259.
 */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonStringNode | JsonNumberNode | JsonLiteralNode;
export interface JsonObjectNode extends Span {
  readonly type: 'object';
  readonly members: readonly JsonMember[];
}
export interface JsonArrayNode extends Span {
  readonly type: 'array';
  readonly items: readonly JsonNode[];
}
export interface JsonStringNode extends Span {
  readonly type: 'string';
  readonly value: string;
  /** In YAML: the text is base64, by its tag. */
  readonly binary?: true;
}
export interface JsonNumberNode extends Span {
  readonly type: 'number';
  readonly lexeme: string;
}
export interface JsonLiteralNode extends Span {
  readonly type: 'literal';
  readonly value: boolean | null;
}
export interface JsonMember {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode;
}

/** Nesting beyond this is refused: no tape needs it and a recursive reader must not overflow on a hostile one. */
const MAX_DEPTH = 500;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = { true: true, false: false, null: null } as const;

class JsonSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** Reads one JSON text. On a syntax error the tree ends there: what was read before it is returned, with the problem. */
export function readJson(text: string): Reading<JsonNode> {
  const reader = new JsonReader(text);
  return reader.document();
}

class JsonReader {
  #at = 0;
  #error: JsonSyntaxError | undefined;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Reading<JsonNode> {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1;
    let value: JsonNode | undefined;
    try {
      value = this.#value(0);
      this.#space();
      if (!this.#error && this.#at < this.#text.length) throw this.#unexpected('nothing more');
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      this.#error ??= error;
    }
    return { value, problems: this.#error ? [this.#problem(this.#error)] : [] };
  }

  #problem(error: JsonSyntaxError): Problem {
    const start = Math.min(error.offset, this.#text.length);
    return {
      severity: 'error',
      message: `invalid JSON: ${error.message}`,
      fix: 'Repair the file in the text editor, or restore it from version control.',
      span: { start, end: Math.min(start + 1, this.#text.length) },
    };
  }

  #value(depth: number): JsonNode {
    this.#space();
    const start = this.#at;
    const char = this.#text[start];
    if (char === '{') return this.#object(start, depth);
    if (char === '[') return this.#array(start, depth);
    if (char === '"') return { type: 'string', value: this.#string(), start, end: this.#at };
    if (char !== undefined && /[-\d]/.test(char)) return this.#number(start);
    return this.#literal(start);
  }

  #object(start: number, depth: number): JsonObjectNode {
    const members: JsonMember[] = [];
    this.#sequence('}', depth, () => {
      this.#space();
      const keyStart = this.#at;
      if (this.#text[keyStart] !== '"') throw this.#unexpected('a member name in double quotes');
      const key = this.#string();
      const keySpan = { start: keyStart, end: this.#at };
      this.#space();
      if (!this.#skip(':')) throw this.#unexpected('":"');
      members.push({ key, keySpan, value: this.#value(depth + 1) });
    });
    return { type: 'object', members, start, end: this.#at };
  }

  #array(start: number, depth: number): JsonArrayNode {
    const items: JsonNode[] = [];
    this.#sequence(']', depth, () => items.push(this.#value(depth + 1)));
    return { type: 'array', items, start, end: this.#at };
  }

  /** Reads `element` between commas up to `close`. An error ends the sequence and is kept, so callers keep what they have. */
  #sequence(close: string, depth: number, element: () => void): void {
    if (depth >= MAX_DEPTH) throw new JsonSyntaxError(`nested deeper than ${MAX_DEPTH} levels`, this.#at);
    this.#at += 1;
    try {
      this.#space();
      if (this.#skip(close)) return;
      do {
        element();
        if (this.#error) return;
        this.#space();
      } while (this.#skip(','));
      if (!this.#skip(close)) throw this.#unexpected(`"," or "${close}"`);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      this.#error ??= error;
    }
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return escaped ? this.#unescape(start, at + 1) : this.#text.slice(start + 1, at);
      }
      if (code < 0x20) throw new JsonSyntaxError('a control character inside a string must be escaped', at);
      if (code === 0x5c) {
        escaped = true;
        at += 1;
      }
    }
    throw new JsonSyntaxError('a string is not closed', start);
  }

  #unescape(start: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      throw new JsonSyntaxError('a string has an invalid escape', start);
    }
  }

  #number(start: number): JsonNumberNode {
    NUMBER.lastIndex = start;
    const lexeme = NUMBER.exec(this.#text)?.[0];
    if (lexeme === undefined) throw this.#unexpected('a number');
    this.#at = start + lexeme.length;
    return { type: 'number', lexeme, start, end: this.#at };
  }

  #literal(start: number): JsonLiteralNode {
    for (const [word, value] of Object.entries(LITERALS)) {
      if (!this.#text.startsWith(word, start)) continue;
      this.#at = start + word.length;
      return { type: 'literal', value, start, end: this.#at };
    }
    throw this.#unexpected('a value');
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #unexpected(wanted: string): JsonSyntaxError {
    const found = this.#text.codePointAt(this.#at);
    const what = found === undefined ? 'the end of the file' : JSON.stringify(String.fromCodePoint(found));
    return new JsonSyntaxError(`expected ${wanted}, found ${what}`, this.#at);
  }
}

/** The member of an object node; the last one when the key is repeated, as every JSON reader does. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined;
  return node.members.findLast((candidate) => candidate.key === key)?.value;
}

/** The plain value of a node. Integers beyond 2^53 become `bigint`; own keys only, so `__proto__` is just a key. */
export function jsonValue(node: JsonNode): Json {
  switch (node.type) {
    case 'string':
    case 'literal':
      return node.value;
    case 'number':
      return numberValue(node.lexeme);
    case 'array':
      return node.items.map(jsonValue);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, jsonValue(value)]));
  }
}

function numberValue(lexeme: string): number | bigint {
  const value = Number(lexeme);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(lexeme) ? value : BigInt(lexeme);
}
