import { SpanAttributes } from '../attributes';
import type { OtelSpan } from '../span';

/** A part of what Logfire tells of a streamed call: the span that begins it, or the log that ends it. */
export interface StreamPart {
  /** The same for both. */
  readonly key: string;
  readonly isEnd: boolean;
}

export function streamPart(parent: string | undefined, attributes: SpanAttributes): StreamPart | undefined {
  const type = attributes.text('logfire.span_type');
  if (type === undefined || (type === 'span' && hasAnswer(attributes))) return undefined;
  const sent = attributes.text('gen_ai.input.messages', 'request_data') ?? '';
  return { key: `${parent ?? ''} ${sent}`, isEnd: type === 'log' };
}

function hasAnswer(attributes: SpanAttributes): boolean {
  return attributes.get('gen_ai.output.messages', 'response_data', 'gen_ai.usage.output_tokens') !== undefined;
}

/** The whole of a call: from the beginning of its span to the end of its log. */
export function joinStream(begun: OtelSpan, ended: OtelSpan): OtelSpan {
  const attributes = new SpanAttributes({ ...begun.attributes.values, ...ended.attributes.values });
  return { ...begun, attributes, end: ended.end ?? ended.start ?? begun.end };
}
