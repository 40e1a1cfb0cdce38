import type { TraceSpan } from '../shared/traces/traceTape';
import { joinStream } from './conventions/logfireStreams';
import { type IndexedSpan, readOf } from './indexedSpan';
import type { OtelSpan } from './span';

/** Logfire ends the span of a streamed call before the stream, and tells what came in a log beside it. */
export class StreamedCalls {
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
