import type { Json } from '../json/json';
import { isRecord } from '../json/json';
import type { ChatRequest, HttpExchange } from '../tapes/tape';
import { type DecodedBody, decodeBody, headerOf } from './body';
import { httpFailure } from './failure';
import { present } from './fields';
import { type FramesReading, readFrames } from './frames';
import { describeOther } from './otherEndpoints';
import { salvageJson } from './parseJson';
import { detectFetched, detectProtocol } from './protocols';
import { eventsOf, framesOfList, readAnswer } from './readAnswer';
import { reportedTiming } from './reportedTiming';
import { nameCalls } from './toolCalls';
import { vectorSummary } from './vectorSummary';
import { modelInPath, wirePath } from './wirePath';
import type { StreamEvent, WireProtocol } from './wireProtocol';
import type { WireReading } from './wireReading';

/**
 * Reads a recorded HTTP exchange: which protocol it speaks, what was asked and what was answered. Total: whatever was
 * recorded, it neither throws nor takes more than the time to read it. What is no call of a model is `http`.
 */
export function readExchange(exchange: HttpExchange): WireReading {
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
    this.#path = wirePath(exchange.url);
    this.#request = decodeBody(exchange.requestBody, exchange.requestHeaders);
    this.#response = decodeBody(exchange.responseBody, exchange.responseHeaders);
    this.#stream = readFrames(exchange.responseBody, this.#response);
    this.#events = eventsOf(this.#stream?.frames ?? []);
  }

  read(): WireReading {
    const protocol = this.#protocol();
    if (protocol === undefined) return this.#other();
    const request = this.#readRequest(protocol);
    const answer = this.#readAnswer(protocol);
    return present({
      kind: protocol.kind,
      api: protocol.api,
      ...nameCalls(present({ request, response: answer.response })),
      timing: reportedTiming(answer.whole),
      summary: vectorSummary(answer.response),
      problems: [...this.#problems(), ...this.#requestProblems(request), ...answer.problems],
    });
  }

  /** Models are asked with POST; the answers of some are fetched apart. */
  #protocol(): WireProtocol | undefined {
    const events = this.#events;
    const response = this.#stream === undefined ? this.#response.json : undefined;
    const isAsked = this.#exchange.method.toUpperCase() === 'POST' || events.length > 0;
    if (!isAsked) return detectFetched(this.#path, response);
    const listed = eventsOf(framesOfList(response) ?? []);
    return detectProtocol({ path: this.#path, request: this.#request.json, response, events: [...events, ...listed] });
  }

  #readRequest(protocol: WireProtocol): ChatRequest | undefined {
    const { json } = this.#request;
    if (!isRecord(json)) return undefined;
    const request = protocol.readRequest(json);
    const model = request.model ?? modelInPath(this.#path);
    return present({ ...request, model });
  }

  #requestProblems(request: ChatRequest | undefined): string[] {
    if (request !== undefined || this.#exchange.requestBody.type === 'none') return [];
    return ['The request is no JSON; it is only in the recorded body.'];
  }

  #readAnswer(protocol: WireProtocol): ReturnType<typeof readAnswer> {
    const { status, responseBody, responseHeaders } = this.#exchange;
    if (status === undefined && responseBody.type === 'none') return { problems: [] };
    if (status !== undefined && status >= 400) {
      const json = this.#response.json ?? this.#stream?.frames.find((frame) => frame.json !== undefined)?.json;
      const error = httpFailure(status, json, this.#response.text, responseHeaders);
      return { response: { content: null, toolCalls: [], error }, problems: [] };
    }
    if (this.#stream !== undefined) return readAnswer(protocol, { frames: this.#stream.frames });
    const { json } = this.#response;
    const text = json === undefined ? this.#response.text : undefined;
    if (text !== undefined && /^\s*\{/.test(text)) return this.#readBroken(protocol, text);
    const frames = json !== undefined && protocol.isResponse(json) ? undefined : framesOfList(json);
    return readAnswer(protocol, { json, frames, text });
  }

  /** An answer that was cut off, or that a hand has edited: what comes before the mistake counts. */
  #readBroken(protocol: WireProtocol, text: string): ReturnType<typeof readAnswer> {
    const answer = readAnswer(protocol, { json: salvageJson(text), text });
    return { ...answer, problems: ['The answer is no valid JSON; what comes before the mistake was read.'] };
  }

  #other(): WireReading {
    const { status, method, responseHeaders } = this.#exchange;
    const { json, text } = this.#response;
    const failed = status !== undefined && status >= 400;
    const summary = failed ? httpFailure(status, json, text, responseHeaders) : this.#summary(method, json, text);
    return present({ kind: 'http', summary, problems: this.#problems() });
  }

  #summary(method: string, response: Json | undefined, responseText: string | undefined): string | undefined {
    return describeOther({
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
