import type { Span } from '../text/source';
import { isRecord, type Json } from './json';
import type { JsonTokens } from './jsonTokens';
import { mayHaveOddNumbers, writtenNumber } from './writtenNumbers';

/** Creates the node of a token. Its content is created lazily, because most readers use a small part of a file. */
export function nodeOfToken(tokens: JsonTokens, token: number): JsonNode {
  const start = tokens.start(token);
  const end = tokens.end(token);
  switch (tokens.text.charCodeAt(start)) {
    case 0x22:
      return new LazyStringNode(tokens, token, start, end);
    case 0x7b:
      return new LazyObjectNode(tokens, token, start, end);
    case 0x5b:
      return new LazyArrayNode(tokens, token, start, end);
    case 0x74:
      return { type: 'literal', value: true, start, end } satisfies JsonLiteralNode;
    case 0x66:
      return { type: 'literal', value: false, start, end } satisfies JsonLiteralNode;
    case 0x6e:
      return { type: 'literal', value: null, start, end } satisfies JsonLiteralNode;
    default:
      return { type: 'number', lexeme: tokens.text.slice(start, end), start, end } satisfies JsonNumberNode;
  }
}

class LazyStringNode implements JsonStringNode {
  readonly type = 'string';
  readonly #tokens: JsonTokens;
  readonly #token: number;
  #value: string | undefined;

  constructor(
    tokens: JsonTokens,
    token: number,
    readonly start: number,
    readonly end: number,
  ) {
    this.#tokens = tokens;
    this.#token = token;
  }

  get value(): string {
    this.#value ??= stringValueOf(this.#tokens, this.#token);
    return this.#value;
  }
}

/** A list or an object, whose content is read when it is asked for. */
abstract class LazyBranch {
  readonly start: number;
  readonly end: number;
  protected readonly tokens: JsonTokens;
  protected readonly token: number;

  constructor(tokens: JsonTokens, token: number, start: number, end: number) {
    this.tokens = tokens;
    this.token = token;
    this.start = start;
    this.end = end;
  }

  /** The number of tokens: this node, and all values and names inside it. */
  get size(): number {
    return (this.tokens.after(this.token) - this.token) / 3;
  }

  /** Known to have no space between its tokens. */
  get isCompact(): boolean {
    return this.tokens.isCompact;
  }

  /** The value by the built-in parser; undefined if that reads something differently, or loses how a number is written. */
  parsed(isExact = false): Json | undefined {
    return parseNatively(this.tokens, this, isExact);
  }
}

export class LazyArrayNode extends LazyBranch implements JsonArrayNode {
  readonly type = 'array';
  #items: JsonNode[] | undefined;

  get items(): readonly JsonNode[] {
    this.#items ??= this.#read();
    return this.#items;
  }

  #read(): JsonNode[] {
    const { tokens } = this;
    const items: JsonNode[] = [];
    const end = tokens.after(this.token);
    for (let token = this.token + 3; token < end; token = tokens.after(token)) items.push(nodeOfToken(tokens, token));
    return items;
  }

  /** The items one by one, which are not kept. */
  *walk(): Generator<JsonNode> {
    const { tokens } = this;
    const end = tokens.after(this.token);
    for (let token = this.token + 3; token < end; token = tokens.after(token)) yield nodeOfToken(tokens, token);
  }
}

export class LazyObjectNode extends LazyBranch implements JsonObjectNode {
  readonly type = 'object';
  #members: JsonMember[] | undefined;

  get members(): readonly JsonMember[] {
    this.#members ??= this.#read();
    return this.#members;
  }

  #read(): JsonMember[] {
    const { tokens } = this;
    const members: JsonMember[] = [];
    const end = tokens.after(this.token);
    for (let name = this.token + 3; name < end; name = tokens.after(name + 3))
      members.push(new LazyMember(tokens, name));
    return members;
  }

  /** The members one by one, which are not kept. */
  *walk(): Generator<JsonMember> {
    const { tokens } = this;
    const end = tokens.after(this.token);
    for (let name = this.token + 3; name < end; name = tokens.after(name + 3)) yield new LazyMember(tokens, name);
  }

  /** The value of the last member with this name, without creating the others. */
  find(key: string): JsonNode | undefined {
    if (this.#members !== undefined) return this.#members.findLast((candidate) => candidate.key === key)?.value;
    const { tokens } = this;
    const end = tokens.after(this.token);
    let value = -1;
    for (let name = this.token + 3; name < end; name = tokens.after(name + 3))
      if (isKey(tokens, name, key)) value = name + 3;
    return value === -1 ? undefined : nodeOfToken(tokens, value);
  }
}

