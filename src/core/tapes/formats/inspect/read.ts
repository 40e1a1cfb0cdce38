import { asList, asRecord, asRecords, asString, omitKeys, omitUndefined } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import type { Interaction, RunStep } from '../../../model/interaction';
import type { ChatResponse, Message, Part, ToolCall, ToolDefinition } from '../../../model/message';
import {
  mediaFromBase64,
  mediaFromUrl,
  reasoningParts,
  textContent,
  textParts,
  unknownPart,
} from '../../../wire/shared/messages';
import { readToolCall } from '../../../wire/shared/toolCalls';
import { usageFromCounts } from '../../../wire/shared/usage';
import type { InteractionContent } from '../../lazyTape';
import { lazyRequest } from '../shared/sessionLog';

/** The model calls of a sample. The first logs had events in a `transcript`. */
export function modelEvents(sample: JsonRecord): readonly JsonRecord[] {
  const events = sample.events ?? asRecord(sample.transcript).events;
  return asRecords(events).filter(({ event }) => event === 'model');
}

export function readModelEvent(event: JsonRecord, sample: JsonRecord): InteractionContent {
  const resolve = resolver(sample);
  const settings = Object.entries(asRecord(event.config)).filter(([, value]) => value !== null);
  const rest = omitUndefined({
    model: asString(event.model),
    tools: asRecords(event.tools).map((tool) => readTool(asRecord(resolve(tool)))),
    params: Object.fromEntries(settings),
  });
  const input = inputOf(event, sample);
  return omitUndefined({
    kind: 'llm' as const,
    request: lazyRequest(rest, () => input.map((message) => readInspectMessage(asRecord(resolve(message))))),
    response: readOutput(asRecord(resolve(event.output ?? null)), asString(event.error)),
    timing: readTiming(event),
    within: stepsAround(event, sample),
    id: [sample.id, sample.epoch].filter(isName).join('_epoch_') || undefined,
  });
}

/** The agents and solvers that a call is in. Newer logs say so by spans. */
function stepsAround(event: JsonRecord, sample: JsonRecord): readonly RunStep[] | undefined {
  const spans = spansOf(sample);
  const epoch = [sample.id, sample.epoch].filter(isName).join('_epoch_');
  const steps: RunStep[] = [];
  for (let id = asString(event.span_id); id !== undefined && steps.length < MAX_STEPS; ) {
    const span = spans.get(id);
    if (span === undefined) break;
    steps.push({ id: `${epoch} ${id}`, name: asString(span.name) ?? '' });
    id = asString(span.parent_id);
  }
  return steps.length === 0 ? undefined : steps.reverse();
}

const MAX_STEPS = 16;

const spansOf = perSample((sample) => {
  const begun = asRecords(sample.events ?? asRecord(sample.transcript).events).filter(
    ({ event }) => event === 'span_begin',
  );
  return new Map(
    begun.flatMap((span): [string, JsonRecord][] => (typeof span.id === 'string' ? [[span.id, span]] : [])),
  );
});

/** Computes something of a sample once, as long as it is in memory. */
function perSample<T>(of: (sample: JsonRecord) => T): (sample: JsonRecord) => T {
  const known = new WeakMap<JsonRecord, T>();
  return (sample) => {
    const value = known.get(sample) ?? of(sample);
    known.set(sample, value);
    return value;
  };
}

function isName(value: Json | undefined): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

/** Newer logs store every message once, in a pool, and refer to ranges of it. */
function inputOf(event: JsonRecord, sample: JsonRecord): readonly Json[] {
  const pool = asList(sample.message_pool ?? asRecord(sample.events_data).messages);
  const pooled = asList(event.input_refs).flatMap((range) => {
    const [from, to] = asList(range);
    return typeof from === 'number' && typeof to === 'number' ? pool.slice(from, to) : [];
  });
  return [...pooled, ...asList(event.input)];
}

function readTool({ name, description, parameters }: JsonRecord): ToolDefinition {
  return omitUndefined({ name: asString(name) ?? '', description: asString(description), schema: parameters });
}

