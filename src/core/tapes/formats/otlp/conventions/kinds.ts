import type { TraceSpan } from '../../shared/traces/traceTape';
import type { SpanAttributes } from '../attributes';

type Kind = TraceSpan['kind'];

/** What a span is of, by the attribute in which its convention says it. */
const KINDS: readonly (readonly [attribute: string, kinds: Readonly<Record<string, Kind>>])[] = [
  ['openinference.span.kind', { LLM: 'llm', EMBEDDING: 'embedding', TOOL: 'tool' }],
  [
    'gen_ai.operation.name',
    {
      chat: 'llm',
      text_completion: 'llm',
      generate_content: 'llm',
      completion: 'llm',
      responses: 'llm',
      embeddings: 'embedding',
      embedding: 'embedding',
      execute_tool: 'tool',
    },
  ],
  ['langfuse.observation.type', { generation: 'llm', embedding: 'embedding', tool: 'tool' }],
  ['langsmith.span.kind', { llm: 'llm', embedding: 'embedding', tool: 'tool' }],
  ['traceloop.span.kind', { tool: 'tool' }],
  ['llm.request.type', { chat: 'llm', completion: 'llm', embedding: 'embedding' }],
];

const VERCEL_KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^ai\.\w+\.do(?:Generate|Stream)$/, 'llm'],
  [/^ai\.\w+\.doEmbed$/, 'embedding'],
  [/^ai\.toolCall$/, 'tool'],
];

/** The kind of a span, by its attributes. */
export function kindOf(attributes: SpanAttributes): Kind {
  const operation = attributes.text('ai.operationId');
  if (operation !== undefined) return VERCEL_KINDS.find(([pattern]) => pattern.test(operation))?.[1] ?? 'step';
  for (const [attribute, kinds] of KINDS) {
    const value = attributes.text(attribute);
    if (value !== undefined) return kinds[value] ?? 'step';
  }
  if (attributes.get('gen_ai.tool.name') !== undefined) return 'tool';
  const isModel = attributes.get('gen_ai.request.model') ?? attributes.get('gen_ai.prompt.0.role');
  return isModel === undefined && !isLogfireCall(attributes) ? 'step' : 'llm';
}

function isLogfireCall(attributes: SpanAttributes): boolean {
  return /"(?:messages|input)"\s*:/.test(attributes.text('request_data')?.slice(0, 4096) ?? '');
}