class LazyMember implements JsonMember {
  readonly key: string;
  readonly #tokens: JsonTokens;
  readonly #name: number;
  #value: JsonNode | undefined;

  constructor(tokens: JsonTokens, name: number) {
    this.key = stringValueOf(tokens, name);
    this.#tokens = tokens;
    this.#name = name;
  }

  get keySpan(): Span {
    return { start: this.#tokens.start(this.#name), end: this.#tokens.end(this.#name) };
  }

  get value(): JsonNode {
    this.#value ??= nodeOfToken(this.#tokens, this.#name + 3);
    return this.#value;
  }
}

function parseNatively(tokens: JsonTokens, { start, end }: Span, isExact: boolean): Json | undefined {
  if (!tokens.isValid) return undefined;
  const own = tokens.text.slice(start, end);
  const isSame = tokens.hasPlainNumbers || !(LONG_INTEGER.test(own) || (isExact && mayHaveOddNumbers(own)));
  return isSame ? (JSON.parse(own) as Json) : undefined;
}

const LONG_INTEGER = /\d{16}/;

function stringValueOf(tokens: JsonTokens, token: number): string {
  const start = tokens.start(token);
  const end = tokens.end(token);
  if (!tokens.isEscaped(token)) return tokens.text.slice(start + 1, end - 1);
  return JSON.parse(tokens.text.slice(start, end)) as string;
}

function isKey(tokens: JsonTokens, token: number, text: string): boolean {
  if (tokens.isEscaped(token)) return stringValueOf(tokens, token) === text;
  const start = tokens.start(token) + 1;
  return (
    tokens.end(token) - start - 1 === text.length &&
    tokens.text.charCodeAt(start) === (text.length === 0 ? 0x22 : text.charCodeAt(0)) &&
    tokens.text.startsWith(text, start)
  );
}

/** Converts a value to a node without a position, with numbers as they were written. Undefined members are omitted. */
export function toNode(value: Json | undefined): JsonNode {
  const noSpan = { start: 0, end: 0 };
  if (typeof value === 'string') return { type: 'string', value, ...noSpan };
  if (typeof value === 'number' || typeof value === 'bigint') {
    return Number.isNaN(value) ? toNode(null) : { type: 'number', lexeme: String(value), ...noSpan };
  }
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, item]) => item !== undefined);
    const nodes = members.map(([key, item]) => ({ key, keySpan: noSpan, value: itemNode(value, key, item) }));
    return { type: 'object', members: nodes, ...noSpan };
  }
  if (typeof value === 'object' && value !== null)
    return { type: 'array', items: value.map((item, at) => itemNode(value, at, item)), ...noSpan };
  return { type: 'literal', value: value ?? null, ...noSpan };
}

function itemNode(holder: object, key: string | number, item: Json): JsonNode {
  const lexeme = writtenNumber(holder, key);
  return lexeme === undefined ? toNode(item) : { type: 'number', lexeme, start: 0, end: 0 };
}

/** Visits the strings in a value, in order, without the names of members. What is read of a lazy value for it is not kept. */
export function visitStrings(node: JsonNode, visit: (string: JsonStringNode) => void): void {
  if (node.type === 'string') visit(node);
  else if (node.type === 'array') for (const item of itemsOf(node)) visitStrings(item, visit);
  else if (node.type === 'object') for (const { value } of membersOf(node)) visitStrings(value, visit);
}

/** The items of a list for who visits each once: the tree of a large text takes many times the text. */
export function itemsOf(node: JsonArrayNode): Iterable<JsonNode> {
  return node instanceof LazyArrayNode ? node.walk() : node.items;
}

/** The members of an object, likewise. */
export function membersOf(node: JsonObjectNode): Iterable<JsonMember> {
  return node instanceof LazyObjectNode ? node.walk() : node.members;
}

/**
 * A JSON text as a tree with positions. Numbers keep their lexeme, because `1.0` and 18446744073709551615 do not
 * survive a double. Grammar: RFC 8259.
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
  /** In YAML: tagged as base64. */
  readonly binary?: true;
}
interface JsonNumberNode extends Span {
  readonly type: 'number';
  readonly lexeme: string;
}
interface JsonLiteralNode extends Span {
  readonly type: 'literal';
  readonly value: boolean | null;
}
export interface JsonMember {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode;
}
