import { asRecord, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json } from '../../json/json';
import type { Chunk } from '../../model/http';
import type { ChatResponse } from '../../model/message';
import { t } from '../../text/l10n';
import type { Frame } from '../body/frames';
import type { Protocol, StreamEvent } from '../protocol';
import { streamError } from '../shared/errors';
import { isRecognised, unknownPart } from '../shared/messages';

/** A response as it is in its body. */
export interface RecordedResponse {
  readonly json?: Json | undefined;
  readonly frames?: readonly Frame[] | undefined;
  /** The text of a body that is neither JSON nor a stream. */
  readonly text?: string | undefined;
}

/** A response, the joined body that it was read from, and errors as sentences. */
export interface ResponseReading {
  readonly response?: ChatResponse;
  readonly body?: Json;
  readonly problems: readonly string[];
}

/** Frames in the form that protocols read. */
export function toStreamEvents(frames: readonly Frame[]): StreamEvent[] {
  return frames.map(({ event, data, json }) => omitUndefined({ event, data, json: asRecord(json) }));
}

/** The frames of a stream that came as one JSON array, as Gemini sends it unless server-sent events are requested. */
export function framesOfArray(json: Json | undefined): readonly Frame[] | undefined {
  if (!Array.isArray(json) || json.length === 0 || !json.every(isRecord)) return undefined;
  return json.map((item) => ({ data: compactJson(item), json: item }));
}

/** Reads a response with its protocol. A response in which nothing is recognised becomes an unknown part. */
export function readResponse(protocol: Protocol, { json, frames, text }: RecordedResponse): ResponseReading {
  if (frames !== undefined) return readStream(protocol, frames);
  if (json !== undefined) return withUnreadParts(protocol.readResponse(json), json);
  if (text === undefined || text.trim() === '') return { problems: [t('No response was recorded.')] };
  return { ...asUnknownPart(text), problems: [t('The response is not JSON; it is shown as recorded.')] };
}

function readStream(protocol: Protocol, frames: readonly Frame[]): ResponseReading {
  const events = toStreamEvents(frames);
  const body = joinFrames(protocol, events);
  const chunks = frames.map(({ json: _, ...chunk }): Chunk => chunk);
  const response = protocol.readResponse(body);
  const error = streamError(frames) ?? response.error;
  const endedEarly = error === undefined && isCutOff(protocol, events) ? (true as const) : undefined;
  return withUnreadParts(omitUndefined({ ...response, chunks, error, endedEarly }), body);
}

function isCutOff({ isEvent, endsStream }: Protocol, events: readonly StreamEvent[]): boolean {
  return endsStream !== undefined && events.some(isEvent) && !events.some(endsStream);
}

/** A frame may hold an entire unstreamed response. */
function joinFrames(protocol: Protocol, events: readonly StreamEvent[]): Json {
  const isStream = events.some((event) => protocol.isEvent(event));
  const unstreamed = isStream ? undefined : events.find(({ json }) => protocol.isResponse(json));
  return unstreamed?.json ?? protocol.joinStream(events);
}

function withUnreadParts(response: ChatResponse, body: Json): ResponseReading {
  if (isRecognised(response)) return { response, body, problems: [] };
  const { response: raw } = asUnknownPart(body);
  return {
    response: { ...response, ...raw },
    body,
    problems: [t('The response has an unsupported form; it is shown as recorded.')],
  };
}

function asUnknownPart(raw: Json): { readonly response: ChatResponse } {
  return { response: { content: null, parts: [unknownPart(raw)], toolCalls: [] } };
}
