import { asRecord, omitUndefined } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import { salvageJson } from '../../json/readJson';
import type { Chunk, HttpExchange, ResponseEnding } from '../../model/http';
import type { InteractionKind, ProtocolId, Timing } from '../../model/interaction';
import type { ChatRequest, ChatResponse } from '../../model/message';
import { message, t } from '../../text/l10n';
import { contentBytes, type DecodedBody, decodeBody } from '../body/body';
import { type Frame, type FramesReading, parseFrames, readFrames } from '../body/frames';
import { modelInPath } from '../endpoints';
import { readGrpc } from '../grpc/readGrpc';
import { headerOf, urlPath } from '../http';
import type { Protocol, StreamEvent } from '../protocol';
import { readTalk } from '../realtime/readTalk';
import { carrierOf, talkOf } from '../realtime/talk';
import { httpErrorMessage } from '../shared/errors';
import { assignCallIds } from '../shared/toolCalls';
import { milliseconds } from '../shared/usage';
import { describeExchange, describeResponse } from './describeExchange';
import { detectPolledProtocol, detectProtocol } from './detectProtocol';
import {
  framesOfArray,
  type RecordedResponse,
  type ResponseReading,
  readResponse,
  toStreamEvents,
} from './readResponse';

/**
 * Reads a recorded HTTP exchange: its protocol, its request and its response. Never throws, and takes linear time.
 * An exchange that is not a model call has the kind `http`.
 */
export function readExchange(exchange: HttpExchange): ExchangeReading {
  try {
    const talk = talkOf(exchange);
    if (talk === undefined) return new ExchangeReader(exchange).read();
    const read = carrierOf(exchange) === 'grpc' ? readGrpc : readTalk;
    return { ...read(exchange, talk), problems: [] };
  } catch (error) {
    // Formats that store parsed JSON set no limit to its depth, so that the stack may overflow.
    const reason = error instanceof Error ? error.message : String(error);
    return {
      kind: 'http',
      problems: [{ part: 'response', message: t('The exchange could not be read: {0}.', reason) }],
    };
  }
}

