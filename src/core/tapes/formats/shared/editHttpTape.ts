import { decodeBase64 } from '../../../bytes/base64';
import { utf8Length } from '../../../bytes/utf8';
import { compactJson, type Json, prettyJson } from '../../../json/json';
import { type JsonNode, toNode } from '../../../json/jsonNode';
import { keysOf, nodeAt } from '../../../json/jsonPath';
import { pythonJson } from '../../../json/pythonJson';
import { member } from '../../../json/readJson';
import type { HttpBody, HttpExchange } from '../../../model/http';
import { t } from '../../../text/l10n';
import type { ParseResult } from '../../../text/source';
import type { Splice } from '../../../text/splice';
import { decodeBody } from '../../../wire/body/body';
import { editResponse } from '../../../wire/edit/editResponse';
import { statusPhrase } from '../../../wire/http';
import type { DependentEdits, EditOutcome, TapeResponseEdit } from '../../format';
import type { TapeFile } from '../../tapeFile';
import { entriesOf, type HttpLayout, readStoredExchange, storedHeaders } from './httpTape';
import type { StoredBody, WriteString } from './storedBody';

/** Edits a tape of recorded HTTP by the layout of its format. Lengths in the file are updated if they were right. */
export function editHttpTape(
  layout: HttpLayout,
  { value: root }: ParseResult<JsonNode>,
  write: WriteString,
  edit: TapeResponseEdit,
): EditOutcome {
  const entry = root && entriesOf(layout, root)[edit.interaction];
  if (root === undefined || entry?.type !== 'object')
    return { refused: t('The tape has no interaction {0} that could be changed.', edit.interaction + 1) };
  if (layout.readOther?.(entry) !== undefined)
    return { refused: t('This exchange was recorded message by message. Change it in the text editor.') };
  if (edit.type === 'status') return editStatus(layout, entry, edit.status, write);
  const { exchange, responseBody } = readStoredExchange(layout, entry);
  const outcome = editResponse(exchange, edit);
  if ('refused' in outcome) return outcome;
  const splices = responseBody.replace(outcome.body, write);
  if (splices === undefined) return { refused: t('The stored form of the response cannot hold the new text.') };
  const follow = responseLengths(layout, entry, lengthChanges(responseBody, outcome.body), write);
  return {
    splices: [...splices, ...follow.flatMap(({ splices: lengths }) => lengths)],
    dependents: [...outcome.dependents, ...follow.map(({ name }) => name)],
  };
}

/** The reason phrase beside the status is updated if it was the standard one. */
function editStatus(layout: HttpLayout, entry: JsonNode, status: number, write: WriteString): EditOutcome {
  const node = nodeAt(entry, layout.at.status);
  if (node?.type !== 'number') return { refused: t('This response has no recorded status to change.') };
  const splices = [{ start: node.start, end: node.end, text: `${status}` }];
  const parent = nodeAt(entry, keysOf(layout.at.status).slice(0, -1));
  const reasons = REASONS.flatMap((name) => {
    const reason = member(parent, name);
    return reason?.type === 'string' ? [{ name, reason }] : [];
  });
  const phrase = statusPhrase(status);
  const before = Number(node.lexeme);
  const follow = reasons.flatMap(({ name, reason }) => {
    const value = [statusPhrase(before), `${before} ${statusPhrase(before)}`].indexOf(reason.value);
    return value === -1 ? [] : [{ name, splices: write(reason, value === 0 ? phrase : `${status} ${phrase}`) }];
  });
  return {
    splices: [...splices, ...follow.flatMap(({ splices: changed }) => changed)],
    dependents: follow.map(({ name }) => name),
  };
}

/** The names of recorders for the reason phrase; Go writes the number before it. */
const REASONS: readonly string[] = ['statusText', 'message', 'status', 'reason', 'status_text', 'statusMessage'];

