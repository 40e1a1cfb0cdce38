import { asRecord, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json } from '../../json/json';
import type { Chunk } from '../../model/http';
import type { ChatResponse } from '../../model/message';
import type { Frame } from '../body/frames';
import type { Protocol, StreamEvent } from '../protocol';
import { streamError } from '../shared/errors';
import { isRecognised, unknownPart } from '../shared/messages';

/** An answer as its body has it. */
export interface RecordedResponse {
  readonly json?: Json | undefined;
  readonly frames?: readonly Frame[] | undefined;
  /** The text of a body that is neither. */
  readonly text?: string | undefined;
}

/** A response, the answer that it was read from as one piece, and what was not understood of it. */
export interface ResponseReading {
  readonly response?: ChatResponse;
  readonly whole?: Json;
  readonly problems: readonly string[];
}

/** The frames as protocols look at them. */
export function toStreamEvents(frames: readonly Frame[]): StreamEvent[] {
  return frames.map(({ event, data, json }) => omitUndefined({ event, data, json: asRecord(json) }));
}

/** Gemini answers a stream that is not asked for events with one list of its pieces. */
export function framesOfArray(json: Json | undefined): readonly Frame[] | undefined {
  if (!Array.isArray(json) || json.length === 0 || !json.every(isRecord)) return undefined;
  return json.map((item) => ({ data: compactJson(item), json: item }));
}

/** Reads an answer by the rules of its protocol. What is not understood of it stays visible as it is. */
export function readResponse(protocol: Protocol, { json, frames, text }: RecordedResponse): ResponseReading {
  if (frames !== undefined) return readStream(protocol, frames);
  if (json !== undefined) return withUnreadParts(protocol.readResponse(json), json);
  if (text === undefined || text.trim() === '') return { problems: ['No answer was recorded.'] };
  return { ...asUnknownPart(text), problems: ['The answer is no JSON; it is shown as it was recorded.'] };
}

function readStream(protocol: Protocol, frames: readonly Frame[]): ResponseReading {
  const events = toStreamEvents(frames);
  const whole = joinFrames(protocol, events);
  const chunks = frames.map(({ json: _, ...chunk }): Chunk => chunk);
  const response = protocol.readResponse(whole);
  return withUnreadParts(omitUndefined({ ...response, chunks, error: streamError(frames) ?? response.error }), whole);
}

/** A stream of one frame may hold a whole answer. */
function joinFrames(protocol: Protocol, events: readonly StreamEvent[]): Json {
  const whole = events.find(
    ({ json }) => protocol.isResponse(json) && !events.some((event) => protocol.isEvent(event)),
  );
  return whole?.json ?? protocol.joinStream(events);
}

function withUnreadParts(response: ChatResponse, whole: Json): ResponseReading {
  if (isRecognised(response)) return { response, whole, problems: [] };
  const { response: raw } = asUnknownPart(whole);
  return {
    response: { ...response, ...raw },
    whole,
    problems: ['The answer was not understood; it is shown as it was recorded.'],
  };
}

function asUnknownPart(raw: Json): { readonly response: ChatResponse } {
  return { response: { content: null, parts: [unknownPart(raw)], toolCalls: [] } };
}
