import { createHash } from 'node:crypto';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../core/json/json';
import { parseExactJson, parseJson } from '../../core/json/readJson';
import type { Chunk, HttpBody, HttpExchange, HttpHeader } from '../../core/model/http';
import type { RecordedInteraction, Timing } from '../../core/model/interaction';
import type { McpExchange, McpStep } from '../../core/model/mcp';
import { readExchange } from '../../core/wire/read/readExchange';
import { isInnerPath } from '../../protocol/engine/engineReviews';
import { isIndex, isListOf, isMaybe, isNumber, isOneOf, isShape, isText } from '../../protocol/rpc/guards';
import type { Guard } from '../../protocol/rpc/rpc';
import type { FileIdentity } from '../files/fileStatus';
import type { ProcessIdentity } from '../files/isAlive';
import type { RecordedContent } from './recordedContent';

/** The first line of a journal: what is needed to make a tape of the others. */
export interface JournalHead {
  readonly journal: 1;
  /** From the root, with `/`. */
  readonly tape: string;
  readonly format?: string;
  readonly append: boolean;
  /** Where the recording continues a tape: that tape. */
  readonly continues?: FileIdentity;
  /** The tape that is continued, where that is another file; from the root, with `/`. */
  readonly base?: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** The recording process. */
  readonly by: ProcessIdentity;
}

export interface JournalEntry {
  /** By arrival, from 0, among all requests. */
  readonly number: number;
  readonly interaction: RecordedInteraction;
}

const isIdentity = isShape<FileIdentity>({ size: isText, modified: isText, changed: isText, inode: isText });

const isJournalHead: Guard<JournalHead> = isShape<JournalHead>({
  journal: (value): value is 1 => value === 1,
  tape: isText,
  format: isMaybe(isText),
  append: (value): value is boolean => typeof value === 'boolean',
  continues: isMaybe(isIdentity),
  base: isMaybe(isInnerPath),
  since: isText,
  by: isShape<ProcessIdentity>({ pid: isIndex, machine: isText, started: isMaybe(isText) }),
});

const isHeader: Guard<HttpHeader> = (value): value is HttpHeader =>
  Array.isArray(value) && value.length === 2 && value.every(isText);

const isChunk = isShape<Chunk>({
  data: isText,
  base64: isMaybe((value): value is true => value === true),
  event: isMaybe(isText),
  delayMs: isMaybe(isNumber),
});

const BODIES: readonly Guard<HttpBody>[] = [
  isShape<HttpBody & { type: 'none' }>({ type: isOneOf('none') }),
  isShape<HttpBody & { type: 'text' }>({ type: isOneOf('text'), text: isText }),
  isShape<HttpBody & { type: 'base64' }>({ type: isOneOf('base64'), base64: isText }),
  isShape<HttpBody & { type: 'chunks' }>({ type: isOneOf('chunks'), chunks: isListOf(isChunk) }),
];
const isBody: Guard<HttpBody> = (value): value is HttpBody => BODIES.some((isOne) => isOne(value));

const isExchange = isShape<HttpExchange>({
  method: isText,
  url: isText,
  requestHeaders: isListOf(isHeader),
  requestBody: isBody,
  status: isMaybe(isNumber),
  responseHeaders: isListOf(isHeader),
  responseBody: isBody,
  ended: isMaybe(isOneOf('closed', 'reset', 'silent')),
});

interface JournalLine {
  readonly number: number;
  readonly http?: HttpExchange;
  readonly mcp?: McpExchange;
  readonly timing?: Timing;
}

const isMessage: Guard<JsonRecord> = isRecord;

const isMcp = isShape<McpExchange>({
  server: isText,
  transport: isOneOf('stdio', 'http', 'sse'),
  message: isMessage,
  steps: isListOf(
    isShape<McpStep>({ from: isOneOf('server', 'client'), message: isMessage, afterMs: isMaybe(isNumber) }),
  ),
});

const isLine = isShape<JournalLine>({
  number: isIndex,
  http: isMaybe(isExchange),
  mcp: isMaybe(isMcp),
  timing: isMaybe(
    isShape<Timing>({ recordedAt: isMaybe(isText), durationMs: isMaybe(isNumber), firstTokenMs: isMaybe(isNumber) }),
  ),
});

export interface JournalReading {
  readonly head: JournalHead;
  /** By arrival. */
  readonly entries: readonly JournalEntry[];
  /** The digests of what was about to be the tape. */
  readonly saving: readonly string[];
}

const isSaving = isShape<{ saving: string }>({ saving: isText });

/** The line of an interaction, with the numbers of messages as they were written. */
export function entryLine({ number, http, mcp, timing }: { readonly number: number } & RecordedInteraction): string {
  const parts = [
    `"number":${number}`,
    ...(http === undefined ? [] : [`"http":${JSON.stringify(http)}`]),
    ...(mcp === undefined ? [] : [`"mcp":${compactJson(mcp as unknown as Json)}`]),
    ...(timing === undefined ? [] : [`"timing":${JSON.stringify(timing)}`]),
  ];
  return `{${parts.join(',')}}`;
}

/** The line that is written right before the tape is. */
export function savingLine({ bytes }: RecordedContent): string {
  return `\n${JSON.stringify({ saving: tapeDigest(bytes) })}`;
}

export function tapeDigest(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads a journal; undefined if the head is not whole. Lines that are not whole were being written, and count for nothing. */
export function readJournal(text: string): JournalReading | undefined {
  const [first = '', ...lines] = text.split('\n');
  const head: unknown = parseJson(first);
  if (!isJournalHead(head)) return undefined;
  const values: readonly unknown[] = lines.map(parseExactJson);
  const latest = new Map(values.filter(isLine).map((line) => [line.number, line] as const));
  const entries = [...latest.values()]
    .map((line) => ({ number: line.number, interaction: interactionOf(line) }))
    .sort((left, right) => left.number - right.number);
  return { head, entries, saving: values.filter(isSaving).map(({ saving }) => saving) };
}

/** What can be read in the exchange is read again, as from a tape. */
function interactionOf({ http, mcp, timing }: JournalLine): RecordedInteraction {
  if (http === undefined) return { kind: 'mcp', ...(mcp && { mcp }), ...(timing && { timing }) };
  const { kind, request, response } = readExchange(http);
  return { kind, ...(request && { request }), ...(response && { response }), http, ...(timing && { timing }) };
}
