import { type JsonNode, member, readJson } from '../../json/jsonDocument';
import { nodeAt } from '../../json/jsonPath';
import type { Problem, Reading } from '../../text/source';
import { readHttpInteraction } from '../httpInteraction';
import { isNull, LIST, NodeReader } from '../nodeReader';
import type { FormatId, HttpExchange, HttpHeader, Interaction, Tape, Timing } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { StoredBody } from './storedBody';

/** The keys from a node to one of its descendants. */
export type Path = readonly string[];

/** What bodies are told apart by: the entry, where the body is, and the headers that go with it. */
export interface BodyPlace {
  readonly entry: JsonNode;
  readonly node: JsonNode | undefined;
  readonly headers: readonly HttpHeader[];
}

/** Where a format that stores HTTP exchanges as JSON keeps what. */
export interface HttpLayout {
  readonly format: FormatId;
  /** From the root to the list of exchanges; none where the root itself is one exchange. */
  readonly entries?: Path;
  readonly name?: Path;
  readonly version?: Path;
  readonly method: Path;
  readonly url: Path;
  readonly requestHeaders: Path;
  readonly requestBody: Path;
  readonly status: Path;
  readonly responseHeaders: Path;
  readonly responseBody: Path;
  readonly id?: Path;
  /** Numbers that say how long the answer is, in whatever way: they follow an edit if they were right. */
  readonly sizes?: readonly Path[];
  readRequestBody(place: BodyPlace): StoredBody;
  readResponseBody(place: BodyPlace): StoredBody;
  timing?(entry: JsonNode, root: JsonNode): Timing;
  /** A few words about an entry whose body is not in the file. */
  summary?(entry: JsonNode): string | undefined;
  /** An entry that is no HTTP exchange. */
  readOther?(entry: JsonNode, index: number): Interaction | undefined;
}

/** An exchange with the places of what an edit may have to touch. */
export interface StoredExchange {
  readonly exchange: HttpExchange;
  readonly requestBody: StoredBody;
  readonly responseBody: StoredBody;
}

/** Reads a tape of recorded HTTP by the layout of its format. */
export function readHttpTape(layout: HttpLayout, { value: root, problems: syntax }: Reading<JsonNode>): Tape {
  const { format } = layout;
  if (root === undefined) return { format, interactions: [], problems: syntax };
  const reader = new HttpTapeReader(layout, root);
  const interactions = reader.interactions();
  return {
    format,
    ...labelled('name', textAt(root, layout.name)),
    ...labelled('version', scalarAt(root, layout.version)),
    interactions,
    // After a syntax error everything that is missing is missing because of it: say the one thing.
    problems: syntax.length > 0 ? syntax : reader.problems,
  };
}

export function readJsonHttpTape(layout: HttpLayout, { text }: TapeFile): Tape {
  return readHttpTape(layout, readJson(text));
}

function labelled<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}

class HttpTapeReader extends NodeReader {
  readonly #layout: HttpLayout;
  readonly #root: JsonNode;
  readonly #wire: Problem[] = [];

  constructor(layout: HttpLayout, root: JsonNode) {
    super();
    this.#layout = layout;
    this.#root = root;
  }