/** An edit, or a refusal if the file is not UTF-8 and has no bytes for the new text. */
export function refuseUnencodable({ encoding }: TapeFile, outcome: EditOutcome): EditOutcome {
  if (encoding === 'utf-8' || 'refused' in outcome) return outcome;
  const fits = outcome.splices.every(({ text }) => !/[^\0-\xff]/.test(text));
  return fits ? outcome : { refused: t('This file is not UTF-8 and cannot hold the new text.') };
}

/** Updates of the lengths in the file after changes of bodies, if the lengths were right. */
export function followHttpTape(
  layout: HttpLayout,
  { value: before }: ParseResult<JsonNode>,
  { value: after }: ParseResult<JsonNode>,
  write: WriteString,
): DependentEdits {
  const changed = after === undefined ? [] : entriesOf(layout, after);
  const dependents = (before === undefined ? [] : entriesOf(layout, before)).flatMap((entry, index) => {
    const other = changed[index];
    if (entry.type !== 'object' || other?.type !== 'object' || layout.readOther?.(entry)) return [];
    const was = readStoredExchange(layout, entry);
    const is = readStoredExchange(layout, other);
    return [
      ...requestLengths(layout, entry, lengthChanges(was.requestBody, is.requestBody.body), write),
      ...responseLengths(layout, entry, lengthChanges(was.responseBody, is.responseBody.body), write),
    ];
  });
  return {
    splices: dependents.flatMap(({ splices }) => splices),
    dependents: [...new Set(dependents.map(({ name }) => name))],
  };
}

/** The ids that a recorder makes of requests. */
export interface RequestIds {
  /** The place of the id in an exchange. */
  readonly at: string;
  /** Those that the recorder makes of a request, by its options. */
  of(exchange: HttpExchange): readonly string[];
}

/** The edits by which each id follows its request, where it was one of those that the recorder makes of it. */
export function followRequestIds(
  layout: HttpLayout,
  ids: RequestIds,
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  write: WriteString,
): DependentEdits {
  const changed = storedIds(layout, ids, after);
  const splices = storedIds(layout, ids, before).flatMap(({ node, made }, index) => {
    const next = changed[index]?.made[made.indexOf(node.value)];
    return next === undefined || next === node.value ? [] : write(node, next);
  });
  return { splices, dependents: splices.length === 0 ? [] : [ids.at] };
}

/** Whether an id was made of more than is on the tape, such as a secret header. */
export function hasOpaqueIds(layout: HttpLayout, ids: RequestIds, root: JsonNode | undefined): boolean {
  return storedIds(layout, ids, root).some(({ node, made }) => !made.includes(node.value));
}

function storedIds(layout: HttpLayout, { at, of }: RequestIds, root: JsonNode | undefined) {
  const entries = root === undefined ? [] : entriesOf(layout, root);
  return entries.flatMap((entry) => {
    const node = nodeAt(entry, at);
    return node?.type === 'string' ? [{ node, made: of(readStoredExchange(layout, entry).exchange) }] : [];
  });
}

interface DependentValue {
  readonly name: string;
  readonly splices: readonly Splice[];
}

type Lengths = readonly LengthChange[];

function requestLengths(layout: HttpLayout, entry: JsonNode, changes: Lengths, write: WriteString): DependentValue[] {
  const sizes = storedLengths(entry, layout.lengths?.request, changes, write);
  return [...headerLengths(entry, layout.at.requestHeaders, changes, write), ...sizes];
}

function responseLengths(layout: HttpLayout, entry: JsonNode, changes: Lengths, write: WriteString): DependentValue[] {
  const sizes = storedLengths(entry, layout.lengths?.response, changes, write);
  return [...headerLengths(entry, layout.at.responseHeaders, changes, write), ...sizes];
}

function storedLengths(
  entry: JsonNode,
  paths: readonly string[] = [],
  changes: Lengths,
  write: WriteString,
): DependentValue[] {
  return paths.flatMap((path) => dependentValue(path, nodeAt(entry, path), changes, write));
}

function headerLengths(
  entry: JsonNode,
  headers: string,
  changes: readonly LengthChange[],
  write: WriteString,
): DependentValue[] {
  return storedHeaders(nodeAt(entry, headers)).flatMap(({ name, node }) =>
    /^content-length$/i.test(name) ? dependentValue('content-length', node, changes, write) : [],
  );
}

