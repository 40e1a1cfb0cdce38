import type { JsonMember, JsonNode } from '../../../json/jsonNode';
import { keysOf, nodeAt } from '../../../json/jsonPath';
import { isNull } from '../../../json/nodeReader';
import type { HttpExchange } from '../../../model/http';
import type { StoredBody } from './storedBody';

/** A member of an exchange that holds content and was not read. */
interface UnreadMember {
  /** Its path in the exchange, such as `response.payload`. */
  readonly name: string;
  readonly node: JsonNode;
}

/** Where a format keeps the parts of an exchange, each by the keys that lead to it. */
interface Layout {
  readonly at: Readonly<Record<'method' | 'url' | 'requestHeaders' | 'status' | 'responseHeaders', string>>;
  isBeside?(key: string): boolean;
}

/** What was read of an exchange. */
interface ReadExchange {
  readonly exchange: HttpExchange;
  readonly requestBody: StoredBody;
  readonly responseBody: StoredBody;
}

/**
 * The members that hold content, on a side of an exchange of which a part was not found: its body, its headers or the status may
 * stand there under another name, or in a shape that the format does not have.
 */
export function unreadMembers(layout: Layout, entry: JsonNode, read: ReadExchange): readonly UnreadMember[] {
  return new UnreadSearch(layout, entry, read).members();
}

class UnreadSearch {
  readonly #layout: Layout;
  readonly #entry: JsonNode;
  readonly #hasStatus: boolean;
  /** The nodes that were read, by what they are of. A part that was not found is undefined. */
  readonly #request: readonly (JsonNode | undefined)[];
  readonly #response: readonly (JsonNode | undefined)[];
  /** Those that stand for the whole object that they are in, as the code of a status does. */
  readonly #whole: readonly (JsonNode | undefined)[];
  readonly #read: readonly JsonNode[];

  constructor(layout: Layout, entry: JsonNode, { exchange, requestBody, responseBody }: ReadExchange) {
    const { status, requestHeaders, responseHeaders } = exchange;
    const { at } = layout;
    const nodeIf = (isFound: boolean, path: string) => (isFound ? nodeAt(entry, path) : undefined);
    const [asked, answered] = [nodeOfBody(requestBody), nodeOfBody(responseBody)];
    this.#layout = layout;
    this.#entry = entry;
    this.#hasStatus = status !== undefined;
    this.#request = [nodeIf(requestHeaders.length > 0, at.requestHeaders), asked];
    const code = nodeIf(this.#hasStatus, at.status);
    this.#response = [code, nodeIf(responseHeaders.length > 0, at.responseHeaders), answered];
    this.#whole = [asked, code, answered];
    const address = [nodeAt(entry, at.method), nodeAt(entry, at.url)];
    this.#read = [...address, ...this.#request, ...this.#response].filter((node) => node !== undefined);
  }

  members(): readonly UnreadMember[] {
    const { requestHeaders, responseHeaders } = this.#layout.at;
    const unread = [
      ...(this.#request.includes(undefined) ? this.#unreadOn(keysOf(requestHeaders).slice(0, -1)) : []),
      ...(this.#response.includes(undefined) ? this.#unreadOn(keysOf(responseHeaders).slice(0, -1)) : []),
    ];
    // Both sides are one object where an exchange is flat.
    return unread.filter(({ name }, at) => unread.findIndex((one) => one.name === name) === at);
  }

  /** What was not read on a side; where the side itself is missing, beside its place. */
  #unreadOn(side: readonly string[]): readonly UnreadMember[] {
    const node = nodeAt(this.#entry, side);
    if (node === undefined) return this.#unreadIn(this.#entry, []);
    if (this.#read.some(({ start, end }) => start === node.start && end === node.end)) return [];
    if (node.type === 'object') return this.#unreadIn(node, side);
    return holdsContent(node) ? [{ name: side.join('.'), node }] : [];
  }

  #unreadIn(node: JsonNode, path: readonly string[]): readonly UnreadMember[] {
    return node.type === 'object'
      ? node.members.flatMap((member) => this.#unreadAt(member, [...path, member.key]))
      : [];
  }

  #unreadAt({ key, value }: JsonMember, path: readonly string[]): readonly UnreadMember[] {
    if (BESIDE.has(key) || this.#layout.isBeside?.(key)) return [];
    const inside = this.#read.filter((node) => value.start <= node.start && node.end <= value.end);
    const isSame = (node: JsonNode): boolean => node.start === value.start && node.end === value.end;
    if (inside.some((node) => isSame(node) || this.#whole.includes(node))) return [];
    if (inside.length > 0) return this.#unreadIn(value, path);
    const isStatus = !this.#hasStatus && value.type === 'number' && /status|code/i.test(key);
    return holdsContent(value) || isStatus ? [{ name: path.join('.'), node: value }] : [];
  }
}

/** The node of a body; undefined if none was read. */
function nodeOfBody({ body, node, problem }: StoredBody): JsonNode | undefined {
  return body.type === 'none' && problem === undefined ? undefined : node;
}

/** Whether a value is a text that is not blank, or a list or an object with a value. */
function holdsContent(node: JsonNode, isInside = false): boolean {
  switch (node.type) {
    case 'string':
      return node.value.trim() !== '';
    case 'array':
      return node.items.some((item) => holdsContent(item, true));
    case 'object':
      return node.members.some(({ key, value }) => !BESIDE.has(key) && holdsContent(value, true));
    default:
      return isInside && !isNull(node);
  }
}

/** What recorders write about the parts of an exchange, and what is no part of it. */
const BESIDE: ReadonlySet<string> = new Set([
  // Where a request went, and over what.
  ...['method', 'uri', 'url', 'path', 'host', 'port', 'protocol', 'scheme', 'query', 'queryString', 'query_param'],
  ...['form', 'request_uri', 'remote_addr', 'redirectURL', 'httpVersion', 'http_version', 'version', 'tls'],
  ...['proto', 'proto_major', 'proto_minor', 'transfer_encoding', 'trailer', 'adapter_metadata', 'scope'],
  // What is said of a status, of headers, and of a body.
  ...['reason', 'statusText', 'status_text', 'cookies', 'encoding', 'bodyEncoding', 'body_encoding', 'mimeType'],
  ...['type', 'size', 'compression', 'content_length'],
  // When, for how long, and for whom.
  ...['recorded_at', 'timestamp', 'startedDateTime', 'time', 'timings', 'duration', 'id', 'hash', 'comment'],
]);
