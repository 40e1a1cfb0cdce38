import { compactJson, type Json, prettyJson } from '../../../json/json';
import type { RecordedInteraction, Timing } from '../../../model/interaction';
import type { ChatRequest, ChatResponse, Part, ToolCall } from '../../../model/message';
import { writeChatUsage } from '../../../wire/openaiChat/write';
import type { WritableSubset } from '../../format';
import { isModelResponse } from '../../writableFormat';

/** A fixture of any other kind would match every request. */
export const WRITABLE_FIXTURES: WritableSubset = {
  description: 'responses of a model and embeddings',
  select: (interactions) => interactions.filter((one) => one.kind === 'embedding' || isModelResponse(one)),
};

type JsonMembers = { readonly [key: string]: Json | undefined };

/**
 * A whole file of fixtures as aimock's recorder writes it. A fixture matches the last user message, the model, and the
 * position among the requests with the same ones.
 */
export function writeAimock(_name: string, interactions: readonly RecordedInteraction[]): string {
  const counts = new Map<string, number>();
  const fixtures = interactions.map(({ kind, request, response, timing }) => {
    const match = { ...conditions(request), ...(kind === 'embedding' ? { endpoint: 'embedding' } : {}) };
    const key = compactJson(match);
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    // Without an index, the first of several fixtures would match every request.
    const isRepeated =
      interactions.filter((other) => compactJson(conditions(other.request)) === compactJson(conditions(request)))
        .length > 1;
    return definedMembers({
      match: isRepeated ? { ...match, sequenceIndex: index } : match,
      response: writeResponse(response),
      recordedTimings: timings(timing, response),
    });
  });
  return prettyJson({ fixtures });
}

function conditions(request: ChatRequest | undefined): { readonly [key: string]: Json } {
  const last = request?.messages.findLast(({ role, content }) => role === 'user' && content !== null && content !== '');
  return definedMembers({ userMessage: last?.content ?? undefined, model: request?.model });
}

function writeResponse(response: ChatResponse | undefined): { readonly [key: string]: Json } {
  if (response === undefined) return { content: '' };
  if (response.error !== undefined) return { error: { message: response.error }, status: 500 };
  const { content, toolCalls, parts = [], usage, finishReason, model } = response;
  const reasoning = parts.filter((part): part is Part & { type: 'reasoning' } => part.type === 'reasoning');
  return definedMembers({
    content: content ?? (toolCalls.length > 0 ? undefined : ''),
    toolCalls: toolCalls.length === 0 ? undefined : toolCalls.map(writeToolCall),
    reasoning: reasoning.length === 0 ? undefined : reasoning.map(({ text }) => text).join(''),
    reasoningSignature: reasoning.find(({ signature }) => signature !== undefined)?.signature,
    model,
    usage: usage && writeChatUsage(usage),
    finishReason,
  });
}

function writeToolCall({ id, name, arguments: args, argumentsText }: ToolCall): Json {
  return { name, arguments: argumentsText ?? (typeof args === 'string' ? args : compactJson(args)), id };
}

/** `ttft` is the time to the first piece; the delays are those between the pieces. */
function timings(timing: Timing | undefined, response: ChatResponse | undefined): Json | undefined {
  if (timing?.durationMs === undefined && timing?.firstTokenMs === undefined) return undefined;
  const delays = (response?.chunks ?? []).slice(1).map(({ delayMs }) => delayMs ?? 0);
  return definedMembers({
    ttftMs: timing.firstTokenMs,
    interChunkDelaysMs: delays,
    totalDurationMs: timing.durationMs,
  });
}

function definedMembers(members: JsonMembers): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
