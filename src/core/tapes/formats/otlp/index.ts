import { headLines } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import type { Tape } from '../../../model/tape';
import { counted } from '../../../text/counts';
import { t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { TapeFormat } from '../../format';
import { withProblems } from '../../lazyTape';
import { notRead } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { visitDocuments } from '../shared/traces/documents';
import { type TraceSpan, traceTape } from '../shared/traces/traceTape';
import { indexSpan } from './indexedSpan';
import { SpanLogs } from './spanLogs';
import { recordsIn, spansIn } from './spanNodes';
import { StreamedCalls } from './streamedCalls';

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
const ITEMS = ['[]', 'data[]', 'spans[]', 'rows[]'];

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  if (OTLP.test(text.slice(0, 256))) return true;
  const outline = jsonOutline(text);
  if (outline.isWhole && outline.isOnly) {
    if (outline.has('resourceSpans')) return true;
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
    (has('span_id') && has('trace_id'));
  const hasTime = ['start_time', 'startTime', 'startTimeUnixNano', 'start_timestamp'].some(has);
  return hasIds && hasTime && (has('attributes') || has('span_kind'));
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
