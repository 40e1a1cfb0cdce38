import { asRecord, omitUndefined } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import { salvageJson } from '../../json/readJson';
import type { Chunk, HttpExchange } from '../../model/http';
import type { InteractionKind, ProtocolId, Timing } from '../../model/interaction';
import type { ChatRequest, ChatResponse } from '../../model/message';
import { type DecodedBody, decodeBody } from '../body/body';
import { type FramesReading, parseFrames, readFrames } from '../body/frames';
import { headerOf, modelInPath, urlPath } from '../http';
import type { Protocol, StreamEvent } from '../protocol';
import { httpErrorMessage } from '../shared/errors';
import { assignCallIds } from '../shared/toolCalls';
import { milliseconds } from '../shared/usage';
import { describeExchange, describeResponse } from './describeExchange';
import { detectPolledProtocol, detectProtocol } from './detectProtocol';
import { framesOfArray, type RecordedResponse, readResponse, toStreamEvents } from './readResponse';

/**
 * Reads a recorded HTTP exchange: which protocol it speaks, what was asked and what was answered. Total: whatever was
 * recorded, it neither throws nor takes more than the time to read it. What is no call of a model is `http`.
 */
export function readExchange(exchange: HttpExchange): ExchangeReading {
  try {
    return new ExchangeReader(exchange).read();
  } catch (error) {
    // Formats hand over values that they have parsed themselves: nothing bounds how deep those are.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'http', problems: [`The exchange could not be read: ${reason}.`] };
  }
}

