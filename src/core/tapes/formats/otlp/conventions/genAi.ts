import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../../json/json';
import type { Message } from '../../../../model/message';
import { usageFromCounts } from '../../../../wire/shared/usage';
import { readTraceMessages } from '../../shared/traces/messages';
import { readTraceOutput } from '../../shared/traces/output';
import type { ModelCall } from '../../shared/traces/reading';
import { offeredTools, readTraceTools } from '../../shared/traces/tools';
import { readTraceUsage } from '../../shared/traces/usage';
import type { SpanAttributes } from '../attributes';
import type { OtelEvent, OtelSpan } from '../span';

/** OpenTelemetry's conventions for generative AI: messages as attributes, of the span or of one event. */
export function readGenAi({ attributes, events }: OtelSpan): ModelCall {
  const details = events.find(({ name }) => name === 'gen_ai.client.inference.operation.details')?.attributes;
  const json = (name: string): Json | undefined => attributes.json(name) ?? details?.json(name);
  const output = json('gen_ai.output.messages');
  return {
    messages: [
      ...systemMessage(json('gen_ai.system_instructions')),
      ...readTraceMessages(json('gen_ai.input.messages')),
    ],
    tools: readTraceTools(json('gen_ai.tool.definitions')),
    model: attributes.text('gen_ai.request.model'),
    params: requestParams(attributes),
    answer: asList(output).length === 0 ? undefined : readTraceOutput(output),
    answeredModel: attributes.text('gen_ai.response.model'),
    usage: genAiUsage(attributes),
    finishReason: asString(asList(attributes.json('gen_ai.response.finish_reasons'))[0]),
  };
}

function systemMessage(instructions: Json | undefined): Message[] {
  if (isBlank(instructions)) return [];
  return readTraceMessages([{ role: 'system', content: instructions ?? null }]);
}

const PARAMS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  max_tokens: 'max_tokens',
  frequency_penalty: 'frequency_penalty',
  presence_penalty: 'presence_penalty',
  seed: 'seed',
  stop_sequences: 'stop',
  'choice.count': 'n',
};

function requestParams(attributes: SpanAttributes): JsonRecord {
  const found = Object.entries(PARAMS).flatMap(([name, wire]) => {
    const value = attributes.get(`gen_ai.request.${name}`);
    return value === undefined ? [] : [[wire, value] as const];
  });
  return Object.fromEntries(found);
}

function genAiUsage(attributes: SpanAttributes): ModelCall['usage'] {
  const raw = readTraceUsage(attributes.json('gen_ai.usage.raw'));
  if (raw !== undefined) return raw;
  const count = (...names: string[]): number | undefined =>
    attributes.number(...names.map((name) => `gen_ai.usage.${name}`));
  return usageFromCounts({
    prompt: count('input_tokens', 'prompt_tokens'),
    completion: count('output_tokens', 'completion_tokens'),
    total: count('total_tokens') ?? attributes.number('llm.usage.total_tokens'),
    cached: count('cache_read.input_tokens', 'cache_read_input_tokens', 'details.cache_read_tokens', 'cached_tokens'),
    cacheWrite: count('cache_creation.input_tokens', 'cache_creation_input_tokens', 'details.cache_write_tokens'),
    reasoning: count(
      'reasoning.output_tokens',
      'reasoning_tokens',
      'reasoning_output_tokens',
      'details.reasoning_tokens',
    ),
  });
}

const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** The conventions before: an event for each message and choice, as events of the span, as log records, or as a list in an attribute. */
export function readGenAiEvents({ attributes, events }: OtelSpan): ModelCall {
  const listed = asRecords(attributes.json('events', 'all_messages_events')).map(listedEvent);
  const own = events.filter(({ name }) => name.startsWith('gen_ai.')).map(eventFields);
  const all = own.length > 0 ? own : listed;
  const choice = all.find(({ name }) => name === 'gen_ai.choice')?.fields;
  const content = (name: string, key: string): Json | undefined =>
    events.find((event) => event.name === name)?.attributes.json(key) ?? wholeText(attributes, key);
  const prompt = content('gen_ai.content.prompt', 'gen_ai.prompt');
  const answer = readTraceOutput(
    isBlank(choice) ? content('gen_ai.content.completion', 'gen_ai.completion') : choiceMessage(choice),
  );
  return {
    messages: messagesOfEvents(all, prompt),
    params: omitKeys(asRecord(prompt), 'messages', 'prompts', 'input', 'prompt', 'tools', 'model', 'role', 'content'),
    answer,
    usage: answer?.usage,
    finishReason: asString(choice?.finish_reason),
    tools: readTraceTools(offeredTools(attributes.json('model_request_parameters')) ?? asRecord(prompt).tools),
  };
}

/** LangSmith writes what was sent and got as one text of JSON, under a name that openllmetry has parts below. */
function wholeText(attributes: SpanAttributes, key: string): Json | undefined {
  return attributes.text(key) === undefined ? undefined : attributes.json(key);
}

interface NamedFields {
  readonly name: string;
  readonly fields: JsonRecord;
}

function eventFields({ name, body, attributes }: OtelEvent): NamedFields {
  const parsed = Object.keys(attributes.values).map((key) => [key, attributes.json(key) ?? null] as const);
  return { name, fields: { ...Object.fromEntries(parsed), ...asRecord(body) } };
}

function listedEvent(fields: JsonRecord): NamedFields {
  return { name: asString(fields['event.name']) ?? '', fields };
}

function messagesOfEvents(events: readonly NamedFields[], prompt: Json | undefined): Message[] {
  const found = events.flatMap(({ name, fields }) => {
    const [, role] = MESSAGE_EVENT.exec(name) ?? [];
    return role === undefined ? [] : readTraceMessages([omitUndefined({ ...fields, role: fields.role ?? role })]);
  });
  return found.length > 0 ? found : readTraceMessages(prompt);
}

function choiceMessage(choice: JsonRecord | undefined): Json | undefined {
  const message = choice?.message ?? choice?.content;
  return isRecord(message)
    ? message
    : { role: 'assistant', content: message ?? null, tool_calls: choice?.tool_calls ?? [] };
}
