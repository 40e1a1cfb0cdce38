import { asRecord, asRecords, isBlank, omitUndefined } from '../../../json/fields';
import type { Json } from '../../../json/json';
import { parseExactJson } from '../../../json/readJson';
import { counted } from '../../../text/counts';
import { message, t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import { endsCut } from '../shared/traces/cut';
import { readTraceMessages, textOf } from '../shared/traces/messages';
import { type ModelCall, type SpanReader, spanTiming, type ToolUse, traceProblem } from '../shared/traces/reading';
import { readGenAi, readGenAiEvents } from './conventions/genAi';
import { readOpenInference } from './conventions/openInference';
import { entityInput, readOpenllmetry } from './conventions/openllmetry';
import { readAdk, readLangfuse, readLogfire, readVercel } from './conventions/products';
import type { OtelSpan } from './span';

/** Spans of one call often follow several conventions. The first that has a field gives it. */
const CONVENTIONS: readonly ((span: OtelSpan) => ModelCall)[] = [
  readGenAi,
  readGenAiEvents,
  readOpenInference,
  readOpenllmetry,
  readVercel,
  readLangfuse,
  readLogfire,
  readAdk,
];

export const otelReader: SpanReader<OtelSpan> = {
  call: mergedCall,
  tool: toolUse,
  cutTexts: cutProblems,
  ifMissing: message(
    'Turn on content capture in the SDK, for example with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, and run it again.',
  ),
};

function mergedCall(span: OtelSpan): ModelCall {
  const merged: { -readonly [K in keyof ModelCall]: ModelCall[K] } = {};
  for (const convention of CONVENTIONS) {
    const call = convention(span);
    const found = Object.entries(call).filter(([key, value]) => !(key in merged) && !isEmpty(value));
    // Cached tokens may be counted by one convention only.
    const usage = merged.usage === undefined ? undefined : { ...call.usage, ...merged.usage };
    Object.assign(merged, Object.fromEntries(found), usage && { usage });
  }
  return omitUndefined({
    ...merged,
    error: merged.error ?? span.error,
    timing: spanTiming(span.start, span.end, merged.firstTokenAt),
  });
}

function isEmpty(value: unknown): boolean {
  return isBlank(value as Json | undefined);
}

function toolUse(span: OtelSpan): ToolUse {
  const { attributes } = span;
  const input = attributes.json(...TOOL_INPUT) ?? toolEvent(span, 'tool.message', 'content', 'input');
  const output =
    attributes.text(...TOOL_OUTPUT) ?? attributes.get(...TOOL_OUTPUT) ?? toolEvent(span, 'choice', 'message', 'output');
  return {
    id: attributes.text('gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id'),
    name: attributes.text('gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name') ?? span.name,
    input: entityInput(input) ?? {},
    result: output === undefined ? undefined : { content: resultText(output), toolCalls: [] },
    error: span.error,
    timing: spanTiming(span.start, span.end),
  };
}

/** What Strands says of a tool in events: of its own, or the messages of the conventions. */
function toolEvent({ events }: OtelSpan, name: string, key: string, side: 'input' | 'output'): Json | undefined {
  for (const { name: own, attributes } of events) {
    const [message] = asRecords(attributes.json(`gen_ai.${side}.messages`));
    const [part] = asRecords(message?.parts);
    const said = own === `gen_ai.${name}` ? attributes.json(key) : (part?.arguments ?? part?.response);
    if (said !== undefined) return said;
  }
  return undefined;
}

const TOOL_INPUT = [
  'gen_ai.tool.call.arguments',
  'ai.toolCall.args',
  'tool_arguments',
  'traceloop.entity.input',
  'langfuse.observation.input',
  'input.value',
  'gen_ai.prompt',
  'gcp.vertex.agent.tool_call_args',
];
const TOOL_OUTPUT = [
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'tool_response',
  'traceloop.entity.output',
  'langfuse.observation.output',
  'output.value',
  'gen_ai.completion',
  'gcp.vertex.agent.tool_response',
];

/** A text may have been written as JSON; LangSmith puts what a function returned into an object. */
function resultText(output: Json): string {
  if (Array.isArray(output)) return readTraceMessages([{ role: 'tool', content: output }])[0]?.content ?? '';
  if (typeof output !== 'string' || !/^\s*(?:"|\{\s*"output"\s*:)/.test(output.slice(0, 64))) return textOf(output);
  const parsed = parseExactJson(output);
  if (typeof parsed === 'string') return parsed;
  const { output: returned, ...others } = asRecord(parsed);
  return returned !== undefined && isBlank(others) ? textOf(returned) : output;
}

const LONGER = message(
  'Raise the limits of the SDK and of the collector, such as OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT, and run it again.',
);

/** What limits of SDKs, collectors, and servers took from a span. */
function cutProblems({ attributes, dropped }: OtelSpan, place: Span): Problem[] {
  const longest = Object.values(attributes.values).reduce<number>((most, value) => Math.max(most, lengthOf(value)), 0);
  const cut = Object.entries(attributes.values).flatMap(([name, value]) =>
    attributes.cutNames.has(name) || (typeof value === 'string' && isCut(value, longest)) ? [name] : [],
  );
  const problems = cut.map((name) => traceProblem(place, t('`{0}` was cut off', name), t(LONGER)));
  if (dropped <= 0) return problems;
  const left = counted(dropped, '{0} attribute of the span was left out', '{0} attributes of the span were left out');
  return [...problems, traceProblem(place, left, t(LONGER))];
}

function lengthOf(value: Json): number {
  return typeof value === 'string' ? value.length : 0;
}

/** Limits that SDKs and servers are set to. */
const LIMITS: ReadonlySet<number> = new Set([
  ...[128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536],
  ...[1000, 2000, 4000, 8000, 10_000, 12_000, 16_000, 25_000, 32_000, 64_000, 100_000],
  ...[1023, 4095, 32_766, 65_535],
]);

function isCut(value: string, longest: number): boolean {
  return value.endsWith('\u2026') || endsCut(value) || (value.length === longest && LIMITS.has(longest));
}
