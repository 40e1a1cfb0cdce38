import { base64Text } from '../bytes/base64Text';
import { isRecord, type Json } from '../json/json';
import { readLineNodes, startsWithObjectLine } from '../json/jsonLines';
import type { JsonNode } from '../json/jsonNode';
import { jsonOutline } from '../json/jsonOutline';
import { exactValue, parseJson } from '../json/readJson';
import { readTextDocument } from '../syntax/textDocument';
import type { TextParts } from '../text/textParts';
import { toStreamEvents } from '../wire/read/readResponse';
import { PROTOCOLS } from '../wire/registry';
import type { DeclaredLayout } from './layoutSchema';
import type { TapeFile } from './tapeFile';

/** A layout for a file of which nothing is known but its content, and what was not found in it. */
export interface ProposedLayout {
  readonly layout: DeclaredLayout;
  /** The keys of a layout that say more, and were not found. */
  readonly missing: readonly (keyof DeclaredLayout)[];
}

/**
 * Looks for the calls of a file: where the bodies are that look like requests and responses of a known protocol, and what stands beside
 * them. Undefined where there is no request and no response in it.
 */
export function proposeLayout(name: string, files: readonly string[], text: TextParts): ProposedLayout | undefined {
  const isLines = startsWithObjectLine(text) && !jsonOutline(text).isOnly;
  const root = isLines ? readLineNodes(text).value : readTextDocument(text).roots[0];
  if (root === undefined) return undefined;
  const found = listsIn(root)
    .map((list) => ({ list, parts: partsOf(list.items) }))
    .filter(({ parts }) => parts.request !== undefined || parts.response !== undefined || parts.chunks !== undefined)
    .sort((one, other) => weight(other.parts) - weight(one.parts) || one.list.path.length - other.list.path.length)[0];
  if (found === undefined) return undefined;
  const { list, parts } = found;
  const layout = {
    name,
    files,
    ...(isLines && { lines: true }),
    ...(list.path !== '' && { entries: list.path }),
    ...parts,
  };
  const wanted: readonly (keyof DeclaredLayout)[] = ['request', 'url', 'request_headers', 'status', 'response_headers'];
  const hasAnswer = parts.response !== undefined || parts.chunks !== undefined;
  const missing = [...wanted.filter((key) => layout[key] === undefined), ...(hasAnswer ? [] : (['response'] as const))];
  return { layout, missing };
}

/** In UTF-16 units: a larger file is no example of its format. */
const MAX_DESCRIBED = 20_000_000;

/** Whether a layout can be proposed for a file: whether it has a request or response of a model that is known. */
export function canDescribe({ text }: TapeFile, limit = MAX_DESCRIBED): boolean {
  return text.length <= limit && proposeLayout('tape', [], text) !== undefined;
}

type Parts = Omit<DeclaredLayout, 'name' | 'files' | 'lines' | 'entries'>;

function weight({ request, response, chunks, url, tool_name: tool }: Parts): number {
  return [request, request, response ?? chunks, response ?? chunks, url, tool].filter((part) => part !== undefined)
    .length;
}

interface EntryList {
  /** Of the list; `''` for the file itself. */
  readonly path: string;
  readonly items: readonly JsonNode[];
}

/** How deep lists, and the parts of an entry, are looked for. */
const LIST_DEPTH = 4;
const PART_DEPTH = 5;
/** Of a long list, so many entries tell what all are. */
const SAMPLES = 12;

/** Every list of objects, and the file as the only entry. */
function listsIn(root: JsonNode): readonly EntryList[] {
  const lists: EntryList[] = [];
  const visit = (node: JsonNode, path: readonly string[]): void => {
    if (node.type === 'array') {
      if (node.items.some(({ type }) => type === 'object')) lists.push({ path: path.join('.'), items: node.items });
    } else if (node.type === 'object' && path.length < LIST_DEPTH)
      for (const { key, value } of node.members) if (!key.includes('.')) visit(value, [...path, key]);
  };
  visit(root, []);
  return root.type === 'object' ? [...lists, { path: '', items: [root] }] : lists;
}

