import type { Span } from '../text/source';
import type { Json } from './json';
import type {
  JsonArrayNode,
  JsonLiteralNode,
  JsonMember,
  JsonNode,
  JsonNumberNode,
  JsonObjectNode,
  JsonStringNode,
} from './jsonDocument';
import type { JsonTokens } from './jsonTokens';

/** The node of a token. What is in it is made when it is asked for: most readers look at a small part of a file. */
export function nodeOf(tokens: JsonTokens, token: number): JsonNode {
  const start = tokens.start(token);
  const end = tokens.end(token);
  switch (tokens.text.charCodeAt(start)) {
    case 0x22:
      return new StringNode(tokens, token, start, end);
    case 0x7b:
      return new ObjectNode(tokens, token, start, end);
    case 0x5b:
      return new ArrayNode(tokens, token, start, end);
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

class StringNode implements JsonStringNode {
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
    this.#value ??= textOf(this.#tokens, this.#token);
    return this.#value;
  }
}

export class ArrayNode implements JsonArrayNode {
  readonly type = 'array';
  readonly #tokens: JsonTokens;
  readonly #token: number;
  #items: JsonNode[] | undefined;

  constructor(
    tokens: JsonTokens,
    token: number,
    readonly start: number,
    readonly end: number,
  ) {
    this.#tokens = tokens;
    this.#token = token;
  }

  /** The values and names in it, with itself. */
  get size(): number {
    return (this.#tokens.after(this.#token) - this.#token) / 3;
  }

  get items(): readonly JsonNode[] {
    this.#items ??= this.#read();
    return this.#items;
  }

  parsed(): Json | undefined {
    return parsed(this.#tokens, this);
  }

  #read(): JsonNode[] {
    const tokens = this.#tokens;
    const items: JsonNode[] = [];
    const end = tokens.after(this.#token);
    for (let token = this.#token + 3; token < end; token = tokens.after(token)) items.push(nodeOf(tokens, token));
    return items;
  }
}

export class ObjectNode implements JsonObjectNode {
  readonly type = 'object';
  readonly #tokens: JsonTokens;
  readonly #token: number;
  #members: JsonMember[] | undefined;

  constructor(
    tokens: JsonTokens,
    token: number,
    readonly start: number,
    readonly end: number,
  ) {
    this.#tokens = tokens;
    this.#token = token;
  }

  /** The values and names in it, with itself. */
  get size(): number {
    return (this.#tokens.after(this.#token) - this.#token) / 3;
  }

  get members(): readonly JsonMember[] {
    this.#members ??= this.#read();
    return this.#members;
  }

  #read(): JsonMember[] {
    const tokens = this.#tokens;
    const members: JsonMember[] = [];
    const end = tokens.after(this.#token);
    for (let name = this.#token + 3; name < end; name = tokens.after(name + 3)) members.push(new Member(tokens, name));
    return members;
  }

  parsed(): Json | undefined {
    return parsed(this.#tokens, this);
  }

  /** The value of the last member of that name, without a look at the others. */
  find(key: string): JsonNode | undefined {
    if (this.#members !== undefined) return this.#members.findLast((candidate) => candidate.key === key)?.value;
    const tokens = this.#tokens;
    const end = tokens.after(this.#token);
    let found = -1;
    for (let name = this.#token + 3; name < end; name = tokens.after(name + 3))
      if (isText(tokens, name, key)) found = name + 3;
    return found === -1 ? undefined : nodeOf(tokens, found);
  }
}

class Member implements JsonMember {
  readonly key: string;
  readonly #tokens: JsonTokens;
  readonly #name: number;
  #value: JsonNode | undefined;

  constructor(tokens: JsonTokens, name: number) {
    this.key = textOf(tokens, name);
    this.#tokens = tokens;
    this.#name = name;
  }

  get keySpan(): Span {
    return { start: this.#tokens.start(this.#name), end: this.#tokens.end(this.#name) };
  }

  get value(): JsonNode {
    this.#value ??= nodeOf(this.#tokens, this.#name + 3);
    return this.#value;
  }
}

/** The value by the engine's own parser, where that gives the same: not of a broken text, nor of a long integer. */
function parsed({ text, isWhole }: JsonTokens, { start, end }: Span): Json | undefined {
  if (!isWhole) return undefined;
  const own = text.slice(start, end);
  return LONG_INTEGER.test(own) ? undefined : (JSON.parse(own) as Json);
}

const LONG_INTEGER = /\d{16}/;

function textOf(tokens: JsonTokens, token: number): string {
  const start = tokens.start(token);
  const end = tokens.end(token);
  if (!tokens.isEscaped(token)) return tokens.text.slice(start + 1, end - 1);
  return JSON.parse(tokens.text.slice(start, end)) as string;
}

function isText(tokens: JsonTokens, token: number, text: string): boolean {
  if (tokens.isEscaped(token)) return textOf(tokens, token) === text;
  const start = tokens.start(token) + 1;
  return (
    tokens.end(token) - start - 1 === text.length &&
    tokens.text.charCodeAt(start) === (text.length === 0 ? 0x22 : text.charCodeAt(0)) &&
    tokens.text.startsWith(text, start)
  );
}
