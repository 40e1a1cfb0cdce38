import { asCount, asRecord, asRecords, asString } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import { timeOfNumber, timeOfText } from '../shared/traces/reading';
import { plainValue, SpanAttributes } from './attributes';

/** A span of OpenTelemetry, from whichever of the shapes that SDKs, collectors, and Phoenix write. */
export interface OtelSpan {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly attributes: SpanAttributes;
  readonly events: readonly OtelEvent[];
  readonly error: string | undefined;
  /** How many attributes the SDK left out, because of its limits. */
  readonly dropped: number;
}

/** An event of a span, or a log record about it. */
export interface OtelEvent {
  readonly name: string;
  readonly time: number | undefined;
  readonly attributes: SpanAttributes;
  readonly body: Json | undefined;
}

export function readSpan(span: JsonRecord): OtelSpan {
  const context = asRecord(span.context ?? span.spanContext ?? span.span_context ?? span._spanContext);
  const attributes = new SpanAttributes(
    withKind(span.span_kind, span.attributes ?? span.tags ?? columnsBelow(span, 'attributes.')),
  );
  const events = asRecords(span.events ?? span.logs).map(readEvent);
  const start = span.startTimeUnixNano ?? span.start_time ?? span.startTime ?? span.start_timestamp ?? span.timestamp;
  return {
    id: idOf(
      span.spanId ??
        span.span_id ??
        span.spanID ??
        context.span_id ??
        context.spanId ??
        span['context.span_id'] ??
        span.id,
    ),
    parent: idOf(parentOf(span)) || undefined,
    name:
      [attributes.get('logfire.msg'), span.name, span.span_name, span.operationName].flatMap(
        (one) => asString(one) ?? [],
      )[0] ?? '',
    start: timeOf(start),
    end:
      timeOf(span.endTimeUnixNano ?? span.end_time ?? span.endTime ?? span.end_timestamp) ??
      endOf(start, span.duration),
    attributes,
    events,
    error: errorOf(span, attributes, events),
    dropped: asCount(span.droppedAttributesCount ?? span.dropped_attributes_count) ?? 0,
  };
}

/** OpenInference's kinds of spans. Other programs have OpenTelemetry's, such as `CLIENT`, under the same name. */
const SPAN_KIND = /^(?:LLM|EMBEDDING|TOOL|CHAIN|AGENT|RETRIEVER|RERANKER|GUARDRAIL|EVALUATOR|PROMPT)$/;

/** The server of Phoenix takes the kind of a span out of its attributes. */
function withKind(kind: Json | undefined, attributes: Json): Json {
  const isKnown = typeof kind === 'string' && SPAN_KIND.test(kind);
  return isKnown && isRecord(attributes) ? { 'openinference.span.kind': kind, ...attributes } : attributes;
}

/** Jaeger has the parent among the references of a span. */
function parentOf(span: JsonRecord): Json | undefined {
  const [reference] = asRecords(span.references).filter(({ refType }) => refType === 'CHILD_OF');
  const context = asRecord(span.parentSpanContext);
  return (
    span.parentSpanId ?? span.parent_id ?? span.parent_span_id ?? span.parentId ?? context.spanId ?? reference?.spanID
  );
}

/** Jaeger, Zipkin, and the consoles of SDKs in JavaScript say how long a span took, in microseconds as its start is. */
function endOf(start: Json | undefined, duration: Json | undefined): number | undefined {
  return typeof start === 'number' && typeof duration === 'number' ? timeOfNumber(start + duration) : undefined;
}

/** A row of a table, which Phoenix exports as well, has a column for each attribute. */
function columnsBelow(row: JsonRecord, prefix: string): JsonRecord {
  const columns = Object.entries(row).filter(([name, value]) => name.startsWith(prefix) && value !== null);
  return Object.fromEntries(columns.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Consoles write an id as a hexadecimal number. */
function idOf(id: Json | undefined): string {
  return (asString(id) ?? '').replace(/^0x/, '');
}

export function readEvent(event: JsonRecord): OtelEvent {
  const attributes = new SpanAttributes(event.attributes ?? event.fields);
  return {
    name:
      asString(event.eventName) ??
      asString(event.event_name) ??
      asString(event.name) ??
      attributes.text('event.name') ??
      '',
    time: timeOf(event.timeUnixNano ?? event.observedTimeUnixNano ?? event.timestamp ?? event.time),
    attributes,
    body: isRecord(event.body) ? plainValue(event.body) : event.body,
  };
}

/** The span that a log record is about. */
export function spanOfRecord(record: JsonRecord): string {
  return idOf(record.spanId ?? record.span_id);
}

/** Nanoseconds as a string; seconds and nanoseconds in a list; or a text. */
function timeOf(time: Json | undefined): number | undefined {
  if (Array.isArray(time)) {
    const [seconds, nanoseconds] = time;
    return typeof seconds === 'number' && typeof nanoseconds === 'number'
      ? seconds * 1e3 + nanoseconds / 1e6
      : undefined;
  }
  if (typeof time === 'string' && !/^\d+$/.test(time)) return timeOfText(time);
  const nanoseconds = typeof time === 'string' || typeof time === 'bigint' ? BigInt(String(time).slice(0, 24)) : time;
  if (typeof nanoseconds === 'number')
    return nanoseconds < FIRST_MICROSECONDS ? nanoseconds : timeOfNumber(nanoseconds);
  return typeof nanoseconds === 'bigint' && nanoseconds > 0n ? Number(nanoseconds / 1000n) / 1e3 : undefined;
}

/** Smaller numbers are milliseconds, as tables have them. */
const FIRST_MICROSECONDS = 1e14;

const FAILED: ReadonlySet<Json | undefined> = new Set([2, 'ERROR', 'STATUS_CODE_ERROR', 'Error']);

function errorOf(span: JsonRecord, attributes: SpanAttributes, events: readonly OtelEvent[]): string | undefined {
  const status = asRecord(span.status);
  const exception = events.find(({ name }) => name === 'exception')?.attributes;
  const code = status.code ?? status.status_code ?? span.status_code ?? attributes.get('otel.status_code');
  const isTagged =
    span.tags !== undefined && (attributes.get('error') === true || typeof attributes.get('error') === 'string');
  const failed = FAILED.has(code) || span.otel_status_code === 'ERROR' || isTagged;
  const thrown = exception?.text('exception.message') ?? exception?.text('exception.type');
  const said = asString(status.message ?? status.description ?? span.status_message ?? span.otel_status_message);
  const type = attributes.text('error.message', 'error.type');
  if (!failed && attributes.text('error.type') === undefined) return undefined;
  return said || thrown || type || 'the call failed';
}
