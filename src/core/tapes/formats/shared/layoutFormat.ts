import { base64Text } from '../../../bytes/base64Text';
import { asString, omitUndefined } from '../../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { keysOf, nodeAt } from '../../../json/jsonPath';
import { isNull, type NodeReader } from '../../../json/nodeReader';
import { exactValue, member } from '../../../json/readJson';
import type { Chunk, NotKept } from '../../../model/http';
import type { Timing } from '../../../model/interaction';
import { decodeBody } from '../../../wire/body/body';
import { readFrames } from '../../../wire/body/frames';
import { detectProtocol, protocolOfRequest } from '../../../wire/read/detectProtocol';
import { toStreamEvents } from '../../../wire/read/readResponse';
import { textContent, textParts } from '../../../wire/shared/messages';
import type { TapeFormat } from '../../format';
import type { InteractionContent } from '../../lazyTape';
import type { Mark } from '../../marks';
import { notRead } from '../../notRead';
import { httpFormat } from './httpFormat';
import { type BodyContext, numberAt, stringAt } from './httpTape';
import { arrayNode, withMembers } from './shape';
import { base64Body, jsonBody, noBody, type StoredBody, scalarBody } from './storedBody';
import { toolUseContent } from './traces/reading';
import { usualUrlOf } from './usualUrls';

/**
 * How a recorder lays out what it recorded, where nothing of it needs a program: each word is the path of a member, such as `request.body`,
 * and the paths of the calls begin at an entry. A recorder of HTTP has the URL; one of an SDK has the arguments of a method and the object
 * that it returned, which are the bodies with members that are null in addition.
 */
export interface TapeLayout {
  /** The list of entries; absent where the file is that list, or where its lines are. */
  readonly entries?: string;
  /** The name of the tape. */
  readonly name?: string;
  readonly version?: string;
  /** When the whole was recorded. */
  readonly recordedAt?: string;
  /** The member that tells the entries apart, where some are no calls of a model: its values that are calls of a model, and of a tool. */
  readonly kind?: { readonly at: string; readonly model: readonly string[]; readonly tool?: readonly string[] };
  /** A member of entries that are no calls, but say something of the file. */
  readonly about?: string;
  /** Absent: POST. */
  readonly method?: string;
  /** The URL, or its host and path; absent where an SDK was recorded. */
  readonly url?: string;
  readonly host?: string;
  readonly path?: string;
  readonly requestHeaders?: string;
  /** The body of the request, or the arguments: the first of these that is there. */
  readonly request: readonly string[];
  /** A number or a text of one: the first of these that is there. */
  readonly status?: readonly string[];
  readonly responseHeaders?: string;
  /** The body of the response, or what the method returned: the first of these that is there. */
  readonly response: readonly string[];
  /** The pieces of a stream, in place of a body: texts as they came, or the objects of an SDK. */
  readonly chunks?: readonly string[];
  /** What an error says, in place of a response. */
  readonly error?: string;
  /** A call of a tool: its name, what it was called with, and what it returned. */
  readonly tool?: { readonly name: string; readonly input: string; readonly output: string };
  /** How long it took, in milliseconds. */
  readonly duration?: string;
  /** The names of members that hold none of these, nor a form of one. */
  readonly beside?: string;
}

/** A recorder whose files have a layout. */
export interface RecorderDescription extends Pick<TapeFormat, 'id' | 'label' | 'ownEndings' | 'isReadWhole'> {
  /** The extensions of its files, without the dot. */
  readonly files: readonly string[];
  /** What its files have, and no others. */
  readonly marks: Mark;
  /** Each line of its files is an entry, or says something of the file; `maybe`: other files are one document. */
  readonly isLines?: true | 'maybe';
  readonly layout: TapeLayout;
  /** Texts are written into its files, where these hold a body as it is. */
  readonly isEdited?: true;
  /** Makes one entry of each call, where a file has it in other pieces. */
  join?(entries: readonly JsonNode[]): readonly JsonNode[];
}

