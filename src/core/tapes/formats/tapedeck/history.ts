import { formatNode } from '../../../json/formatJson';
import type { JsonMember, JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import { t } from '../../../text/l10n';

/**
 * Requests repeat earlier messages. Here each message is stored once: in a list, `{"$from": 3, "at": 0, "count": 7}`
 * stands for items of the same list of request 3; in place of a member, `{"$same": 3}` stands for all of it. A value
 * that looks like a reference and is none is stored in `{"$value": …}`.
 */

/** A list or value that is shorter than this is repeated, because a reference would be as long. */
const MIN_REFERENCED_LENGTH = 60;

/** The last position of an item of a list. */
interface ItemPosition {
  readonly request: number;
  readonly at: number;
}

/** The content of earlier requests while a file is written. */
export class HistoryWriter {
  readonly #items = new Map<string, Map<string, ItemPosition>>();
  readonly #lists = new Map<string, readonly string[]>();
  readonly #values = new Map<string, number>();

  /** An object, with references to the content of earlier requests. */
  object(text: string, object: JsonObjectNode, request: number): string {
    return objectOf(text, object, ({ key, value }) => this.#member(text, key, value, request));
  }

  #member(text: string, key: string, value: JsonNode, request: number): string {
    if (value.type === 'array' && isConversation(value.items)) {
      const items = value.items.map((item) => formatNode(text, item));
      return this.#list(key, items, request);
    }
    return this.value(key, formatNode(text, value), request);
  }

  /** A value under a key that an earlier request may have. */
  value(key: string, raw: string, request: number): string {
    if (raw.length < MIN_REFERENCED_LENGTH) return escaped(raw);
    const name = `${key}\n${raw}`;
    const seen = this.#values.get(name);
    if (seen !== undefined) return `{"$same":${seen}}`;
    this.#values.set(name, request);
    return escaped(raw);
  }

  #list(key: string, items: readonly string[], request: number): string {
    const parts: string[] = [];
    const seenItems = this.#items.get(key) ?? new Map<string, ItemPosition>();
    this.#items.set(key, seenItems);
    for (let at = 0; at < items.length; ) {
      const seen = seenItems.get(items[at] ?? '');
      const count = seen === undefined ? 0 : this.#runLength(key, items, at, seen);
      const length = items.slice(at, at + count).reduce((sum, item) => sum + item.length, 0);
      if (seen !== undefined && length >= MIN_REFERENCED_LENGTH) {
        parts.push(`{"$from":${seen.request},"at":${seen.at},"count":${count}}`);
        at += count;
      } else {
        parts.push(escaped(items[at] ?? ''));
        at += 1;
      }
    }
    for (const [at, item] of items.entries()) seenItems.set(item, { request, at });
    this.#lists.set(`${request} ${key}`, items);
    return `[${parts.join(',')}]`;
  }

  #runLength(key: string, items: readonly string[], from: number, seen: ItemPosition): number {
    const list = this.#lists.get(`${seen.request} ${key}`) ?? [];
    let count = 0;
    while (from + count < items.length && list[seen.at + count] === items[from + count]) count += 1;
    return count;
  }
}

/** Lists of numbers, such as tokens, count as one value. */
function isConversation([first]: readonly JsonNode[]): boolean {
  return first?.type === 'object' || first?.type === 'string';
}

