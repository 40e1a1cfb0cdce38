import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { listOf, present, recordOf, recordsOf, textOf } from '../../wire/fields';
import { usageOf } from '../../wire/usage';
import type { InteractionContent } from '../lazyTape';
import type { ChatResponse, Interaction, ToolDefinition } from '../tape';
import { requestOf } from './history';
import { readInspectMessage } from './inspectMessages';

/** The calls of a model in a sample. In the first logs, events stood in a `transcript`. */
export function modelEvents(sample: JsonRecord): readonly JsonRecord[] {
  const events = sample.events ?? recordOf(sample.transcript).events;
  return recordsOf(events).filter(({ event }) => event === 'model');
}

export function readModelEvent(event: JsonRecord, sample: JsonRecord): InteractionContent {
  const resolve = resolver(sample);
  const settings = Object.entries(recordOf(event.config)).filter(([, value]) => value !== null);
  const rest = present({
    model: textOf(event.model),
    tools: recordsOf(event.tools).map((tool) => readTool(recordOf(resolve(tool)))),
    params: Object.fromEntries(settings),
  });
  const input = inputOf(event, sample);
  return present({
    kind: 'llm' as const,
    request: requestOf(rest, () => input.map((message) => readInspectMessage(recordOf(resolve(message))))),
    response: readOutput(recordOf(resolve(event.output ?? null)), textOf(event.error)),
    timing: readTiming(event),
    id: [sample.id, sample.epoch].filter(isName).join('_epoch_') || undefined,
  });
}

function isName(value: Json | undefined): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

/** Newer logs keep every message once, in a pool, and name ranges of it. */
function inputOf(event: JsonRecord, sample: JsonRecord): readonly Json[] {
  const pool = listOf(sample.message_pool ?? recordOf(sample.events_data).messages);
  const pooled = listOf(event.input_refs).flatMap((range) => {
    const [from, to] = listOf(range);
    return typeof from === 'number' && typeof to === 'number' ? pool.slice(from, to) : [];
  });
  return [...pooled, ...listOf(event.input)];
}

function readTool({ name, description, parameters }: JsonRecord): ToolDefinition {
  return present({ name: textOf(name) ?? '', description: textOf(description), schema: parameters });
}

function readOutput(output: JsonRecord, failed: string | undefined): ChatResponse {
  const [choice = {}] = recordsOf(output.choices);
  const { content, parts, toolCalls } = readInspectMessage(recordOf(choice.message));
  return present({
    content,
    parts,
    toolCalls,
    model: textOf(output.model),
    usage: readUsage(recordOf(output.usage)),
    finishReason: textOf(choice.stop_reason),
    error: failed ?? textOf(output.error),
  });
}

function readUsage(usage: JsonRecord): ChatResponse['usage'] {
  return usageOf({
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    total: usage.total_tokens,
    cached: usage.input_tokens_cache_read,
    cacheWrite: usage.input_tokens_cache_write,
    reasoning: usage.reasoning_tokens,
  });
}

/** Inspect counts seconds. */
function readTiming(event: JsonRecord): Interaction['timing'] {
  const seconds = recordOf(event.output).time ?? event.working_time;
  const durationMs = typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined;
  return present({ recordedAt: textOf(event.timestamp), durationMs });
}

const REFERENCE = /^(?:attachment|tc):\/\/(\w+)$/;

/** Puts long texts back, which a log keeps once, beside the events. */
function resolver(sample: JsonRecord): (value: Json) => Json {
  const attachments = { ...recordOf(recordOf(sample.transcript).content), ...recordOf(sample.attachments) };
  const resolve = (value: Json): Json => {
    if (typeof value === 'string') return attachments[REFERENCE.exec(value)?.[1] ?? ''] ?? value;
    if (Array.isArray(value)) return value.map(resolve);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
  };
  return resolve;
}
