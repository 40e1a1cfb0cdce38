import { compactJson, type Json, type JsonRecord, prettyJson } from '../../../json/json';
import type { HttpExchange } from '../../../model/http';
import type { RecordedInteraction, Timing } from '../../../model/interaction';
import type { ChatRequest, ChatResponse, Part, ToolCall } from '../../../model/message';
import { message } from '../../../text/l10n';
import { decodeBody } from '../../../wire/body/body';
import { firstVector } from '../../../wire/embeddings/index';
import { writeChatUsage } from '../../../wire/openaiChat/write';
import type { WritableSubset } from '../../format';
import { isModelResponse } from '../../writableFormat';

/** A fixture of any other kind would match every request, and one without a vector is refused. */
export const WRITABLE_FIXTURES: WritableSubset = {
  description: message('responses of a model, and embeddings with their vectors'),
  select: (interactions) =>
    inOrderOfMatching(interactions.filter((one) => (one.kind === 'embedding' ? hasVector(one) : isModelResponse(one)))),
};

function hasVector({ response, http }: RecordedInteraction): boolean {
  return response?.error !== undefined || recordedVector(http) !== undefined;
}

function recordedVector(http: HttpExchange | undefined): readonly number[] | undefined {
  const json = http && decodeBody(http.responseBody, http.responseHeaders).json;
  return json === undefined ? undefined : firstVector(json);
}

/** A text matches every request that contains it, and the first fixture wins: a text follows those that contain it. */
function inOrderOfMatching<T extends RecordedInteraction>(interactions: readonly T[]): readonly T[] {
  const texts = interactions.map(matchedText);
  const hasConflict = texts.some((text, at) =>
    texts.slice(at + 1).some((later) => later.length > text.length && later.includes(text)),
  );
  if (!hasConflict) return interactions;
  const order = texts
    .map((text, at) => ({ at, length: text.length }))
    .sort((a, b) => b.length - a.length || a.at - b.at);
  return order.flatMap(({ at }) => interactions[at] ?? []);
}

function matchedText({ kind, request }: RecordedInteraction): string {
  return (kind === 'embedding' ? inputText(request) : lastUserText(request)) ?? '';
}

type JsonMembers = { readonly [key: string]: Json | undefined };

/**
 * A whole file of fixtures as aimock's recorder writes it. A fixture matches the last user message, the model, the turn of the
 * conversation and, where several requests share these, the position among them.
 */
export function writeAimock(_name: string, interactions: readonly RecordedInteraction[]): string {
  const matches = interactions.map(conditions);
  const keys = matches.map(compactJson);
  const totals = new Map<string, number>();
  for (const key of keys) totals.set(key, (totals.get(key) ?? 0) + 1);
  const counts = new Map<string, number>();
  const fixtures = interactions.map((interaction, at) => {
    const key = keys[at] ?? '';
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    // Without an index, the first of several fixtures would match every request.
    const position: JsonRecord = (totals.get(key) ?? 0) > 1 ? { sequenceIndex: index } : {};
    return definedMembers({
      match: { ...matches[at], ...position },
      response: writeResponse(interaction),
      recordedTimings: timings(interaction.timing, interaction.response),
    });
  });
  return prettyJson({ fixtures });
}

function conditions({ kind, request }: RecordedInteraction): { readonly [key: string]: Json } {
  if (kind === 'embedding') return definedMembers({ endpoint: 'embedding', inputText: inputText(request) });
  const messages = request?.messages ?? [];
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  return definedMembers({
    userMessage: lastUserText(request),
    model: request?.model,
    turnIndex: messages.length === 0 ? undefined : messages.filter(({ role }) => role === 'assistant').length,
    hasToolResult: messages.length === 0 ? undefined : turn.some(({ role }) => role === 'tool'),
  });
}

function lastUserText(request: ChatRequest | undefined): string | undefined {
  return (
    request?.messages.findLast(({ role, content }) => role === 'user' && content !== null && content !== '')?.content ??
    undefined
  );
}

/** Several inputs are matched as one text. */
function inputText(request: ChatRequest | undefined): string | undefined {
  const inputs = (request?.messages ?? []).flatMap(({ content }) => content ?? []);
  return inputs.length === 0 ? undefined : inputs.join(' ');
}

function writeResponse({ kind, response, http }: RecordedInteraction): { readonly [key: string]: Json } {
  if (response?.error !== undefined) return { error: { message: response.error }, status: errorStatus(http?.status) };
  if (kind === 'embedding') return { embedding: [...(recordedVector(http) ?? [])] };
  if (response === undefined) return { content: '' };
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

function errorStatus(status = 500): number {
  return status >= 400 ? status : 500;
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