  interactions(): Interaction[] {
    const interactions = this.#entries().map((entry, index) => this.#interaction(entry, index));
    this.problems.push(...this.#wire);
    return interactions;
  }

  #entries(): readonly JsonNode[] {
    const { entries } = this.#layout;
    if (entries === undefined) return [this.#root];
    const list = nodeAt(this.#root, entries);
    if (list !== undefined)
      return this.read(list, entries.join('.') || 'the tape', LIST, 'Use a list of exchanges.') ?? [];
    this.report(
      this.#root,
      `missing field \`${entries.join('.')}\``,
      'Use a list of exchanges; [] where there are none.',
    );
    return [];
  }

  #interaction(entry: JsonNode, index: number): Interaction {
    const source = { start: entry.start, end: entry.end };
    // A placeholder keeps the indexes of the others.
    if (this.record(entry, 'an exchange') === undefined) return { index, kind: 'http', source };
    const other = this.#layout.readOther?.(entry, index);
    if (other !== undefined) return other;
    const { exchange, requestBody, responseBody } = readStoredExchange(this.#layout, entry);
    this.#check(entry, requestBody);
    this.#check(entry, responseBody);
    this.#expectText(entry, this.#layout.method);
    this.#expectText(entry, this.#layout.url);
    const id = textAt(entry, this.#layout.id);
    const timing = this.#layout.timing?.(entry, this.#root);
    const { interaction, problems } = readHttpInteraction({
      index,
      exchange,
      source,
      ...(id === undefined ? {} : { id }),
      ...(timing === undefined ? {} : { timing }),
    });
    this.#wire.push(...problems);
    const summary = this.#layout.summary?.(entry);
    return summary === undefined ? interaction : { ...interaction, summary };
  }

  #check(entry: JsonNode, { node = entry, problem }: StoredBody): void {
    if (problem !== undefined) this.report(node, problem, 'Restore the file from version control, or record it again.');
  }

  #expectText(entry: JsonNode, path: Path): void {
    const name = path.join('.');
    const node = nodeAt(entry, path);
    if (node === undefined) this.report(entry, `missing field \`${name}\``, 'Use a string.');
    else if (node.type !== 'string') this.report(node, `\`${name}\` must be a string`, 'Correct it.');
  }
}

/** The exchanges of a tape; none where the list is missing. */
export function entriesOf({ entries }: HttpLayout, root: JsonNode): readonly JsonNode[] {
  if (entries === undefined) return [root];
  const list = nodeAt(root, entries);
  return list?.type === 'array' ? list.items : [];
}

export function readStoredExchange(layout: HttpLayout, entry: JsonNode): StoredExchange {
  const requestHeaders = headersAt(entry, layout.requestHeaders);
  const responseHeaders = headersAt(entry, layout.responseHeaders);
  const requestNode = nodeAt(entry, layout.requestBody);
  const responseNode = nodeAt(entry, layout.responseBody);
  const requestBody = layout.readRequestBody({ entry, node: requestNode, headers: requestHeaders });
  const responseBody = layout.readResponseBody({ entry, node: responseNode, headers: responseHeaders });
  const status = numberAt(entry, layout.status);
  return {
    requestBody,
    responseBody,
    exchange: {
      method: (textAt(entry, layout.method) ?? 'GET').toUpperCase(),
      url: textAt(entry, layout.url) ?? '',
      requestHeaders,
      requestBody: requestBody.body,
      ...(status === undefined ? {} : { status }),
      responseHeaders,
      responseBody: responseBody.body,
    },
  };
}

/** A header with the place of its value. */
export interface StoredHeader {
  readonly name: string;
  readonly value: string;
  readonly node: JsonNode;
}

function headersAt(entry: JsonNode, path: Path): HttpHeader[] {
  return storedHeaders(nodeAt(entry, path)).map(({ name, value }) => [name, value]);
}

/** Headers as an object, of which a value may be a list, or as the list of `{name, value}` that HAR has. */
export function storedHeaders(node: JsonNode | undefined): StoredHeader[] {
  if (node?.type === 'object') return node.members.flatMap(({ key, value }) => headerValues(key, value));
  if (node?.type !== 'array') return [];
  return node.items.flatMap((item) => {
    const name = textAt(item, ['name']);
    const value = member(item, 'value');
    return name === undefined || value === undefined ? [] : headerValues(name, value);
  });
}

function headerValues(name: string, node: JsonNode): StoredHeader[] {
  if (node.type === 'array') return node.items.flatMap((item) => headerValues(name, item));
  if (node.type === 'string') return [{ name, value: node.value, node }];
  if (node.type === 'number') return [{ name, value: node.lexeme, node }];
  return node.type === 'literal' && !isNull(node) ? [{ name, value: String(node.value), node }] : [];
}

export function textAt(node: JsonNode | undefined, path: Path | undefined): string | undefined {
  const found = path && nodeAt(node, path);
  return found?.type === 'string' ? found.value : undefined;
}

export function numberAt(node: JsonNode | undefined, path: Path): number | undefined {
  const found = nodeAt(node, path);
  return found?.type === 'number' ? Number(found.lexeme) : undefined;
}

function scalarAt(node: JsonNode, path: Path | undefined): string | undefined {
  const found = path && nodeAt(node, path);
  return found?.type === 'number' ? found.lexeme : found?.type === 'string' ? found.value : undefined;
}