function dependentValue(
  name: string,
  node: JsonNode | undefined,
  changes: readonly LengthChange[],
  write: WriteString,
): DependentValue[] {
  const splices = node === undefined ? [] : lengthSplices(node, changes, write);
  return splices.length === 0 ? [] : [{ name, splices }];
}

/** Undefined if the length was wrong before, or stays the same. */
function lengthSplices(node: JsonNode, changes: readonly LengthChange[], write: WriteString): readonly Splice[] {
  const recorded = node.type === 'number' ? node.lexeme : node.type === 'string' ? node.value : undefined;
  const change = changes.find(({ before }) => recorded === `${before}`);
  if (change === undefined || change.before === change.after) return [];
  if (node.type === 'string') return write(node, `${change.after}`);
  return [{ start: node.start, end: node.end, text: `${change.after}` }];
}

/** The length of a body before and after an edit, counted in one way. */
interface LengthChange {
  readonly before: number;
  readonly after: number;
}

/** The changes of a body's length by an edit, for each way in which recorders count it, the most likely first. */
function lengthChanges(stored: StoredBody, next: HttpBody): LengthChange[] {
  const { body, node } = stored;
  if (body.type === 'json' && next.type === 'json') return jsonLengths(body.json, next.json, node);
  const before = [...lengths(body), node?.type === 'string' ? node.value.length : undefined];
  const after = [...lengths(next), stored.encode?.(next)?.length];
  return before.flatMap((length, index) => {
    const other = after[index];
    return length === undefined || other === undefined ? [] : [{ before: length, after: other }];
  });
}

/** In bytes: as sent over the wire, and decompressed. */
function lengths(body: HttpBody): (number | undefined)[] {
  if (body.type === 'base64') return [decodeBase64(body.base64)?.length, decodeBody(body).bytes.length];
  if (body.type === 'text') return [utf8Length(body.text), decodeBody(body).bytes.length];
  if (body.type === 'chunks') return [body.chunks.reduce((sum, { data }) => sum + utf8Length(data), 0), undefined];
  return [undefined, undefined];
}

/** JSON that is stored parsed was sent either on one line or indented, with the same digits in its numbers. */
function jsonLengths(json: Json, next: Json, node: JsonNode | undefined): LengthChange[] {
  const change = utf8Length(compactJson(next)) - utf8Length(compactJson(json));
  const printed = node === undefined ? [compactJson(json), prettyJson(json)] : [printNode(node), printNode(node, '\n')];
  const plain = printed.map((text) => ({ before: utf8Length(text), after: utf8Length(text) + change }));
  return node === undefined ? plain : [...plain, pythonLength(json, next, node)];
}

/**
 * Python's `json.dumps`, by which Pydantic AI's cassettes state the length: ASCII, with a space after commas and
 * colons.
 */
function pythonLength(json: Json, next: Json, node: JsonNode): LengthChange {
  const before = pythonJson(node).length;
  return { before, after: before + pythonJson(toNode(next)).length - pythonJson(toNode(json)).length };
}

/** The text of a node on one line or, with a line end, indented by two. */
function printNode(node: JsonNode, lineEnd = ''): string {
  if (node.type === 'string') return JSON.stringify(node.value);
  if (node.type === 'number') return node.lexeme;
  if (node.type === 'literal') return String(node.value);
  const inner = lineEnd && `${lineEnd}  `;
  const colon = lineEnd ? ': ' : ':';
  const [open, close] = node.type === 'array' ? '[]' : '{}';
  const items =
    node.type === 'array'
      ? node.items.map((item) => printNode(item, inner))
      : node.members.map(({ key, value }) => `${JSON.stringify(key)}${colon}${printNode(value, inner)}`);
  return items.length === 0 ? `${open}${close}` : `${open}${inner}${items.join(`,${inner}`)}${lineEnd}${close}`;
}
