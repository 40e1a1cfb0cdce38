import { asRecord, asString, isBlank, omitKeys, omitUndefined } from '../../../../json/fields';
import type { Json, JsonRecord } from '../../../../json/json';
import { inputMessages, inputTools, isUnlimited } from '../../shared/traces/input';
import { readTraceMessages } from '../../shared/traces/messages';
import { readTraceOutput } from '../../shared/traces/output';
import { type ModelCall, timeOfText } from '../../shared/traces/reading';
import { readTraceTools } from '../../shared/traces/tools';
import { readTraceUsage } from '../../shared/traces/usage';
import type { SpanAttributes } from '../attributes';
import type { OtelSpan } from '../span';

/** The AI SDK of Vercel, up to version 6. */
export function readVercel({ attributes }: OtelSpan): ModelCall {
  const prompt = asRecord(attributes.json('ai.prompt'));
  const system = isBlank(prompt.system) ? [] : readTraceMessages([{ role: 'system', content: prompt.system ?? null }]);
  const said = readTraceMessages(attributes.json('ai.prompt.messages') ?? prompt.messages ?? prompt.prompt);
  return {
    messages: [...(said[0]?.role === 'system' ? [] : system), ...said],
    tools: readTraceTools(attributes.json('ai.prompt.tools')),
    params: vercelSettings(attributes),
    model: attributes.text('ai.model.id'),
    answer: vercelAnswer(attributes),
    answeredModel: attributes.text('ai.response.model'),
    usage: readTraceUsage(attributes.below('ai.usage')),
    finishReason: attributes.text('ai.response.finishReason'),
  };
}

const OWN_SETTINGS = ['maxRetries', 'mode', 'context'];

function vercelSettings(attributes: SpanAttributes): JsonRecord {
  return omitKeys(asRecord(attributes.below('ai.settings')), ...OWN_SETTINGS);
}

function vercelAnswer(attributes: SpanAttributes): ModelCall['answer'] {
  const text = attributes.text('ai.response.text', 'ai.response.object');
  const calls = attributes.json('ai.response.toolCalls');
  const reasoning = attributes.text('ai.response.reasoning');
  if (text === undefined && calls === undefined && reasoning === undefined) return undefined;
  const message = { role: 'assistant', content: text ?? null, tool_calls: calls, reasoning };
  return readTraceOutput(omitUndefined(message) as JsonRecord);
}

/** Google's Agent Development Kit, which writes what it asks Gemini, and the candidate that answers. */
export function readAdk({ attributes }: OtelSpan): ModelCall {
  const input = attributes.json('gcp.vertex.agent.llm_request');
  const output = asRecord(attributes.json('gcp.vertex.agent.llm_response'));
  return {
    messages: isBlank(input) ? [] : readTraceMessages(inputMessages(input)),
    tools: readTraceTools(inputTools(input)),
    answer: isBlank(output) ? undefined : readTraceOutput(output),
  };
}

/** Langfuse, whose SDKs send OTLP since version 3. */
export function readLangfuse({ attributes }: OtelSpan): ModelCall {
  const observed = (name: string): Json | undefined => attributes.json(`langfuse.observation.${name}`);
  const input = observed('input');
  const params = Object.entries(asRecord(observed('model.parameters'))).filter(([, value]) => !isUnlimited(value));
  return {
    messages: readTraceMessages(inputMessages(input)),
    tools: readTraceTools(inputTools(input)),
    params: Object.fromEntries(params),
    model: asString(observed('model.name')),
    answer: readTraceOutput(observed('output')),
    usage: readTraceUsage(observed('usage_details')),
    finishReason: asString(observed('metadata.finish_reason')),
    error: observed('level') === 'ERROR' ? asString(observed('status_message')) : undefined,
    firstTokenAt: timeOfText(asString(observed('completion_start_time'))),
  };
}

/** Logfire's instrumentations of SDKs before they followed OpenTelemetry. */
export function readLogfire({ attributes }: OtelSpan): ModelCall {
  const request = asRecord(attributes.json('request_data'));
  const response = asRecord(attributes.json('response_data'));
  const chunks = asString(response.combined_chunk_content);
  return {
    messages: [...systemOf(request), ...readTraceMessages(request.messages ?? request.input)],
    tools: readTraceTools(request.tools),
    params: omitKeys(request, 'model', 'messages', 'tools', 'system', 'input'),
    model: asString(request.model),
    answer: readTraceOutput(response.message ?? chunks),
    usage: readTraceUsage(response.usage),
  };
}

function systemOf({ system }: JsonRecord): NonNullable<ModelCall['messages']> {
  return isBlank(system) ? [] : readTraceMessages([{ role: 'system', content: system ?? null }]);
}
