import { asRecord } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { exactValue } from '../../../json/readJson';
import type { Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import { readCallSpan } from '../shared/traces/reading';
import { recordAt } from '../shared/traces/spanPlaces';
import type { TraceSpan } from '../shared/traces/traceTape';
import { kindOf } from './conventions/kinds';
import { type StreamPart, streamPart } from './conventions/logfireStreams';
import { otelReader } from './read';
import { type OtelSpan, readSpan } from './span';
import type { SpanLogs } from './spanLogs';

export interface IndexedSpan {
  readonly span: TraceSpan;
  readonly own: () => OtelSpan;
  readonly stream: StreamPart | undefined;
}

/** What is needed to place a span; the rest is read on demand. Undefined for what is no span. */
export function indexSpan(text: TextParts, node: JsonNode, offset: number, logs: SpanLogs): IndexedSpan | undefined {
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

export function readOf(kind: TraceSpan['kind'], own: () => OtelSpan, place: Span): ReturnType<TraceSpan['read']> {
  return readCallSpan(kind, place, own, otelReader);
}
