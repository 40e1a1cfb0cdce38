import { omitUndefined } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { ARRAY, isNull, NodeReader } from '../../../json/nodeReader';
import { member } from '../../../json/readJson';
import type { HttpBody, HttpExchange, HttpHeader, NotKept } from '../../../model/http';
import type { Timing } from '../../../model/interaction';
import type { FormatId, Tape } from '../../../model/tape';
import { listed } from '../../../text/counts';
import { message, t } from '../../../text/l10n';
import type { ParseResult, Problem } from '../../../text/source';
import { BodyBudget } from '../../../wire/body/bodyBudget';
import { headerOf } from '../../../wire/http';
import {
  type InteractionContent,
  type InteractionReading,
  interactionProblems,
  jsonTreeBytes,
  LazyInteraction,
  LazyTape,
  type StoredHttp,
} from '../../lazyTape';
import { droppedBody, notKept, type StatedBody } from '../../notKept';
import { notRead } from '../../notRead';
import { otherProgram } from '../../otherPrograms';
import { readHttpInteraction } from './httpInteraction';
import { noBody, type StoredBody } from './storedBody';
import { unreadMembers } from './unreadMembers';

/** The context of a body: the entry, the node of the body, and the headers that belong to it. */
export interface BodyContext {
  readonly entry: JsonNode;
  readonly node: JsonNode | undefined;
  readonly headers: readonly HttpHeader[];
}

/** Where a format keeps the parts of its exchanges: paths of keys, such as `response.status.code`. */
export interface HttpPlaces {
  /** The list of exchanges in the file; `''` where the file is that list. Absent where the file is one exchange. */
  readonly entries?: string;
  /** The name of the tape. */
  readonly name?: string;
  /** The version of the format. */
  readonly version?: string;
  /** The id of an exchange. The paths from here on begin at an exchange. */
  readonly id?: string;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: string;
  /** The body of the request. */
  readonly request: string;
  readonly status: string;
  readonly responseHeaders: string;
  /** The body of the response. */
  readonly response: string;
}

/** The places in which most recorders store the parts of an exchange. */
export const USUAL_PLACES = {
  method: 'request.method',
  url: 'request.url',
  requestHeaders: 'request.headers',
  request: 'request.body',
  status: 'response.status',
  responseHeaders: 'response.headers',
  response: 'response.body',
} satisfies HttpPlaces;

/** How exchanges are stored in the tree of a file. */
export interface HttpLayout {
  readonly id: FormatId;
  readonly at: HttpPlaces;
  /** Numbers that state the length of a body, in any way of counting: an edit updates them if they were right. */
  readonly lengths?: { readonly request?: readonly string[]; readonly response?: readonly string[] };
  requestBody(place: BodyContext): StoredBody;
  responseBody(place: BodyContext): StoredBody;
  timing?(entry: JsonNode, root: JsonNode): Timing;
  /** Why the response of an entry, which may have a body, is not in the file, where the recorder says so in words of its own. */
  notKept?(entry: JsonNode, hasBody: boolean): NotKept | undefined;
  /** Whether the recorder says of each response without a body that it was empty. */
  readonly isSizeAlwaysTold?: boolean;
  /** How a recording keeps what this one did not, as a sentence. */
  readonly howToKeep?: string;
  /** A short description of an entry whose body is not in the file. */
  summary?(entry: JsonNode): string | undefined;
  /** Reports values that the format's own recorder would have written differently, such as a hash. */
  check?(entry: JsonNode, reader: NodeReader): void;
  /** Whether a member, by its name, is none of the parts above, nor a form of one: what the recorder writes beside them. */
  isBeside?(key: string): boolean;
  /** Whether an entry is something other than an HTTP exchange. */
  readOther?(entry: JsonNode): InteractionContent | undefined;
}

/** An exchange with the nodes that an edit may have to change. */
interface StoredExchange {
  readonly exchange: HttpExchange;
  readonly requestBody: StoredBody;
  readonly responseBody: StoredBody;
}

/** Reads a tape of recorded HTTP by the layout of its format. */
export function readHttpTape(layout: HttpLayout, { value: root, problems: syntax }: ParseResult<JsonNode>): Tape {
  const { id: format, at } = layout;
  if (root === undefined) return { format, interactions: [], problems: syntax };
  const reader = new NodeReader();
  const budget = new BodyBudget(root.end - root.start);
  const interactions = listedEntries(layout, root, reader).map((entry, index) => {
    const stored = () => storedEntry(layout, entry, { root, budget, index });
    return new LazyInteraction(index, entry, () => readEntry(layout, entry, { root, budget, index }), stored);
  });
  const name = stringAt(root, at.name);
  const version = scalarAt(root, at.version);
  // After a syntax error, missing fields are only a consequence of it.
  const ofFile = syntax.length > 0 ? syntax : reader.problems;
  return new LazyTape(
    { format, name, version, interactions, weight: jsonTreeBytes(root) },
    () => (syntax.length > 0 ? syntax : [...ofFile, ...interactionProblems(interactions)]),
    () => ofFile,
  );
}