/** The format of a recorder whose files have a layout. No new ones are written. */
export function layoutFormat({ layout, join, isLines, isEdited, ...names }: RecorderDescription): TapeFormat {
  const { entries = '', beside = '' } = layout;
  const others = beside.split(' ');
  return httpFormat({
    ...names,
    isLines,
    ...(!isLines && { yaml: { step: 2, binaryColumns: 76 } }),
    at: omitUndefined({
      entries: ENTRIES,
      name: layout.name && `${ROOT}.${layout.name}`,
      version: layout.version && `${ROOT}.${layout.version}`,
      method: METHOD,
      url: URL_OF,
      requestHeaders: layout.requestHeaders ?? 'headers',
      request: layout.request[0] ?? '',
      status: STATUS,
      responseHeaders: layout.responseHeaders ?? 'response_headers',
      response: layout.response[0] ?? '',
    }),
    shape: ([root]) => root && shaped(layout, root, join?.(listAt(root, entries)) ?? listAt(root, entries)),
    requestBody: ({ entry }) => storedBody(layout, entry, firstOf(layout.request, entry)),
    responseBody: (place) => responseBody(layout, place),
    readOther: (entry) => (isTool(layout, entry) ? toolContent(layout, entry) : undefined),
    check: (entry, reader) => reportUnknownKind(layout, entry, reader),
    notKept: (entry) => unusable(layout, entry),
    timing: (entry, root) => timing(layout, entry, root),
    isBeside: (key) => key in OWN || others.includes(key),
    ...(isEdited !== true && { isReadOnly: true as const }),
  });
}

/** Members that the tree of a file gets, and no file has. */
const ENTRIES = '\0entries';
const ROOT = '\0root';
const METHOD = '\0method';
const URL_OF = '\0url';
const STATUS = '\0status';
const OWN: JsonRecord = { [METHOD]: true, [URL_OF]: true, [STATUS]: true };

function listAt(root: JsonNode, entries: string): readonly JsonNode[] {
  const list = nodeAt(root, entries);
  if (list === undefined) return root.type === 'array' ? root.items : [root];
  return list.type === 'array' ? list.items : [list];
}

/** The entries that are calls, with what they do not say themselves. */
function shaped(layout: TapeLayout, root: JsonNode, entries: readonly JsonNode[]): JsonNode {
  const { about } = layout;
  const mayCall = (entry: JsonNode): boolean => about === undefined || nodeAt(entry, about) === undefined;
  const calls = entries.filter(
    (entry) => mayCall(entry) && (isModel(layout, entry) || isTool(layout, entry) || isOfUnknownKind(layout, entry)),
  );
  const own = {
    [ENTRIES]: arrayNode(
      calls.map((entry) => completed(layout, entry)),
      root,
    ),
    [ROOT]: root,
  };
  return withMembers({ type: 'object', members: [], start: root.start, end: root.end }, own);
}

/** Without a member that tells, an entry is a call of a tool where it has the name of one. */
function isModel({ kind, tool }: TapeLayout, entry: JsonNode): boolean {
  if (kind === undefined) return tool === undefined || nodeAt(entry, tool.name) === undefined;
  return kind.model.includes(stringAt(entry, kind.at) ?? '');
}

function isTool({ kind, tool }: TapeLayout, entry: JsonNode): boolean {
  if (kind === undefined) return tool !== undefined && nodeAt(entry, tool.name) !== undefined;
  return kind?.tool?.includes(stringAt(entry, kind.at) ?? '') === true;
}

/** Whether an entry asks something, though its kind is none of those that are known: it is read as a call of a model, and told. */
function isOfUnknownKind(layout: TapeLayout, entry: JsonNode): boolean {
  const { kind, tool, request } = layout;
  if (kind === undefined || isModel(layout, entry) || isTool(layout, entry)) return false;
  return [...request, tool?.input].some(
    (path) => path !== undefined && path !== '' && nodeAt(entry, path) !== undefined,
  );
}

function reportUnknownKind(layout: TapeLayout, entry: JsonNode, reader: NodeReader): void {
  const { kind } = layout;
  if (kind === undefined || !isOfUnknownKind(layout, entry)) return;
  const { message, fix = '' } = notRead(`\`${kind.at}\``, entry);
  reader.report(nodeAt(entry, kind.at) ?? entry, message, fix);
}

function completed(layout: TapeLayout, call: JsonNode): JsonNode {
  const entry = withoutAssembled(layout, call);
  if (entry.type !== 'object') return entry;
  const { method, status = [] } = layout;
  const place = { start: entry.start, end: entry.start };
  const said = (value: string): JsonNode => ({ type: 'string', value, ...place });
  const code = status.map((path) => codeOf(nodeAt(entry, path))).find((node) => node?.type === 'number');
  return withMembers(entry, {
    [METHOD]: (method && nodeAt(entry, method)) || said('POST'),
    [URL_OF]: urlOf(layout, entry) ?? said(usualUrl(layout, entry)),
    [STATUS]: code ?? { type: 'number', lexeme: hasFailed(layout, entry) ? '500' : '200', ...place },
  });
}