class ExchangeReader {
  readonly #exchange: HttpExchange;
  readonly #path: string;
  readonly #requestBody: DecodedBody;
  readonly #responseBody: DecodedBody;
  readonly #stream: FramesReading | undefined;
  readonly #events: readonly StreamEvent[];

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange;
    this.#path = urlPath(exchange.url);
    this.#requestBody = decodeBody(exchange.requestBody, exchange.requestHeaders);
    this.#responseBody = decodeBody(exchange.responseBody, exchange.responseHeaders);
    this.#stream = readFrames(exchange.responseBody, this.#responseBody);
    this.#events = toStreamEvents(this.#stream?.frames ?? []);
  }

  read(): ExchangeReading {
    const protocol = this.#protocol();
    if (protocol === undefined) return this.#describe();
    const request = this.#readRequest(protocol);
    const { response, body, problems } = this.#readResponse(protocol);
    return omitUndefined({
      kind: protocol.kind,
      api: protocol.id,
      ...assignCallIds(omitUndefined({ request, response })),
      timing: reportedTiming(protocol, body),
      summary: vectorSummary(response),
      problems: [
        ...this.#bodyProblems(),
        ...inPart('request', this.#requestProblems(request)),
        ...inPart('response', problems),
        ...this.#ending(response),
      ],
    });
  }

  /** A model is called with POST; some responses are polled for with GET. */
  #protocol(): Protocol | undefined {
    const events = this.#events;
    const response = this.#stream === undefined ? this.#responseBody.json : undefined;
    const isCall = this.#exchange.method.toUpperCase() === 'POST' || events.length > 0;
    if (!isCall) return detectPolledProtocol(this.#path, response);
    const arrayEvents = toStreamEvents(framesOfArray(response) ?? []);
    return detectProtocol({
      path: this.#path,
      request: this.#requestBody.json,
      response,
      events: [...events, ...arrayEvents],
    });
  }

  #readRequest(protocol: Protocol): ChatRequest | undefined {
    const { json } = this.#requestBody;
    if (!isRecord(json)) return undefined;
    const request = protocol.readRequest(json);
    const model = request.model ?? modelInPath(this.#path);
    return omitUndefined({ ...request, model });
  }

  #requestProblems(request: ChatRequest | undefined): string[] {
    if (request !== undefined || this.#exchange.requestBody.type === 'none') return [];
    return [t('The request is not JSON; see the recorded body.')];
  }

  #readResponse(protocol: Protocol): ResponseReading {
    const { status, responseBody, responseHeaders } = this.#exchange;
    if (status === undefined && responseBody.type === 'none') return { problems: [] };
    if (status !== undefined && status >= 400) {
      const json = this.#responseBody.json ?? this.#stream?.frames.find((frame) => frame.json !== undefined)?.json;
      const error = httpErrorMessage(status, json, this.#responseBody.text, responseHeaders);
      return { response: { content: null, toolCalls: [], error }, problems: [] };
    }
    if (this.#stream !== undefined) return readResponse(protocol, { frames: this.#stream.frames });
    const { json } = this.#responseBody;
    const text = json === undefined ? this.#responseBody.text : undefined;
    if (text !== undefined && /^\s*[[{]/.test(text)) return this.#readBrokenResponse(protocol, text);
    const frames = json !== undefined && protocol.isResponse(json) ? undefined : framesOfJson(protocol, json);
    return readResponse(protocol, { json, frames, text });
  }

  /** Reads a response that was truncated or edited by hand, up to its first syntax error. */
  #readBrokenResponse(protocol: Protocol, text: string): ResponseReading {
    const json = salvageJson(text);
    const reading = readResponse(protocol, { json, frames: framesOfArray(json), text });
    return { ...reading, problems: [t('The response is not valid JSON; it was read up to the first error.')] };
  }

  #describe(): ExchangeReading {
    const { status, method, responseHeaders } = this.#exchange;
    const { json, text } = this.#responseBody;
    const failed = status !== undefined && status >= 400;
    const summary = failed ? httpErrorMessage(status, json, text, responseHeaders) : this.#summary(method, json, text);
    return omitUndefined({ kind: 'http', summary, problems: this.#bodyProblems() });
  }

  #summary(method: string, response: Json | undefined, responseText: string | undefined): string | undefined {
    return describeExchange({
      method,
      path: this.#path,
      request: this.#requestBody.json,
      response,
      responseText,
      events: this.#events,
      contentType: headerOf(this.#exchange.responseHeaders, 'content-type'),
      size: this.#responseSize(responseText),
    });
  }

  /** Of a compressed file, its own. */
  #responseSize(text: string | undefined): number {
    const { responseBody, responseHeaders } = this.#exchange;
    if (this.#responseBody.guesses > 0) return contentBytes(responseBody, responseHeaders).length;
    return text?.length ?? this.#responseBody.bytes.length;
  }

  #bodyProblems(): ExchangeProblem[] {
    return [
      ...inPart('request', this.#requestBody.problems, this.#requestBody.isDamaged),
      ...inPart('response', this.#responseBody.problems, this.#responseBody.isDamaged),
      ...[unsearchedIn('request', this.#requestBody), unsearchedIn('response', this.#responseBody)].flat(),
      ...inPart('response', this.#stream?.problems ?? []),
    ];
  }

  #ending(response: ChatResponse | undefined): ExchangeProblem[] {
    return response?.endedEarly === true ? [endingProblem(this.#exchange.ended)] : [];
  }
}

/** The events of a stream that is one JSON value: a list of them, or the only one that was received. */
function framesOfJson(protocol: Protocol, json: Json | undefined): readonly Frame[] | undefined {
  const frames = framesOfArray(json) ?? framesOfArray(json === undefined ? undefined : [json]);
  return Array.isArray(json) || toStreamEvents(frames ?? []).some((event) => protocol.isEvent(event))
    ? frames
    : undefined;
}

function inPart(part: ExchangeProblem['part'], sentences: readonly string[], isDefect = false): ExchangeProblem[] {
  return sentences.map((message) => (isDefect ? { part, message, isDefect } : { part, message }));
}

const LOOK = message('Look for secrets in it yourself. A recording leaves out what is too large to be searched.');

function unsearchedIn(part: ExchangeProblem['part'], { unsearched }: DecodedBody): ExchangeProblem[] {
  return unsearched === undefined ? [] : [{ part, message: unsearched, isDefect: true, fix: t(LOOK) }];
}

const ENDINGS: Readonly<Record<ResponseEnding, string>> = {
  closed: message('The recorded stream ends early: the provider closed the connection.'),
  reset: message('The recorded stream ends early: the connection was reset.'),
  silent: message('The recorded stream ends early: the provider sent nothing more.'),
};

/** A recorder that knows how a stream ended has recorded it as it was; any other tape has lost the end. */
function endingProblem(ended: ResponseEnding | undefined): ExchangeProblem {
  if (ended !== undefined) return { part: 'response', message: t(ENDINGS[ended]) };
  const cutOff = t('The recorded stream ends early: the event with which a complete one ends is missing.');
  return { part: 'response', message: cutOff, isDefect: true };
}

/** The members of an `Interaction` that can be read from an exchange. */
export interface ExchangeReading {
  readonly kind: InteractionKind;
  /** Absent if the exchange is not a model call. */
  readonly api?: ProtocolId;
  readonly request?: ChatRequest;
  readonly response?: ChatResponse;
  /** As the provider reports it in its response. */
  readonly timing?: Timing;
  /** A few words about an exchange that is not a chat. */
  readonly summary?: string;
  readonly problems: readonly ExchangeProblem[];
}

/** What could not be read of an exchange. */
export interface ExchangeProblem {
  readonly part: 'request' | 'response';
  /** A sentence. */
  readonly message: string;
  /** It has to be looked at. Without a `fix`, the tape is damaged: a replay would differ from what was recorded. */
  readonly isDefect?: true;
  readonly fix?: string;
}

/** Reads a JSON response whose request was not recorded; its shape decides the protocol, and `http` means none fits. */
export function readResponseJson(json: Json): ExchangeReading {
  const frames = framesOfArray(json);
  return readResponseOnly({ json, frames }, []);
}

/** Reads a stream whose request was not recorded: its chunks, or only their data, in order. */
export function readResponseFrames(chunks: readonly (string | Chunk)[]): ExchangeReading {
  const { frames, problems } = parseFrames(
    chunks.map((chunk) => (typeof chunk === 'string' ? { data: chunk } : chunk)),
  );
  return readResponseOnly({ frames }, problems);
}

function readResponseOnly({ json, frames = [] }: RecordedResponse, sentences: readonly string[]): ExchangeReading {
  const problems = inPart('response', sentences);
  const protocol = detectProtocol({ request: undefined, response: json, events: toStreamEvents(frames) });
  if (protocol === undefined) return omitUndefined({ kind: 'http', summary: describeResponse(json), problems });
  const isUnstreamed = json !== undefined && protocol.isResponse(json);
  const { response, body, problems: unread } = readResponse(protocol, isUnstreamed ? { json } : { frames });
  return omitUndefined({
    kind: protocol.kind,
    api: protocol.id,
    ...assignCallIds(omitUndefined({ response })),
    timing: reportedTiming(protocol, body),
    summary: vectorSummary(response),
    problems: [
      ...problems,
      ...inPart('response', unread),
      ...(response?.endedEarly === true ? [endingProblem(undefined)] : []),
    ],
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

/** Such as `3 vectors with 1536 dimensions`; undefined for a response without vectors. */
function vectorSummary(response: ChatResponse | undefined): string | undefined {
  const embeddings = response?.parts?.find((part) => part.type === 'embeddings');
  if (embeddings === undefined) return undefined;
  const { count, dimensions } = embeddings;
  const vectors = `${count} ${count === 1 ? 'vector' : 'vectors'}`;
  return dimensions === undefined ? vectors : `${vectors} with ${dimensions} dimensions`;
}