function escaped(raw: string): string {
  return /^\{"\$(?:from|same|value)"/.test(raw) ? `{"$value":${raw}}` : raw;
}

/** JSON that is built on demand. */
export type RawJson = () => string;

/** What a request may be referred to by: a member of its body, or what stands beside that. */
type Registering = () => void;

/** The content of earlier requests while a file is read. What no later request refers to is not looked at. */
export class HistoryReader {
  readonly #lists = new Map<string, readonly RawJson[]>();
  readonly #values = new Map<string, RawJson>();
  /** Of requests without references, which none has referred to yet. */
  readonly #later = new Map<number, Registering[]>();

  /**
   * The original object in a line; throws a `RangeError` for a reference without a target. `read`: finds it in the line, when it is
   * asked for.
   */
  object(line: string, read: () => JsonObjectNode, request: number): RawJson {
    if (mayRefer(line)) return this.#object(line, read(), request);
    this.#register(request, () => this.#object(line, read(), request));
    return () => formatNode(line, read());
  }

  /** The original value of what stands beside the body; throws like `object`. */
  value(line: string, key: string, read: () => JsonNode, request: number): RawJson {
    if (mayRefer(line)) return this.#value(line, key, read(), request);
    this.#register(request, () => this.#value(line, key, read(), request));
    return () => formatNode(line, read());
  }

  #register(request: number, registering: Registering): void {
    const known = this.#later.get(request);
    if (known === undefined) this.#later.set(request, [registering]);
    else known.push(registering);
  }

  /** Looks at a request that is referred to. */
  #require(request: number): void {
    const later = this.#later.get(request) ?? [];
    this.#later.delete(request);
    for (const registering of later) registering();
  }

  #object(text: string, node: JsonObjectNode, request: number): RawJson {
    const members = new Map(node.members.map((one) => [one, this.#member(text, one.key, one.value, request)]));
    return () => objectOf(text, node, (one) => members.get(one)?.() ?? 'null');
  }

  #member(text: string, key: string, value: JsonNode, request: number): RawJson {
    if (value.type !== 'array') return this.#value(text, key, value, request);
    const items = value.items.flatMap((item) => this.#items(text, key, item));
    this.#lists.set(`${request} ${key}`, items);
    return listOf(items);
  }

  #value(text: string, key: string, node: JsonNode, request: number): RawJson {
    const same = reference(text, node, '$same');
    const raw = same === undefined ? () => unescaped(text, node) : this.#resolve(key, same);
    this.#values.set(`${request} ${key}`, raw);
    return raw;
  }

  #resolve(key: string, request: number): RawJson {
    this.#require(request);
    const list = this.#lists.get(`${request} ${key}`);
    const raw = this.#values.get(`${request} ${key}`) ?? (list && listOf(list));
    if (raw === undefined) throw new RangeError(t('request {0} has no `{1}` before this', request, key));
    return raw;
  }

  #items(text: string, key: string, item: JsonNode): readonly RawJson[] {
    const from = reference(text, item, '$from');
    if (from === undefined) return [() => unescaped(text, item)];
    this.#require(from);
    const at = count(member(item, 'at')) ?? 0;
    const length = count(member(item, 'count')) ?? 0;
    const items = this.#lists.get(`${from} ${key}`)?.slice(at, at + length) ?? [];
    if (items.length < length)
      throw new RangeError(t('request {0} has no `{1}` {2} to {3} before this', from, key, at, at + length));
    return items;
  }
}

/** Whether a line has a reference, or a value that looks like one. */
function mayRefer(line: string): boolean {
  return line.includes('$');
}

/** An object with its names as they are written. */
function objectOf(text: string, { members }: JsonObjectNode, jsonOf: (member: JsonMember) => string): string {
  const written = members.map((one) => `${text.slice(one.keySpan.start, one.keySpan.end)}:${jsonOf(one)}`);
  return `{${written.join(',')}}`;
}

function listOf(items: readonly RawJson[]): RawJson {
  return () => `[${items.map((raw) => raw()).join(',')}]`;
}

/** Only an object that begins with this name is a reference. */
function startsWith(text: string, { start }: JsonNode, name: string): boolean {
  return /^\{\s*"(\$\w+)"/.exec(text.slice(start, start + 16))?.[1] === name;
}

function reference(text: string, node: JsonNode, name: string): number | undefined {
  return startsWith(text, node, name) ? count(member(node, name)) : undefined;
}

function unescaped(text: string, node: JsonNode): string {
  return formatNode(text, (startsWith(text, node, '$value') ? member(node, '$value') : undefined) ?? node);
}

function count(node: JsonNode | undefined): number | undefined {
  return node?.type === 'number' && /^\d{1,9}$/.test(node.lexeme) ? Number(node.lexeme) : undefined;
}
