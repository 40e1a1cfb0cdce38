import { omitUndefined } from '../../../../json/fields';
import type { Json, JsonRecord } from '../../../../json/json';
import type { Interaction, Timing } from '../../../../model/interaction';
import type { ChatResponse, Message, ToolDefinition } from '../../../../model/message';
import type { Usage } from '../../../../model/usage';
import { listed } from '../../../../text/counts';
import { t } from '../../../../text/l10n';
import { weakMemo } from '../../../../text/memo';
import type { Problem, Span } from '../../../../text/source';
import { readToolCall } from '../../../../wire/shared/toolCalls';
import type { InteractionContent, InteractionReading } from '../../../lazyTape';
import { lazyRequest } from '../sessionLog';
import type { TraceSpan } from './traceTape';

/** A call of a model, as far as its span describes it. */
export interface ModelCall {
  readonly messages?: readonly Message[] | undefined;
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly params?: JsonRecord | undefined;
  readonly model?: string | undefined;
  readonly answer?: ChatResponse | undefined;
  readonly answeredModel?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly finishReason?: string | undefined;
  readonly error?: string | undefined;
  readonly timing?: Timing | undefined;
  /** In milliseconds since 1970. */
  readonly firstTokenAt?: number | undefined;
}

/**
 * A call of a model as the content of an interaction. Without an answer, tokens, or an error it has no response. `again` reads the call
 * again, since its messages take many times the memory of their text, and are not kept.
 */
function modelContent(kind: 'llm' | 'embedding', call: ModelCall, again: () => ModelCall): InteractionContent {
  const { messages = [], tools = [], params = {}, model, answer, usage, finishReason, error } = call;
  const answeredModel = call.answeredModel ?? answer?.model;
  const known = [answer, usage, finishReason, error, answeredModel].some((value) => value !== undefined);
  const response = omitUndefined({
    ...(answer ?? { content: null, toolCalls: [] }),
    model: answeredModel,
    usage: usage ?? answer?.usage,
    finishReason: finishReason ?? answer?.finishReason,
    error: error ?? answer?.error,
  });
  return omitUndefined({
    kind,
    request: lazyRequest(
      omitUndefined({ model, tools, params }),
      weakMemo(() => again().messages ?? [], messages),
    ),
    response: known ? response : undefined,
    timing: call.timing,
  });
}

export interface ToolUse {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: Interaction['declared'] | JsonRecord[string] | undefined;
  readonly result: ChatResponse | undefined;
  readonly error: string | undefined;
  readonly timing?: Timing | undefined;
}

/** A call of a tool as the content of an interaction. */
export function toolUseContent({ id, name, input, result, error, timing }: ToolUse): InteractionContent {
  const call = readToolCall(id, name, input);
  const isKnown = result !== undefined || error !== undefined;
  return omitUndefined({
    kind: 'tool' as const,
    request: { messages: [{ role: 'assistant', content: null, toolCalls: [call] }], tools: [], params: {} },
    response: isKnown ? omitUndefined({ ...(result ?? { content: null, toolCalls: [] }), error }) : undefined,
    timing,
  });
}

/** How the spans of a trace are read. */
export interface SpanReader<S> {
  call(span: S): ModelCall;
  tool(span: S): ToolUse;
  /** The problems of texts that were cut off. Asked last. */
  cutTexts(span: S, place: Span): readonly Problem[];
  /** What to do about a call whose messages or response are missing: a message. */
  readonly ifMissing: string;
}

/** Reads a span as an interaction, and again where its messages are asked for once more. */
export function readCallSpan<S>(
  kind: TraceSpan['kind'],
  place: Span,
  span: () => S,
  { call: read, tool, cutTexts, ifMissing }: SpanReader<S>,
): InteractionReading {
  const own = span();
  if (kind === 'tool') {
    const content = toolUseContent(tool(own));
    return { content, problems: cutTexts(own, place) };
  }
  const call = read(own);
  const content = modelContent(kind === 'embedding' ? kind : 'llm', call, () => read(span()));
  const missing = kind === 'embedding' ? [] : missingContent(place, call, t(ifMissing));
  return { content, problems: [...missing, ...cutTexts(own, place)] };
}

/** The times of a span, in milliseconds since 1970. */
export function spanTiming(
  start: number | undefined,
  end: number | undefined,
  first?: number | undefined,
): Timing | undefined {
  const durationMs = millisecondsAfter(start, end);
  const recordedAt = start !== undefined && Math.abs(start) <= LAST_TIME ? new Date(start).toISOString() : undefined;
  const timing = omitUndefined({ recordedAt, durationMs, firstTokenMs: millisecondsAfter(start, first) });
  return Object.keys(timing).length === 0 ? undefined : timing;
}

/** The end of the range of a `Date`. */
const LAST_TIME = 8.64e15;

function millisecondsAfter(start: number | undefined, end: number | undefined): number | undefined {
  if (start === undefined || end === undefined || !(end >= start)) return undefined;
  return Math.round((end - start) * 1000) / 1000;
}

/** A time as logs write it, in milliseconds since 1970. */
export function timeOfText(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 64) return undefined;
  const time = Date.parse(zoned(text));
  return Number.isNaN(time) ? undefined : time + microseconds(text);
}

/** A time as a text, or as a number since 1970, whose size tells its unit. In milliseconds. */
export function timeOfValue(value: Json | undefined): number | undefined {
  if (typeof value === 'string') return /^\d{10,20}$/.test(value) ? timeOfNumber(Number(value)) : timeOfText(value);
  return typeof value === 'number' || typeof value === 'bigint' ? timeOfNumber(Number(value)) : undefined;
}

/** Seconds, milliseconds, microseconds, or nanoseconds: each has a thousand times the size of the one before. */
export function timeOfNumber(time: number): number {
  if (time < 1e11) return time * 1e3;
  if (time < 1e14) return time;
  return time < 1e17 ? time / 1e3 : time / 1e6;
}

/** LangSmith and pandas write times of UTC without a zone. */
function zoned(text: string): string {
  return /\d{2}:\d{2}:\d{2}(?:\.\d+)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
}

/** What a `Date` leaves out of a fraction of a second. */
function microseconds(text: string): number {
  const [, digits = ''] = /\.\d{3}(\d{1,6})/.exec(text) ?? [];
  return digits === '' ? 0 : Number(`0.${digits}`);
}

/** A problem of a span: what is missing in the trace. */
export function traceProblem(place: Span, message: string, fix: string): Problem {
  const span = { start: place.start, end: Math.min(place.end, place.start + 1) };
  return { severity: 'warning', message, fix, span };
}

/** The problem of an export without content. Its requests match nothing. */
function missingContent(place: Span, { messages = [], answer, error }: ModelCall, how: string): Problem[] {
  const lacks = [
    ...(messages.length === 0 ? [t('the messages of the request')] : []),
    ...(answer === undefined && error === undefined ? [t('the response')] : []),
  ];
  return lacks.length === 0 ? [] : [traceProblem(place, t('the trace lacks {0}', listed(lacks)), how)];
}