/** A value in an entry, with its path. */
interface Found {
  readonly path: string;
  readonly key: string;
  readonly node: JsonNode;
}

function partsOf(items: readonly JsonNode[]): Parts {
  const entries = items.filter(({ type }) => type === 'object').slice(0, SAMPLES);
  const inside = entries.map((entry) => valuesIn(entry));
  const first = (is: (value: Found) => boolean): string | undefined =>
    mostCommon(inside.map((values) => values.find(is)?.path));
  const request = first(({ node }) => isRequest(bodyOf(node)));
  const chunks = first(({ node }) => isChunks(node));
  const response = first((value) => value.path !== request && isResponse(value.node));
  const method = first(({ node }) => node.type === 'string' && /^(?:GET|POST|PUT|PATCH|DELETE)$/i.test(node.value));
  const url = first(({ node, key }) => isUrl(node, key));
  const headers = [...new Set(inside.flatMap((values) => values.filter(isHeaders).map(({ path }) => path)))];
  const isOfResponse = (path: string): boolean =>
    /resp|result|answer/i.test(path) || sharesParent(path, response ?? chunks, request);
  const status = first(({ node, key }) => isStatus(node, key));
  const duration = first(
    ({ node, key }) => node.type === 'number' && /(?:duration|latency|elapsed)_?(?:ms|millis)/i.test(key),
  );
  return {
    ...kindsOf(entries, inside, request),
    ...given('method', method),
    ...given('url', url),
    ...given(
      'request_headers',
      headers.find((path) => !isOfResponse(path)),
    ),
    ...given('request', request),
    ...given('status', status),
    ...given('response_headers', headers.find(isOfResponse)),
    ...given('response', response),
    ...given('chunks', chunks),
    ...given('duration', duration),
  };
}

function given<K extends keyof Parts>(key: K, value: Parts[K] | undefined): Partial<Pick<Parts, K>> {
  return value === undefined ? {} : ({ [key]: value } as Pick<Parts, K>);
}

function mostCommon(paths: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const path of paths) if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** The values of an entry, from the outside in, without those inside of a body. */
function valuesIn(entry: JsonNode): readonly Found[] {
  const found: Found[] = [];
  let level: readonly Found[] = [{ path: '', key: '', node: entry }];
  for (let depth = 0; depth < PART_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap(({ path, node }) => {
      const isBody = path !== '' && (isRequest(bodyOf(node)) || isResponse(node));
      if (node.type !== 'object' || isBody) return [];
      return node.members
        .filter(({ key }) => !key.includes('.'))
        .map(({ key, value }) => ({ path: path === '' ? key : `${path}.${key}`, key, node: value }));
    });
    found.push(...level);
  }
  return found;
}

/** What a body says that is stored as JSON, or as text, also in base64. */
function bodyOf(node: JsonNode): Json | undefined {
  if (node.type === 'object') return exactValue(node);
  if (node.type !== 'string') return undefined;
  return parseJson(node.value) ?? parseJson(base64Text(node.value) ?? '');
}

function isRequest(body: Json | undefined): boolean {
  return isRecord(body) && PROTOCOLS.some((protocol) => protocol.isRequest(body));
}

