import { setMaxListeners } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { errorCode } from '../errors/systemError';
import type { CapturedPiece, CapturedResponse } from './capturedResponse';
import { hasBody } from './capturedResponse';

/** More than any answer of a model. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
/** How long an upstream may say nothing: as long as SDKs wait by themselves. */
export const UPSTREAM_TIMEOUT_MS = 10 * 60_000;
/** A client that stopped listening may still want the whole answer on its tape. */
const DRAIN_MS = 30_000;

const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|expect|x-tapedeck-.*|x-test-id)$/i;
const NOT_RETURNED = /^(?:connection|keep-alive|transfer-encoding|proxy-.*|trailer|upgrade)$/i;

/** The upstream gave no answer, for this reason: nothing was sent to the client yet. */
export interface Unreachable {
  readonly unreachable: string;
}

/** Asks upstreams for as long as a session lasts. */
export class Forwarder {
  readonly #timeoutMs: number;
  readonly #end = new AbortController();

  constructor(timeoutMs = UPSTREAM_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
    // Each call in progress listens.
    setMaxListeners(0, this.#end.signal);
  }

  /**
   * Asks the upstream, over a connection of its own, and passes its answer on piece by piece as it comes. Resolves with
   * all of it when it has ended or broken off. With `drain`, a client that goes away does not end it.
   */
  forward(
    request: IncomingMessage,
    body: Buffer,
    target: URL,
    response: ServerResponse,
    drain: boolean,
  ): Promise<CapturedResponse | Unreachable> {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const call = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
        method: request.method ?? 'GET',
        agent: false,
        headers: forwardedHeaders(request.rawHeaders, body.length, target.host),
        signal: this.#end.signal,
      });
      call.setTimeout(this.#timeoutMs, () => call.destroy(new Error(`nothing came for ${this.#timeoutMs / 1000} s`)));
      response.once('close', () => {
        if (response.writableFinished) return;
        if (drain) setTimeout(() => call.destroy(), DRAIN_MS).unref();
        else call.destroy();
      });
      call.once('error', (error) => resolve({ unreachable: errorCode(error) ?? error.message }));
      call.once('response', (answer) => {
        // What breaks from now on is seen at the answer.
        call.on('error', () => undefined);
        passOn(answer, response, started).then(resolve, reject);
      });
      call.end(body);
    });
  }

  /** Ends what is still asked. */
  close(): void {
    this.#end.abort();
  }
}

function passOn(answer: IncomingMessage, response: ServerResponse, started: number): Promise<CapturedResponse> {
  const status = answer.statusCode ?? 502;
  const headers = pairs(answer.rawHeaders);
  const pieces: CapturedPiece[] = [];
  let length = 0;
  let last = started;
  if (!response.destroyed) {
    response.writeHead(status, headers.filter(([name]) => !NOT_RETURNED.test(name)).flat());
    if (hasBody(status)) response.flushHeaders();
  }
  answer.on('data', (bytes: Buffer) => {
    const now = performance.now();
    pieces.push({ bytes, delayMs: now - last });
    last = now;
    length += bytes.length;
    if (length > MAX_RESPONSE_BYTES) answer.destroy();
    else if (!response.destroyed && !response.write(bytes)) applyBackpressure(answer, response);
  });
  return new Promise((resolve) => {
    answer.on('error', () => undefined);
    answer.once('close', () => {
      const cutOff = !answer.complete;
      // What came incomplete must not look complete.
      if (cutOff) response.destroy();
      else response.end();
      const firstPieceMs = pieces[0]?.delayMs;
      resolve({ status, headers, pieces, durationMs: performance.now() - started, firstPieceMs, cutOff });
    });
  });
}

/** A slow client slows its own upstream down, and fills no memory. */
function applyBackpressure(answer: IncomingMessage, response: ServerResponse): void {
  answer.pause();
  const resume = () => {
    response.off('drain', resume);
    response.off('close', resume);
    answer.resume();
  };
  response.on('drain', resume);
  response.on('close', resume);
}

function forwardedHeaders(raw: readonly string[], length: number, host: string): string[] {
  const kept = pairs(raw).filter(([name]) => !NOT_FORWARDED.test(name));
  // Tapes hold plain text, and so does what the agent gets.
  kept.push(['host', host], ['accept-encoding', 'identity']);
  if (length > 0) kept.push(['content-length', String(length)]);
  return kept.flat();
}

function pairs(raw: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) list.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return list;
}