/** A status, which may be a text. */
export function codeOf(node: JsonNode | undefined): JsonNode | undefined {
  return node?.type === 'string' && /^[1-5]\d\d$/.test(node.value)
    ? { ...node, type: 'number', lexeme: node.value }
    : node;
}

/** A call without the body that was put together from the pieces, which says nothing more. */
function withoutAssembled(layout: TapeLayout, call: JsonNode): JsonNode {
  const [piece] = piecesOf(layout, call) ?? [];
  if (piece === undefined) return call;
  return layout.response.reduce((entry, path) => {
    const body = nodeAt(entry, path);
    const hasPieces = body !== undefined && body.start <= piece.start && piece.end <= body.end;
    return body === undefined || hasPieces ? entry : without(entry, keysOf(path));
  }, call);
}

function without(node: JsonNode, [key = '', ...rest]: readonly string[]): JsonNode {
  const value = member(node, key);
  if (node.type !== 'object' || value === undefined) return node;
  return withMembers(node, { [key]: rest.length === 0 ? undefined : without(value, rest) });
}

function hasFailed({ error }: TapeLayout, entry: JsonNode): boolean {
  const said = error === undefined ? undefined : nodeAt(entry, error);
  return said !== undefined && !isNull(said);
}

function urlOf({ url, host, path }: TapeLayout, entry: JsonNode): JsonNode | undefined {
  if (url !== undefined) return nodeAt(entry, url);
  const [at, below] = [host && stringAt(entry, host), path && stringAt(entry, path)];
  if (!at || below === undefined) return undefined;
  return { type: 'string', value: `https://${at}${below}`, start: entry.start, end: entry.start };
}

/** The URL of a call by what was asked and answered, as SDKs are recorded without it. */
function usualUrl(layout: TapeLayout, entry: JsonNode): string {
  const asked = storedBody(layout, entry, firstOf(layout.request, entry)).body;
  const request = decodeBody(asked).json;
  const answered = responseBody(layout, { entry, node: undefined, headers: [] }).body;
  const decoded = decodeBody(answered);
  const frames = readFrames(answered, decoded)?.frames ?? [];
  const response = frames.length > 0 ? undefined : decoded.json;
  const id =
    detectProtocol({ request, response, events: toStreamEvents(frames) })?.id ?? protocolOfRequest('', request ?? null);
  const model = isRecord(request) ? asString(request.model) : undefined;
  return usualUrlOf(id, model);
}

function firstOf(paths: readonly string[], entry: JsonNode): JsonNode | undefined {
  return paths.map((path) => nodeAt(entry, path)).find((node) => node !== undefined && !isNull(node));
}

function piecesOf({ chunks }: TapeLayout, entry: JsonNode): readonly JsonNode[] | undefined {
  const list = (chunks ?? []).map((path) => nodeAt(entry, path)).find((node) => node?.type === 'array');
  return list?.type === 'array' && list.items.length > 0 ? list.items : undefined;
}

function responseBody(layout: TapeLayout, { entry }: BodyContext): StoredBody {
  const pieces = piecesOf(layout, entry);
  const error = hasFailed(layout, entry) && layout.error ? nodeAt(entry, layout.error) : undefined;
  if (pieces === undefined) return storedBody(layout, entry, firstOf(layout.response, entry) ?? error);
  const [first] = pieces;
  const node = arrayNode(pieces, { start: first?.start ?? entry.start, end: pieces.at(-1)?.end ?? entry.end });
  const texts = pieces.map(pieceText);
  return texts.every((text) => text !== undefined)
    ? { ...noBody(node), body: { type: 'text', text: texts.join('') } }
    : { ...noBody(node), body: { type: 'chunks', chunks: pieces.map(chunkOf) } };
}

/** A piece as it came: a text, or an object that has it. */
function pieceText(node: JsonNode): string | undefined {
  if (node.type === 'string') return node.value;
  const data = stringAt(node, 'data');
  return data !== undefined && /^(?:data|event|id|retry|:)|\n$/.test(data) ? data : undefined;
}

/** A piece as the event that an SDK made an object of, alone or with what the recorder says of it. */
function chunkOf(node: JsonNode): Chunk {
  const value = pieceValue(node);
  if (typeof value === 'string') return { data: value };
  const type = isRecord(value) && value.object === undefined ? value.type : undefined;
  return omitUndefined({ data: compactJson(withoutNulls(value)), event: typeof type === 'string' ? type : undefined });
}