function readOutput(output: JsonRecord, failed: string | undefined): ChatResponse {
  const [choice = {}] = asRecords(output.choices);
  const { content, parts, toolCalls } = readInspectMessage(asRecord(choice.message));
  return omitUndefined({
    content,
    parts,
    toolCalls,
    model: asString(output.model),
    usage: readUsage(asRecord(output.usage)),
    finishReason: asString(choice.stop_reason),
    error: failed ?? asString(output.error),
  });
}

function readUsage(usage: JsonRecord): ChatResponse['usage'] {
  return usageFromCounts({
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    total: usage.total_tokens,
    cached: usage.input_tokens_cache_read,
    cacheWrite: usage.input_tokens_cache_write,
    reasoning: usage.reasoning_tokens,
  });
}

/** Inspect's times are in seconds. */
function readTiming(event: JsonRecord): Interaction['timing'] {
  const seconds = asRecord(event.output).time ?? event.working_time;
  const durationMs = typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined;
  return omitUndefined({ recordedAt: asString(event.timestamp), durationMs });
}

const REFERENCE = /^(?:attachment|tc):\/\/(\w+)$/;

/** Restores long texts, which a log stores once, beside the events. */
function resolver(sample: JsonRecord): (value: Json) => Json {
  const attachments = { ...asRecord(asRecord(sample.transcript).content), ...asRecord(sample.attachments) };
  const resolve = (value: Json): Json => {
    if (typeof value === 'string') return attachments[REFERENCE.exec(value)?.[1] ?? ''] ?? value;
    if (Array.isArray(value)) return value.map(resolve);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
  };
  return resolve;
}

/** A message in Inspect's own shape, whatever the provider. */
function readInspectMessage(message: JsonRecord): Message {
  const failed = asString(asRecord(message.error).message);
  const content = textContent(contentParts(message.content));
  return omitUndefined({
    role: asString(message.role) ?? 'unknown',
    ...(failed !== undefined && (content.content ?? '') === '' ? textContent(textParts(failed)) : content),
    toolCalls: asRecords(message.tool_calls).map(readCall),
    toolCallId: asString(message.tool_call_id),
    isError: failed !== undefined || undefined,
    name: asString(message.function),
  });
}

/** For arguments that are not JSON, Inspect stores their text as the error of the parser. */
function readCall({ id, function: name, arguments: args }: JsonRecord): ToolCall {
  return readToolCall(id, name, args);
}

function contentParts(content: Json | undefined): Part[] {
  if (typeof content === 'string') return content === '' ? [] : textParts(content);
  return asList(content).flatMap((item) => contentPart(asRecord(item)));
}

function contentPart(part: JsonRecord): Part[] {
  switch (part.type) {
    case 'text':
      return part.refusal === true ? [{ type: 'refusal', text: asString(part.text) ?? '' }] : textParts(part.text);
    case 'reasoning':
      return readReasoning(part);
    case 'image':
      return mediaPart('image', part.image, undefined);
    case 'audio':
      return mediaPart('audio', part.audio, asString(part.format));
    case 'video':
      return mediaPart('file', part.video, undefined);
    case 'document':
      return mediaPart('file', part.document, undefined, asString(part.filename));
    case 'tool_use':
      return [{ type: 'server_tool', name: asString(part.name) ?? 'tool', payload: omitKeys(part, 'type') }];
    default:
      return [unknownPart(part)];
  }
}

function readReasoning({ reasoning, summary, signature, redacted }: JsonRecord): Part[] {
  if (redacted !== true) return reasoningParts(asString(reasoning) ?? '', asString(signature));
  const plain = asString(summary) ?? '';
  return plain === '' ? reasoningParts('', asString(reasoning)) : [{ type: 'reasoning', text: plain, encrypted: true }];
}

/** An address or a data URL; audio may also be plain base64. */
function mediaPart(type: 'image' | 'audio' | 'file', place: Json | undefined, format?: string, name?: string): Part[] {
  const url = asString(place);
  if (url === undefined) return [unknownPart({ type })];
  if (format !== undefined && !/^(?:data:|https?:)/.test(url.slice(0, 8)))
    return [mediaFromBase64(`audio/${format}`, url, name)];
  return [mediaFromUrl(type, url, name)];
}