class ExchangeReader {
  readonly #exchange: HttpExchange;
  readonly #path: string;
  readonly #request: DecodedBody;
  readonly #response: DecodedBody;
  readonly #stream: FramesReading | undefined;
  readonly #events: readonly StreamEvent[];

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange;
    this.#path = urlPath(exchange.url);
    this.#request = decodeBody(exchange.requestBody, exchange.requestHeaders);
    this.#response = decodeBody(exchange.responseBody, exchange.responseHeaders);
    this.#stream = readFrames(exchange.responseBody, this.#response);
    this.#events = toStreamEvents(this.#stream?.frames ?? []);
  }

  read(): ExchangeReading {
    const protocol = this.#protocol();
    if (protocol === undefined) return this.#other();
    const request = this.#readRequest(protocol);
    const answer = this.#readAnswer(protocol);
    return omitUndefined({
      kind: protocol.kind,
      api: protocol.id,
      ...assignCallIds(omitUndefined({ request, response: answer.response })),
      timing: reportedTiming(protocol, answer.whole),
      summary: vectorSummary(answer.response),
      problems: [...this.#problems(), ...this.#requestProblems(request), ...answer.problems],
    });
  }

  /** Models are asked with POST; the answers of some are fetched apart. */
  #protocol(): Protocol | undefined {
    const events = this.#events;
    const response = this.#stream === undefined ? this.#response.json : undefined;
    const isAsked = this.#exchange.method.toUpperCase() === 'POST' || events.length > 0;
    if (!isAsked) return detectPolledProtocol(this.#path, response);
    const listed = toStreamEvents(framesOfArray(response) ?? []);
    return detectProtocol({ path: this.#path, request: this.#request.json, response, events: [...events, ...listed] });
  }

  #readRequest(protocol: Protocol): ChatRequest | undefined {
    const { json } = this.#request;
    if (!isRecord(json)) return undefined;
    const request = protocol.readRequest(json);
    const model = request.model ?? modelInPath(this.#path);
    return omitUndefined({ ...request, model });
  }

  #requestProblems(request: ChatRequest | undefined): string[] {
    if (request !== undefined || this.#exchange.requestBody.type === 'none') return [];
    return ['The request is no JSON; it is only in the recorded body.'];
  }

  #readAnswer(protocol: Protocol): ReturnType<typeof readResponse> {
    const { status, responseBody, responseHeaders } = this.#exchange;
    if (status === undefined && responseBody.type === 'none') return { problems: [] };
    if (status !== undefined && status >= 400) {
      const json = this.#response.json ?? this.#stream?.frames.find((frame) => frame.json !== undefined)?.json;
      const error = httpErrorMessage(status, json, this.#response.text, responseHeaders);
      return { response: { content: null, toolCalls: [], error }, problems: [] };
    }
    if (this.#stream !== undefined) return readResponse(protocol, { frames: this.#stream.frames });
    const { json } = this.#response;
    const text = json === undefined ? this.#response.text : undefined;
    if (text !== undefined && /^\s*\{/.test(text)) return this.#readBroken(protocol, text);
    const frames = json !== undefined && protocol.isResponse(json) ? undefined : framesOfArray(json);
    return readResponse(protocol, { json, frames, text });
  }

  /** An answer that was cut off, or that a hand has edited: what comes before the mistake counts. */
  #readBroken(protocol: Protocol, text: string): ReturnType<typeof readResponse> {
    const answer = readResponse(protocol, { json: salvageJson(text), text });
    return { ...answer, problems: ['The answer is no valid JSON; what comes before the mistake was read.'] };
  }

  #other(): ExchangeReading {
    const { status, method, responseHeaders } = this.#exchange;
    const { json, text } = this.#response;
    const failed = status !== undefined && status >= 400;
    const summary = failed ? httpErrorMessage(status, json, text, responseHeaders) : this.#summary(method, json, text);
    return omitUndefined({ kind: 'http', summary, problems: this.#problems() });
  }

  #summary(method: string, response: Json | undefined, responseText: string | undefined): string | undefined {
    return describeExchange({
      method,
      path: this.#path,
      request: this.#request.json,
      response,
      responseText,
      events: this.#events,
      contentType: headerOf(this.#exchange.responseHeaders, 'content-type'),
      size: responseText?.length ?? this.#response.bytes.length,
    });
  }

  #problems(): string[] {
    return [...this.#request.problems, ...this.#response.problems, ...(this.#stream?.problems ?? [])];
  }
}

/** What an exchange is about: as much of an `Interaction` as the wire can tell. */
export interface ExchangeReading {
  readonly kind: InteractionKind;
  /** Absent where the exchange is no call of a model. */
  readonly api?: ProtocolId;
  readonly request?: ChatRequest;
  readonly response?: ChatResponse;
  /** What the provider itself says about the time. */
  readonly timing?: Timing;
  /** A few words about what is no chat. */
  readonly summary?: string;
  /** What could not be read, as sentences. */
  readonly problems: readonly string[];
}

/** For recordings that keep only what was answered: the protocol is told by the shape of the answer alone. */

/** Reads an answer that came as one piece of JSON. `http` where no protocol answers like this. */
export function readResponseJson(json: Json): ExchangeReading {
  const frames = framesOfArray(json);
  return readResponseOnly({ json, frames }, []);
}

/** Reads an answer that came as a stream: the data of its events, in their order. */
export function readResponseFrames(pieces: readonly (string | Chunk)[]): ExchangeReading {
  const { frames, problems } = parseFrames(
    pieces.map((piece) => (typeof piece === 'string' ? { data: piece } : piece)),
  );
  return readResponseOnly({ frames }, problems);
}

function readResponseOnly({ json, frames = [] }: RecordedResponse, problems: readonly string[]): ExchangeReading {
  const protocol = detectProtocol({ request: undefined, response: json, events: toStreamEvents(frames) });
  if (protocol === undefined) return omitUndefined({ kind: 'http', summary: describeResponse(json), problems });
  const isWhole = json !== undefined && protocol.isResponse(json);
  const answer = readResponse(protocol, isWhole ? { json } : { frames });
  return omitUndefined({
    kind: protocol.kind,
    api: protocol.id,
    ...assignCallIds(omitUndefined({ response: answer.response })),
    timing: reportedTiming(protocol, answer.whole),
    summary: vectorSummary(answer.response),
    problems: [...problems, ...answer.problems],
  });
}

/** The durations in a response: those of its protocol, and those that Bedrock adds to any response of `invoke`. */
function reportedTiming(protocol: Protocol, response: Json | undefined): Timing | undefined {
  const metrics = asRecord(asRecord(response)['amazon-bedrock-invocationMetrics']);
  const timing = omitUndefined({
    durationMs: milliseconds(metrics.invocationLatency),
    firstTokenMs: milliseconds(metrics.firstByteLatency),
    ...(response !== undefined && protocol.reportedTiming?.(response)),
  });
  return timing.durationMs === undefined ? undefined : timing;
}

/** `3 vectors of 1536 numbers`; undefined for an answer without vectors. */
export function vectorSummary(response: ChatResponse | undefined): string | undefined {
  const found = response?.parts?.find((part) => part.type === 'embeddings');
  if (found === undefined) return undefined;
  const vectors = `${found.count} ${found.count === 1 ? 'vector' : 'vectors'}`;
  return found.dimensions === undefined ? vectors : `${vectors} of ${found.dimensions} numbers`;
}