/** The exchanges of a tape; a missing list is a problem. */
function listedEntries({ at: { entries } }: HttpLayout, root: JsonNode, reader: NodeReader): readonly JsonNode[] {
  if (entries === undefined) return [root];
  const list = nodeAt(root, entries);
  if (list !== undefined)
    return reader.read(list, entries || t('the tape'), ARRAY, t('Use a list of exchanges.')) ?? [];
  reader.report(root, t('missing field `{0}`', entries), t('Use a list of exchanges, or [] for an empty tape.'));
  return [];
}

/** What the entries of a tape share. */
interface TapeContext {
  readonly root: JsonNode;
  readonly budget: BodyBudget;
}

type EntryContext = TapeContext & { readonly index: number };

const RECORD_AGAIN = message('Restore it from version control, or record the tape again.');

/** An entry without the chat in it: an exchange, or what else it is. */
interface StoredEntry extends StoredHttp {
  readonly stored?: StoredExchange;
  readonly other?: InteractionContent;
  /** A part of it is missing, or was not read: whatever else is wrong follows from that. */
  readonly isIncomplete: boolean;
}

function storedEntry(layout: HttpLayout, entry: JsonNode, { budget, index }: EntryContext): StoredEntry {
  const reader = new NodeReader();
  // The placeholder keeps the indexes of the other exchanges.
  if (reader.record(entry, t('an exchange')) === undefined)
    return { http: undefined, other: { kind: 'http' }, problems: reader.problems, isIncomplete: true };
  const other = layout.readOther?.(entry);
  if (other !== undefined) {
    const { http, kind, id } = other;
    return { http, kind, id, other, problems: unreadBeside(layout, entry, other), isIncomplete: true };
  }
  const stored = readStoredExchange(layout, entry);
  const { exchange: http, requestBody, responseBody } = stored;
  budget.cover(http, entry.start);
  const unread = unreadProblems(layout, entry, stored);
  for (const { node = entry, problem } of [requestBody, responseBody])
    if (problem !== undefined)
      reader.report(node, problem, t('Restore the file from version control, or record it again.'));
  for (const path of [layout.at.method, layout.at.url]) expectText(entry, path, reader);
  layout.check?.(entry, reader);
  const lack = http.notKept;
  const lacking =
    lack === undefined ? [] : [notKept(index, lack, responseBody.node ?? entry, t(layout.howToKeep ?? RECORD_AGAIN))];
  // A part that was not read is not missing.
  const missing = unread.length > 0 ? unread : lacking;
  const id = stringAt(entry, layout.at.id);
  return { http, id, stored, problems: [...reader.problems, ...missing], isIncomplete: missing.length > 0 };
}

function readEntry(layout: HttpLayout, entry: JsonNode, context: EntryContext): InteractionReading {
  const { stored, other, id, problems: ofEntry, isIncomplete } = storedEntry(layout, entry, context);
  if (stored === undefined) return { content: other ?? { kind: 'http' }, problems: ofEntry };
  const { exchange, requestBody, responseBody } = stored;
  const timing = layout.timing?.(entry, context.root);
  const bodies = omitUndefined({ request: requestBody.node, response: responseBody.node });
  const { budget } = context;
  const { content, problems, ...size } = readHttpInteraction({ exchange, source: entry, bodies, id, timing, budget });
  const summary = layout.summary?.(entry);
  return {
    ...size,
    content: summary === undefined ? content : { ...content, summary },
    problems: isIncomplete ? ofEntry : [...ofEntry, ...problems],
  };
}

/** The problem of an entry that is something else than an exchange, where nothing was read of it, and it holds content. */
function unreadBeside(layout: HttpLayout, entry: JsonNode, { http }: InteractionContent): Problem[] {
  if (http === undefined || isSent(http.requestBody) || isSent(http.responseBody)) return [];
  return unreadProblems(layout, entry, { exchange: http, requestBody: noBody(), responseBody: noBody() });
}

function isSent(body: HttpBody): boolean {
  return body.type === 'chunks' ? body.chunks.length > 0 : body.type !== 'none';
}

