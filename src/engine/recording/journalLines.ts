import { createHash } from 'node:crypto';
import { innerPath } from '../../contracts/engine/project';
import { compactJson, type Json } from '../../core/json/json';
import { parseExactJson, parseJson } from '../../core/json/readJson';
import type { Chunk, HttpBody, HttpExchange } from '../../core/model/http';
import type { RecordedInteraction, Timing } from '../../core/model/interaction';
import type { McpExchange } from '../../core/model/mcp';
import { accepts, guard } from '../../core/schema/accepts';
import {
  amount,
  constant,
  count,
  either,
  flag,
  list,
  object,
  optional,
  type Schema,
  shape,
  text as string,
  trusted,
  tuple,
  type Value,
} from '../../core/schema/schema';
import { readExchange } from '../../core/wire/read/readExchange';
import { FILE_IDENTITY } from '../files/fileStatus';
import { PROCESS_IDENTITY } from '../files/isAlive';
import type { RecordedContent } from './recordedContent';

/** The first line of a journal: what is needed to make a tape of the others. */
const JOURNAL_HEAD = shape({
  journal: constant(1),
  /** From the root, with `/`. */
  tape: string(),
  format: optional(string()),
  /** The id of the test that is recorded. */
  test: optional(string()),
  append: flag(),
  /** Where the recording continues a tape: that tape. */
  continues: optional(FILE_IDENTITY),
  /** The tape that is continued, where that is another file; from the root, with `/`. */
  base: optional(innerPath),
  /** ISO 8601, UTC. */
  since: string(),
  /** The recording process. */
  by: PROCESS_IDENTITY,
});
export type JournalHead = Value<typeof JOURNAL_HEAD>;

interface JournalEntry {
  /** By arrival, from 0, among all requests. */
  readonly number: number;
  readonly interaction: RecordedInteraction;
}

const HEADERS = list(tuple(string(), string()));

const CHUNK = trusted<Chunk>(
  shape({
    data: string(),
    base64: optional(flag()),
    event: optional(string()),
    delayMs: optional(amount()),
  }),
);

const BODY: Schema<HttpBody> = either(
  shape({ type: constant('none') }),
  shape({ type: constant('text'), text: string() }),
  shape({ type: constant('base64'), base64: string() }),
  shape({ type: constant('chunks'), chunks: list(CHUNK) }),
);

const EXCHANGE = trusted<HttpExchange>(
  shape({
    method: string(),
    url: string(),
    requestHeaders: HEADERS,
    requestBody: BODY,
    status: optional(count()),
    responseHeaders: HEADERS,
    responseBody: BODY,
    ended: optional(string('', { enum: ['closed', 'reset', 'silent'] })),
  }),
);

const MCP = trusted<McpExchange>(
  shape({
    server: string(),
    transport: string('', { enum: ['stdio', 'http', 'sse'] }),
    message: object(),
    steps: list(
      shape({ from: string('', { enum: ['server', 'client'] }), message: object(), afterMs: optional(amount()) }),
    ),
  }),
);

const TIMING = trusted<Timing>(
  shape({ recordedAt: optional(string()), durationMs: optional(amount()), firstTokenMs: optional(amount()) }),
);

const LINE = shape({ number: count(), http: optional(EXCHANGE), mcp: optional(MCP), timing: optional(TIMING) });

export interface JournalReading {
  readonly head: JournalHead;
  /** By arrival. */
  readonly entries: readonly JournalEntry[];
  /** The digests of what was about to be the tape. */
  readonly saving: readonly string[];
  /** It was not saved because its run failed. */
  readonly isOfFailedRun?: true;
}

const SAVING = shape({ saving: string() });
const FAILED = shape({ failed: constant(true) });

/** The line that ends the recording of a run that failed. */
export const FAILED_LINE = `\n${JSON.stringify({ failed: true })}`;

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
  if (!accepts(JOURNAL_HEAD, head)) return undefined;
  const values: readonly unknown[] = lines.map(parseExactJson);
  const latest = new Map(values.filter(guard(LINE)).map((line) => [line.number, line] as const));
  const entries = [...latest.values()]
    .map((line) => ({ number: line.number, interaction: interactionOf(line) }))
    .sort((left, right) => left.number - right.number);
  const saving = values.filter(guard(SAVING)).map((line) => line.saving);
  return { head, entries, saving, ...(values.some(guard(FAILED)) && { isOfFailedRun: true }) };
}

/** What can be read in the exchange is read again, as from a tape. */
function interactionOf({ http, mcp, timing }: Value<typeof LINE>): RecordedInteraction {
  if (http === undefined) return { kind: 'mcp', mcp, timing };
  const { kind, request, response } = readExchange(http);
  return { kind, request, response, http, timing };
}