function isResponse(node: JsonNode): boolean {
  const body = bodyOf(node);
  if (body !== undefined && PROTOCOLS.some((protocol) => protocol.isResponse(body))) return true;
  const text = node.type === 'string' ? (base64Text(node.value) ?? node.value) : '';
  return /^(?:event:.*\n)?data: ?[{[]/m.test(text.slice(0, 1000)) || isList(node);
}

/** A stream that an SDK gave, as a list in place of what it returns. */
function isList(node: JsonNode): boolean {
  return node.type === 'array' && isChunks(node);
}

function isChunks(node: JsonNode): boolean {
  if (node.type !== 'array' || node.items.length === 0) return false;
  const pieces = node.items.slice(0, SAMPLES).map(exactValue);
  const texts = pieces.map((piece) => (isRecord(piece) && typeof piece.data === 'string' ? piece.data : piece));
  if (texts.every((text) => typeof text === 'string')) return texts.some((text) => /^(?:event|data):/.test(text));
  const frames = pieces.map((piece) => ({
    data: '',
    json: isRecord(piece) && isRecord(piece.data) ? piece.data : piece,
  }));
  return toStreamEvents(frames).some((event) => PROTOCOLS.some((protocol) => protocol.isEvent(event)));
}

function isUrl(node: JsonNode, key: string): boolean {
  if (node.type !== 'string') return false;
  return /^https?:\/\//.test(node.value) || (/url|uri|path|endpoint/i.test(key) && node.value.startsWith('/'));
}

function isHeaders({ node, key }: Found): boolean {
  if (!/head/i.test(key)) return false;
  return node.type === 'array' || node.type === 'object';
}

function isStatus(node: JsonNode, key: string): boolean {
  if (node.type !== 'number' || !/status|code/i.test(key)) return false;
  const status = Number(node.lexeme);
  return status >= 100 && status < 600;
}

/** Whether a member stands beside the response, and not beside the request. */
function sharesParent(path: string, response: string | undefined, request: string | undefined): boolean {
  const parent = (of: string | undefined): string | undefined => of?.split('.').slice(0, -1).join('.');
  return response !== undefined && parent(path) === parent(response) && parent(response) !== parent(request);
}

/** Where some entries are no calls of a model: the member that tells, and the values of those that are, and of calls of tools. */
function kindsOf(
  entries: readonly JsonNode[],
  inside: readonly (readonly Found[])[],
  request: string | undefined,
): Parts {
  const isModel = inside.map((values) => values.some(({ path }) => path === request));
  const tool = toolOf(inside.filter((_, at) => !isModel[at]));
  if (isModel.every(Boolean) || entries.length < 2) return isModel.every(Boolean) ? {} : tool;
  const names = new Set(inside.flatMap((values) => values.filter(isName).map(({ path }) => path)));
  for (const path of names) {
    const valueIn = (at: number): string | undefined => textAt(inside[at] ?? [], path);
    const at = [...isModel.keys()];
    const models = new Set(at.filter((one) => isModel[one]).map(valueIn));
    const others = new Set(at.filter((one) => !isModel[one]).map(valueIn));
    if (models.has(undefined) || [...others].some((value) => models.has(value))) continue;
    const isTool = (one: number): boolean =>
      !isModel[one] && tool.tool_name !== undefined && textAt(inside[one] ?? [], tool.tool_name) !== undefined;
    const tools = new Set(at.filter(isTool).map(valueIn));
    const texts = (values: ReadonlySet<string | undefined>) => [...values].filter((value) => value !== undefined);
    return { kind: path, models: texts(models), ...(tools.size > 0 && { tools: texts(tools), ...tool }) };
  }
  return tool;
}

function isName({ node, path }: Found): boolean {
  return node.type === 'string' && node.value.length < 40 && !path.includes('.');
}

function textAt(values: readonly Found[], path: string): string | undefined {
  const node = values.find((value) => value.path === path)?.node;
  return node?.type === 'string' ? node.value : undefined;
}

function toolOf(inside: readonly (readonly Found[])[]): Parts {
  for (const values of inside) {
    const name = values.find(
      ({ node, key }) => node.type === 'string' && /^(?:name|tool|tool_?name|function)$/i.test(key),
    );
    const input = values.find(({ key }) => /^(?:args|arguments|input|params|parameters|kwargs)$/i.test(key));
    const output = values.find(({ key }) => /^(?:output|result|response|return(?:ed|_value)?)$/i.test(key));
    if (name !== undefined && input !== undefined && output !== undefined)
      return { tool_name: name.path, tool_input: input.path, tool_output: output.path };
  }
  return {};
}