function unreadProblems(layout: HttpLayout, entry: JsonNode, stored: StoredExchange): Problem[] {
  const isElsewhere = stored.exchange.notKept?.why === 'elsewhere';
  const members = unreadMembers(layout, entry, stored).filter(
    ({ name }) => !isElsewhere || name !== layout.at.response,
  );
  const [first] = members;
  if (first === undefined) return [];
  const names = members.map(({ name }) => `\`${name}\``);
  return [notRead(listed(names), first.node, otherProgram(layout.id, entry))];
}

function expectText(entry: JsonNode, path: string, reader: NodeReader): void {
  const node = nodeAt(entry, path);
  if (node === undefined) reader.report(entry, t('missing field `{0}`', path), t('Add it as a string.'));
  else if (node.type !== 'string') reader.report(node, t('`{0}` must be a string', path), t('Correct it.'));
}

/** The exchanges of a tape; none if the list is missing. */
export function entriesOf({ at: { entries } }: HttpLayout, root: JsonNode): readonly JsonNode[] {
  if (entries === undefined) return [root];
  const list = nodeAt(root, entries);
  return list?.type === 'array' ? list.items : [];
}

export function readStoredExchange(layout: HttpLayout, entry: JsonNode): StoredExchange {
  const { at } = layout;
  const requestHeaders = headersAt(entry, at.requestHeaders);
  const responseHeaders = headersAt(entry, at.responseHeaders);
  const requestBody = layout.requestBody({ entry, node: nodeAt(entry, at.request), headers: requestHeaders });
  const responseBody = layout.responseBody({ entry, node: nodeAt(entry, at.response), headers: responseHeaders });
  const status = numberAt(entry, at.status);
  const exchange: HttpExchange = {
    method: (stringAt(entry, at.method) ?? 'GET').toUpperCase(),
    url: stringAt(entry, at.url) ?? '',
    requestHeaders,
    requestBody: requestBody.body,
    status,
    responseHeaders,
    responseBody: responseBody.body,
  };
  const lack = lackIn(layout, entry, exchange);
  return { requestBody, responseBody, exchange: lack === undefined ? exchange : { ...exchange, notKept: lack } };
}

function lackIn(layout: HttpLayout, entry: JsonNode, exchange: HttpExchange): NotKept | undefined {
  const { responseBody } = exchange;
  const hasBody = isSent(responseBody) && !(responseBody.type === 'text' && responseBody.text === '');
  const told = layout.notKept?.(entry, hasBody);
  return told ?? (hasBody ? undefined : droppedBody(exchange, statedBody(layout, entry, exchange)));
}

/** What an entry without the text of a body says of its length. */
function statedBody(
  { lengths, isSizeAlwaysTold }: HttpLayout,
  entry: JsonNode,
  { responseHeaders, responseBody }: HttpExchange,
): StatedBody {
  const stored = (lengths?.response ?? []).map((path) => numberAt(entry, path));
  const header = headerOf(responseHeaders, 'content-length');
  const told = [...stored, header === undefined ? undefined : Number(header)];
  const size = told.find((one) => one !== undefined && one >= 0);
  // A text without characters says that there are none.
  return { size, isAlwaysTold: isSizeAlwaysTold === true && !isSent(responseBody) };
}

/** A header with the node of its value. */
interface StoredHeader {
  readonly name: string;
  readonly value: string;
  readonly node: JsonNode;
}

function headersAt(entry: JsonNode, path: string): HttpHeader[] {
  return storedHeaders(nodeAt(entry, path)).map(({ name, value }) => [name, value]);
}

/** Headers as an object, in which a value may be a list, or as HAR's list of `{name, value}`. */
export function storedHeaders(node: JsonNode | undefined): StoredHeader[] {
  if (node?.type === 'object') return node.members.flatMap(({ key, value }) => headerValues(key, value));
  if (node?.type !== 'array') return [];
  return node.items.flatMap((item) => {
    const name = stringAt(item, 'name');
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

export function stringAt(node: JsonNode | undefined, path: string | undefined): string | undefined {
  const found = path === undefined ? undefined : nodeAt(node, path);
  return found?.type === 'string' ? found.value : undefined;
}

export function numberAt(node: JsonNode | undefined, path: string): number | undefined {
  const found = nodeAt(node, path);
  return found?.type === 'number' ? Number(found.lexeme) : undefined;
}

function scalarAt(node: JsonNode, path: string | undefined): string | undefined {
  const found = path === undefined ? undefined : nodeAt(node, path);
  return found?.type === 'number' ? found.lexeme : found?.type === 'string' ? found.value : undefined;
}
