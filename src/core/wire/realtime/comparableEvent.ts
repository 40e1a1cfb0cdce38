import { asList, asRecord } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';

/**
 * A message of a client with its parts where requests have them: the model, the instructions, what is said, and the tools. So the same
 * words are found for what differs in it. What is no object stays as it is.
 */
export function comparableEvent(event: Json): Json {
  if (!isRecord(event)) return event;
  // It only numbers the events of a client.
  const { event_id: _, ...said } = event;
  const [wrapper] = WRAPPERS.filter((name) => isRecord(said[name]));
  const { item, ...others } = wrapper === undefined ? said : unwrapped(said, wrapper);
  const { call_id } = asRecord(item);
  return asRequest({
    ...others,
    ...(item !== undefined && { input: [item] }),
    // In a request, the ids of calls are counted; here, the server has named the call.
    ...(call_id !== undefined && { call_id }),
  });
}

/** The members that hold a request: OpenAI's Realtime, then Gemini's Live. */
const WRAPPERS = ['session', 'response', 'setup', 'clientContent', 'client_content', 'toolResponse', 'tool_response'];

/** `setup` says what kind of message it is, as `type` does elsewhere. */
function unwrapped(said: JsonRecord, wrapper: string): JsonRecord {
  const { [wrapper]: inner, ...others } = said;
  const { type, ...members } = asRecord(inner);
  return {
    ...others,
    ...(said.type === undefined ? { type: wrapper } : {}),
    ...(type === undefined ? {} : { [`${wrapper}.type`]: type }),
    ...members,
  };
}

/** What Gemini's Live calls turns and results, under the name that its requests have for them. */
function asRequest(said: JsonRecord): JsonRecord {
  const { turns, functionResponses, function_responses: alike, ...others } = said;
  const results = asList(functionResponses ?? alike);
  const contents =
    turns ??
    (results.length > 0 ? [{ role: 'user', parts: results.map((one) => ({ functionResponse: one })) }] : undefined);
  if (contents === undefined) return others;
  const ids = results.flatMap((result) => asRecord(result).id ?? []);
  return { ...others, contents, ...(ids.length > 0 && { id: ids }) };
}

/** The name by which people know a message, such as `session.update` or `setup`. */
export function eventName(event: Json | undefined): string | undefined {
  if (!isRecord(event)) return undefined;
  return typeof event.type === 'string' ? event.type : Object.keys(event)[0];
}

/** Audio in a message of a client, and all else that the message says. */
interface AudioEvent {
  readonly audio: string;
  readonly others: Json;
}

/** The audio, as base64, of an event that adds some to the user's; undefined for any other. */
export function audioIn(event: Json | undefined): AudioEvent | undefined {
  if (!isRecord(event)) return undefined;
  if (event.type === 'input_audio_buffer.append' && typeof event.audio === 'string') {
    const { audio, event_id: _, ...others } = event;
    return { audio, others };
  }
  const input = asRecord(event.realtimeInput ?? event.realtime_input);
  const [chunk] = asList(input.mediaChunks ?? input.media_chunks);
  const { data, ...others } = asRecord(input.audio ?? chunk);
  return typeof data === 'string' && Object.keys(input).length === 1 ? { audio: data, others } : undefined;
}
