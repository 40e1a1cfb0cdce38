import { isRecord, type Json } from '../json/json';
import type { ChatResponse, Chunk } from '../tapes/tape';
import { compactJson } from './compactJson';
import { errorInStream } from './failure';
import { present, recordOf } from './fields';
import type { Frame } from './frames';
import { unknownPart } from './parts';
import type { StreamEvent, WireProtocol } from './wireProtocol';

/** An answer as its body has it. */
export interface Answer {
  readonly json?: Json | undefined;
  readonly frames?: readonly Frame[] | undefined;
  /** The text of a body that is neither. */
  readonly text?: string | undefined;
}

/** A response, the answer that it was read from as one piece, and what was not understood of it. */
export interface AnswerReading {
  readonly response?: ChatResponse;
  readonly whole?: Json;
  readonly problems: readonly string[];
}

/** The frames as protocols look at them. */
export function eventsOf(frames: readonly Frame[]): StreamEvent[] {
  return frames.map(({ event, data, json }) => present({ event, data, json: recordOf(json) }));
}

/** Gemini answers a stream that is not asked for events with one list of its pieces. */
export function framesOfList(json: Json | undefined): readonly Frame[] | undefined {
  if (!Array.isArray(json) || json.length === 0 || !json.every(isRecord)) return undefined;
  return json.map((item) => ({ data: compactJson(item), json: item }));
}

/** Reads an answer by the rules of its protocol. What is not understood of it stays visible as it is. */
export function readAnswer(protocol: WireProtocol, { json, frames, text }: Answer): AnswerReading {
  if (frames !== undefined) return readStream(protocol, frames);
  if (json !== undefined) return checked(protocol.readResponse(json), json);
  if (text === undefined || text.trim() === '') return { problems: ['No answer was recorded.'] };
  return { ...unread(text), problems: ['The answer is no JSON; it is shown as it was recorded.'] };
}

function readStream(protocol: WireProtocol, frames: readonly Frame[]): AnswerReading {
  const events = eventsOf(frames);
  const whole = joined(protocol, events);
  const chunks = frames.map(({ json: _, ...chunk }): Chunk => chunk);
  const response = protocol.readResponse(whole);
  return checked(present({ ...response, chunks, error: errorInStream(frames) ?? response.error }), whole);
}

/** A stream of one frame may hold a whole answer. */
function joined(protocol: WireProtocol, events: readonly StreamEvent[]): Json {
  const whole = events.find(
    ({ json }) => protocol.isResponse(json) && !events.some((event) => protocol.isEvent(event)),
  );
  return whole?.json ?? protocol.join(events);
}

function checked(response: ChatResponse, whole: Json): AnswerReading {
  if (isUnderstood(response)) return { response, whole, problems: [] };
  const { response: raw } = unread(whole);
  return {
    response: { ...response, ...raw },
    whole,
    problems: ['The answer was not understood; it is shown as it was recorded.'],
  };
}

/** Whether an answer says anything: one that is still to come does not. */
export function isUnderstood({ content, parts, toolCalls, error, finishReason }: ChatResponse): boolean {
  return (
    content !== null || parts !== undefined || toolCalls.length > 0 || error !== undefined || finishReason !== undefined
  );
}

function unread(raw: Json): { readonly response: ChatResponse } {
  return { response: { content: null, parts: [unknownPart(raw)], toolCalls: [] } };
}
