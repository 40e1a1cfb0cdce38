import { asList, asRecord, asString, omitUndefined } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import type { ToolDefinition } from '../../../model/message';
import { message } from '../../../text/l10n';
import { any } from '../../marks';
import { readTraceMessages, textOf } from '../shared/traces/messages';
import { readTraceOutput } from '../shared/traces/output';
import { readTraceTools } from '../shared/traces/tools';
import { type TraceDescription, traceFormat } from '../shared/traces/traceFormat';
import { readTraceUsage } from '../shared/traces/usage';

/** Traces of OpenAI's Agents SDKs: what they send to OpenAI, in a line for each request or span, or in a list. */
export const openaiAgentsFormat = traceFormat({
  id: 'openai-agents',
  label: 'OpenAI Agents trace',
  files: ['json', 'jsonl'],
  lists: ['data[]'],
  marks: ['object', any('span_data', 'workflow_name'), /"object"\s*:\s*"trace(?:\.span)?"/],
  at: { type: 'span_data.type', parent: 'parent_id', start: 'started_at', end: 'ended_at' },
  kinds: { generation: 'llm', response: 'llm', function: 'tool' },
  isSpan: ({ object }) => object === 'trace.span',
  traceName: ({ object, workflow_name: name }) => (object === 'trace' ? asString(name) : undefined),
  stepName,
  call: readCall,
  tool: readTool,
  failure: failureOf,
  texts: ['span_data.input', 'span_data.output', 'span_data.response'],
  ifMissing: message(
    'The SDK does not write down what it says to the Responses API. Trace it with OpenTelemetry, or use Chat Completions.',
  ),
});

/** A handoff has no name, but the agents that it is between. */
function stepName(span: JsonRecord): string {
  const data = asRecord(span.span_data);
  if (data.type === 'handoff') return `${asString(data.from_agent) ?? ''} → ${asString(data.to_agent) ?? ''}`;
  const turn = asRecord(data.data).turn;
  return typeof turn === 'number' ? `turn ${turn}` : (asString(data.name) ?? '');
}

function failureOf({ error }: JsonRecord): string | undefined {
  const { message, data } = asRecord(error);
  const detail = asString(asRecord(data).error);
  return asString(message) === undefined ? undefined : [asString(message), detail].filter(Boolean).join(': ');
}

/** A span of the Responses API has its number only, unless another exporter adds what was said. */
function readCall(span: JsonRecord, around: () => Iterable<JsonRecord>): ReturnType<TraceDescription['call']> {
  const data = asRecord(span.span_data);
  const response = asRecord(data.response);
  const config = Object.entries(asRecord(data.model_config)).filter(
    ([name, value]) => value !== null && name !== 'base_url' && name !== 'model_impl',
  );
  const tools = readTraceTools(response.tools);
  return omitUndefined({
    messages: readTraceMessages(data.input),
    tools: tools.length === 0 ? agentTools(around()) : tools,
    params: Object.fromEntries(config),
    model: asString(data.model) ?? asString(response.model),
    answer: readTraceOutput(data.output ?? data.response),
    usage: readTraceUsage(data.usage),
  });
}

/** The names of the tools that the agent around a call has: a call of a model does not repeat them. */
function agentTools(around: Iterable<JsonRecord>): ToolDefinition[] {
  for (const { span_data: data } of around) {
    const { type, tools } = asRecord(data);
    if (type === 'agent') return asList(tools).flatMap((name) => (typeof name === 'string' ? { name } : []));
  }
  return [];
}

function readTool({ span_data: data }: JsonRecord): ReturnType<TraceDescription['tool']> {
  const { name, input, output } = asRecord(data);
  return {
    id: undefined,
    name: asString(name) ?? '',
    input: input ?? {},
    result: output === undefined || output === null ? undefined : { content: textOf(output), toolCalls: [] },
  };
}