function pieceValue(node: JsonNode): Json {
  const data = member(node, 'data');
  return exactValue(data !== undefined && (data.type === 'object' || data.type === 'string') ? data : node);
}

/** The names under which recorders keep a body that is of one form or another. */
const FORMS = {
  json: (node: JsonNode) => jsonBody(node),
  text: (node: JsonNode) => scalarBody(node),
  b64: (node: JsonNode) => base64Body(node),
  base64: (node: JsonNode) => base64Body(node),
  __reel_raw_base64__: (node: JsonNode) => base64Body(node),
  empty: () => noBody(),
} satisfies Readonly<Record<string, (node: JsonNode) => StoredBody>>;

/** A body as a text, as JSON that was parsed, or below the name of its form. What an SDK was given lacks what is null. */
function storedBody(layout: TapeLayout, entry: JsonNode, node: JsonNode | undefined): StoredBody {
  if (node === undefined || isNull(node)) return noBody(node);
  if (node.type === 'string') return base64Text(node.value) === undefined ? scalarBody(node) : base64Body(node);
  const [only, ...others] = node.type === 'object' ? node.members : [];
  if (only !== undefined && others.length === 0 && Object.hasOwn(FORMS, only.key))
    return FORMS[only.key as keyof typeof FORMS](only.value);
  const stored = jsonBody(node);
  if (urlOf(layout, entry) !== undefined || stored.body.type !== 'json') return stored;
  return { ...stored, body: { type: 'json', json: withoutNulls(stored.body.json) } };
}

/** The name of an object of a program, which its recorder wrote in place of what the object would have given. */
const OBJECT_NAME = /^<[\w.]+ object at 0x[\da-f]+>$/;

function unusable(layout: TapeLayout, entry: JsonNode): NotKept | undefined {
  const answered = firstOf(layout.response, entry);
  return answered?.type === 'string' && OBJECT_NAME.test(answered.value) ? { why: 'dropped' } : undefined;
}

/** The same without members that are null: an SDK's objects have all members that there are. */
function withoutNulls(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (!isRecord(json)) return json;
  const members = Object.entries(json).filter(([, value]) => value !== null);
  return Object.fromEntries(members.map(([key, value]) => [key, withoutNulls(value)]));
}

function toolContent({ tool, error, duration }: TapeLayout, entry: JsonNode): InteractionContent {
  if (tool === undefined) return { kind: 'tool' };
  const at = (path: string | undefined) => (path === undefined ? undefined : nodeAt(entry, path));
  const [input, output, failure] = [at(tool.input), at(tool.output), at(error)];
  const durationMs = duration === undefined ? undefined : numberAt(entry, duration);
  const hasFailure = failure !== undefined && !isNull(failure);
  return toolUseContent({
    id: undefined,
    name: stringAt(entry, tool.name) ?? '',
    input: input && exactValue(input),
    result: { ...textContent(textParts(said(output) ?? failureIn(failure) ?? '')), toolCalls: [] },
    error: hasFailure ? (failureIn(failure) ?? '') : undefined,
    timing: durationMs === undefined ? undefined : { durationMs },
  });
}

function said(node: JsonNode | undefined): string | undefined {
  if (node === undefined || isNull(node)) return undefined;
  return node.type === 'string' ? node.value : compactJson(exactValue(node));
}

/** What an error says, as a text or as an object with its message. */
function failureIn(node: JsonNode | undefined): string | undefined {
  return stringAt(node, 'message') ?? said(node);
}

function timing({ duration, recordedAt }: TapeLayout, entry: JsonNode, root: JsonNode): Timing {
  return omitUndefined({
    durationMs: duration === undefined ? undefined : numberAt(entry, duration),
    recordedAt:
      stringAt(entry, 'timestamp') ??
      stringAt(entry, 'recorded_at') ??
      (recordedAt && stringAt(root, `${ROOT}.${recordedAt}`)),
  });
}

/** An entry with the members that only the one which follows it has. */
export function joined(entry: JsonNode, next: JsonNode): JsonNode {
  if (entry.type !== 'object' || next.type !== 'object') return entry;
  const added = next.members.filter(({ key }) => member(entry, key) === undefined);
  return { ...entry, members: [...entry.members, ...added], end: next.end };
}
