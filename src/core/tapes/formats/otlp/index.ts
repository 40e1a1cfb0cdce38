import { asRecord } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import { headLines } from '../../../json/jsonLines';
import { itemsOf, type JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { exactValue, member } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { counted } from '../../../text/counts';
import { t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import { withProblems } from '../../lazyTape';
import { notRead } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { visitDocuments } from '../shared/traces/documents';
import { readCallSpan } from '../shared/traces/reading';
import { recordAt } from '../shared/traces/spanPlaces';
import { type TraceSpan, traceTape } from '../shared/traces/traceTape';
import { kindOf } from './conventions/kinds';
import { joinStream, type StreamPart, streamPart } from './conventions/logfireStreams';
import { otelReader } from './read';
import { type OtelSpan, readSpan } from './span';
import { SpanLogs } from './spanLogs';

/**
 * OpenTelemetry traces as JSON: OTLP of collectors and SDKs, in one document or a line each; spans as the consoles of SDKs, VS Code,
 * Phoenix and Logfire write them. What is a call of a model, and what was said, the attributes of several conventions tell.
 */
export const otlpFormat = {
  id: 'otlp',
  label: 'OpenTelemetry trace',
  family: 'log',
  extensions: ['json', 'jsonl', 'ndjson'],
  syntax: 'json',
  hasSteps: true,
  looksLike,
  read,
} satisfies TapeFormat;

const OTLP = /^\s*\{\s*"resource(?:Spans|Logs|Metrics)"\s*:/;
/** Two ids that every span has, whoever writes it. */
const SPAN_IDS = /"(?:span_?id|context\.span_id)"/i;
const TRACE_IDS = /"(?:trace_?id|context\.trace_id)"/i;
/** What distinguishes spans from log lines that mention them. */
const SPAN_MEMBERS = /"(?:attributes|span_kind|span_name)"/;
const TIMES = /"(?:start_?time|start_timestamp|startTimeUnixNano)"/i;
const TABLE = /^\s*\[\s*\{/;
const TABLE_COLUMN = '"context.span_id"';
const ITEMS = ['[]', 'data[]', 'spans[]', 'rows[]', 'data[].spans[]', '[][]'];
/** Where Tempo and Jaeger put what OTLP has at the top. */
const RESOURCES = [
  'resourceSpans',
  'batches[].scopeSpans',
  'batches[].instrumentationLibrarySpans',
  'trace.resourceSpans',
  'result.resourceSpans',
];

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  if (OTLP.test(text.slice(0, 256))) return true;
  const outline = jsonOutline(text);
  if (outline.isWhole && outline.isOnly) {
    if (RESOURCES.some((path) => outline.has(path))) return true;
    if (TABLE.test(text.slice(0, 64)) && text.slice(0, 64 * 1024).includes(TABLE_COLUMN)) return true;
    return ['', ...ITEMS.map((item) => `${item}.`)].some((at) => isSpanOutline((path) => outline.has(`${at}${path}`)));
  }
  // VS Code writes logs and metrics between its spans.
  const lines = headLines(text, 20, 16 * 1024);
  if (lines[0]?.trim() === '{') return isSpanHead(text.slice(0, 64 * 1024));
  return lines.some((line) => OTLP.test(line) || isSpanHead(line));
}

function isSpanOutline(has: (path: string) => boolean): boolean {
  const hasIds =
    (has('context.span_id') && has('context.trace_id')) ||
    (has('spanId') && has('traceId')) ||
    (has('span_id') && has('trace_id')) ||
    (has('spanID') && has('traceID') && has('operationName')) ||
    (has('traceId') && has('id') && has('timestamp') && has('duration'));
  const hasTime = ['start_time', 'startTime', 'startTimeUnixNano', 'start_timestamp', 'timestamp'].some(has);
  return hasIds && hasTime && ['attributes', 'span_kind', 'tags', 'localEndpoint'].some(has);
}

function isSpanHead(head: string): boolean {
  return (
    /^\s*\{/.test(head) && SPAN_IDS.test(head) && TRACE_IDS.test(head) && SPAN_MEMBERS.test(head) && TIMES.test(head)
  );
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const spans: TraceSpan[] = [];
  const logs = new SpanLogs();
  const streams = new StreamedCalls();
  const problems = visitDocuments(text, ({ root, offset }) => {
    for (const node of spansIn(root)) {
      const span = indexSpan(text, node, offset, logs);
      if (span !== undefined) spans.push(streams.add(span));
    }
    for (const node of recordsIn(root)) logs.add(node, offset);
  });
  const own = spans.filter((span) => !streams.isTold(span));
  const tape = traceTape({ format: 'otlp', name: undefined, spans: own, problems });
  return withProblems(tape, () => unclaimedProblems(logs.unclaimed(text), tape));
}

/** Messages in log records of calls whose spans are elsewhere. Beside calls that were read, they are no error of these. */
function unclaimedProblems(records: readonly Span[], { interactions }: Tape): Problem[] {
  const [first] = records;
  if (first === undefined) return [];
  const what = counted(records.length, 'messages in {0} log record', 'messages in {0} log records');
  const fix = t('Log records are read together with their spans: export both into the same file.');
  return [{ ...notRead(what, first), fix, ...(interactions.length > 0 && { severity: 'warning' }) }];
}

/** The spans of a document: of resources and scopes, in a list, or itself. */
function* spansIn(root: JsonNode): Generator<JsonNode> {
  const scoped = ['scopeSpans', 'instrumentationLibrarySpans'];
  // Jaeger has an object for each trace, and Zipkin a list.
  if (root.type === 'array') for (const one of itemsOf(root)) yield* one.type === 'array' ? objectsOf(one) : oneOf(one);
  else if (inside(root) !== undefined) yield* spansIn(inside(root) ?? root);
  else if (member(root, 'batches') !== undefined)
    for (const resource of listOf(root, 'batches'))
      for (const name of scoped) for (const scope of listOf(resource, name)) yield* listOf(scope, 'spans');
  else if (member(root, 'resourceSpans') !== undefined)
    for (const resource of listOf(root, 'resourceSpans'))
      for (const name of scoped) for (const scope of listOf(resource, name)) yield* listOf(scope, 'spans');
  else {
    const list = ['scopeSpans', 'spans', 'data', 'rows'].find((name) => member(root, name)?.type === 'array');
    if (list === 'scopeSpans') for (const scope of listOf(root, list)) yield* listOf(scope, 'spans');
    else if (list === 'data')
      for (const one of listOf(root, list))
        yield* member(one, 'spans')?.type === 'array' ? listOf(one, 'spans') : oneOf(one);
    else if (list !== undefined) yield* listOf(root, list);
    else if (member(root, 'resourceLogs') === undefined && root.type === 'object') yield root;
  }
}

function oneOf(node: JsonNode): readonly JsonNode[] {
  return node.type === 'object' ? [node] : [];
}

/** The trace that servers put into an object of their own. */
function inside(root: JsonNode): JsonNode | undefined {
  return ['trace', 'result']
    .map((name) => member(root, name))
    .find((one) => one !== undefined && member(one, 'resourceSpans') !== undefined);
}

/** The log records of a document. Some SDKs write messages as events, which are log records. */
function* recordsIn(root: JsonNode): Generator<JsonNode> {
  for (const resource of listOf(root, 'resourceLogs'))
    for (const scope of listOf(resource, 'scopeLogs')) yield* listOf(scope, 'logRecords');
}

function* listOf(node: JsonNode, name: string): Generator<JsonNode> {
  const list = member(node, name);
  if (list?.type === 'array') yield* objectsOf(list);
}

function* objectsOf(list: JsonNode & { readonly type: 'array' }): Generator<JsonNode> {
  for (const item of itemsOf(list)) if (item.type === 'object') yield item;
}

/** Logfire ends the span of a streamed call before the stream, and tells what came in a log beside it. */
class StreamedCalls {
  readonly #open = new Map<string, IndexedSpan[]>();
  readonly #told = new Set<TraceSpan>();

  add(indexed: IndexedSpan): TraceSpan {
    const { span, own, stream } = indexed;
    if (stream === undefined) return span;
    const open = this.#open.get(stream.key) ?? [];
    if (!stream.isEnd) {
      open.push(indexed);
      this.#open.set(stream.key, open);
      return span;
    }
    const begun = open.pop();
    if (begun === undefined) return span;
    this.#told.add(begun.span);
    const whole = (): OtelSpan => joinStream(begun.own(), own());
    return {
      ...span,
      start: begun.span.start,
      name: begun.span.name,
      read: () => readOf(span.kind, whole, span.source),
    };
  }

  /** Whether another span tells of this call as well, and of more. */
  isTold(span: TraceSpan): boolean {
    return this.#told.has(span);
  }
}

interface IndexedSpan {
  readonly span: TraceSpan;
  readonly own: () => OtelSpan;
  readonly stream: StreamPart | undefined;
}

/** What is needed to place a span; the rest is read on demand. Undefined for what is no span. */
function indexSpan(text: TextParts, node: JsonNode, offset: number, logs: SpanLogs): IndexedSpan | undefined {
  const record = asRecord(exactValue(node));
  const { id, parent, name, start, attributes, error } = readSpan(record);
  if (start === undefined && (id === '' || isOtherSignal(record))) return undefined;
  const source = { start: offset + node.start, end: offset + node.end };
  const kind = kindOf(attributes);
  logs.claim(id, source);
  const own = (): OtelSpan => {
    const span = readSpan(recordAt(text, source));
    return { ...span, events: [...span.events, ...logs.about(id, text, source)] };
  };
  return {
    span: { source, id, parent, name, kind, start, read: () => readOf(kind, own, source) },
    own,
    stream: kind === 'llm' && error === undefined ? streamPart(parent, attributes) : undefined,
  };
}

/** VS Code writes log records into the same file, which name the span that they are about. */
function isOtherSignal(record: JsonRecord): boolean {
  return 'hrTime' in record || 'body' in record;
}

function readOf(kind: TraceSpan['kind'], own: () => OtelSpan, place: Span): ReturnType<TraceSpan['read']> {
  return readCallSpan(kind, place, own, otelReader);
}
