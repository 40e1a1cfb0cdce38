import type { JsonMember, JsonNode } from '../json/jsonNode';
import { resolvePlain } from './plainScalar';
import { readQuotedScalar } from './readScalar';

const MAX_DEPTH = 20;
/** Longer collections are rare, and may be keys that are too long. */
const MAX_LENGTH = 1000;
/** A plain scalar on one line, without characters that may have a meaning. */
const PLAIN = /[^\s,[\]{}#&*!|>'"%@`?:-](?:[^\n\t,[\]{}:#]*[^\s,[\]{}:#])?/y;

/**
 * Reads a flow list or map of plain and quoted scalars on one line, such as `[]` or `{code: 200, message: OK}`.
 * Undefined for any other.
 */
export function readFlowYaml(text: string, at: number): JsonNode | undefined {
  return new FlowReader(text, at).read();
}

class FlowReader {
  readonly #text: string;
  readonly #start: number;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#start = at;
    this.#at = at;
  }

  read(): JsonNode | undefined {
    return this.#collection(0);
  }

  #collection(depth: number): JsonNode | undefined {
    const start = this.#at;
    const isList = this.#text[start] === '[';
    const items: JsonNode[] = [];
    const members: JsonMember[] = [];
    const close = isList ? ']' : '}';
    if (depth > MAX_DEPTH) return undefined;
    this.#at += 1;
    this.#space();
    while (this.#text[this.#at] !== close || items.length + members.length > 0) {
      if (isList) {
        const item = this.#value(depth);
        if (item === undefined) return undefined;
        items.push(item);
      } else {
        const member = this.#member(depth);
        if (member === undefined) return undefined;
        members.push(member);
      }
      this.#space();
      const char = this.#text[this.#at];
      if (char === close) break;
      if (char !== ',' || this.#at - this.#start > MAX_LENGTH) return undefined;
      this.#at += 1;
      this.#space();
    }
    this.#at += 1;
    const end = this.#at;
    return isList ? { type: 'array', items, start, end } : { type: 'object', members, start, end };
  }

  #member(depth: number): JsonMember | undefined {
    const name = this.#scalar();
    if (name === undefined || this.#text[this.#at] !== ':' || this.#text[this.#at + 1] !== ' ') return undefined;
    const keySpan = { start: name.start, end: name.end };
    const key = name.type === 'string' ? name.value : this.#text.slice(name.start, name.end);
    this.#at += 1;
    this.#space();
    const value = this.#value(depth);
    return value && { key, keySpan, value };
  }

  #value(depth: number): JsonNode | undefined {
    const char = this.#text[this.#at];
    return char === '[' || char === '{' ? this.#collection(depth + 1) : this.#scalar();
  }

  #scalar(): JsonNode | undefined {
    const text = this.#text;
    const start = this.#at;
    const node = text[start] === '"' || text[start] === "'" ? readQuotedScalar(text, start) : this.#plain();
    if (node === undefined || node.end - start > MAX_LENGTH || text.slice(start, node.end).includes('\n'))
      return undefined;
    this.#at = node.end;
    return node;
  }

  #plain(): JsonNode | undefined {
    PLAIN.lastIndex = this.#at;
    const [source] = PLAIN.exec(this.#text) ?? [];
    if (source === undefined) return undefined;
    return { ...resolvePlain(source), start: this.#at, end: this.#at + source.length };
  }

  #space(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}
