import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHeader } from '../../core/model/http';
import { t } from '../../core/text/l10n';
import { errorCode } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { signedAnew } from './awsSignature';
import { type CapturedPiece, type CapturedResponse, hasBody, type Unreachable } from './capturedResponse';
import type { GrpcServerLine } from './grpc';
import { headerPairs } from './headerPairs';
import { type KeyedRequest, withHeldKeys } from './heldKeys';
import { startRequest } from './outgoing';
import type { NetworkPolicy } from './policy';
import type { UpstreamSocket } from './webSocket';

/** How much of a response is held where it is changed before it is passed on: more than any response of a model has. */
const MAX_CHANGED_BYTES = 256 * 1024 * 1024;
/** How much of a response is kept for a recording. What follows is passed on and not kept, so that a stream may go on for ever. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** What a piece takes besides its bytes: of a stream of single words, that is most. */
const PIECE_BYTES = 256;
/** How long an upstream may send nothing: as long as SDKs wait by default. */
const UPSTREAM_TIMEOUT_MS = 10 * 60_000;
/** How long a response is still recorded after its client has gone away. */
const DRAIN_MS = 30_000;

const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|expect|x-tapedeck-.*|x-test-id)$/i;
const NOT_RETURNED = /^(?:connection|keep-alive|transfer-encoding|proxy-.*|trailer|upgrade)$/i;

/** A request that a client made, and where its response goes. */
interface ForwardedCall {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly target: URL;
  readonly response: ServerResponse;
}

/** Changes of a response for the client; what is recorded stays as it came. */
interface ClientView {
  headers(headers: readonly HttpHeader[]): readonly HttpHeader[];
  /**
   * Undefined for a response whose body stays as it is, and is passed on piece by piece; `whole` for one that is passed on
   * after it has been recorded.
   */
  body(headers: readonly HttpHeader[]): ((text: string) => string) | 'whole' | undefined;
}

/** Records a response that has ended or broken off. `responded`: the client was sent another in its place. */
type RecordResponse = (captured: CapturedResponse) => Promise<'responded' | undefined>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Forwards the requests of one session to upstreams. */
export class Forwarder {
  readonly #policy: NetworkPolicy;
  readonly #environment: Environment;
  readonly #timeoutMs: number;
  readonly #end = new AbortController();

  /** `environment`: of the user, with the keys by which requests to AWS are signed. */
  constructor(policy: NetworkPolicy, environment: Environment = {}, timeoutMs = UPSTREAM_TIMEOUT_MS) {
    this.#policy = policy;
    this.#environment = environment;
    this.#timeoutMs = timeoutMs;
    // Each call in progress listens.
    setMaxListeners(0, this.#end.signal);
  }

  /**
   * Sends a request to the upstream, over a connection of its own, and passes the response on piece by piece as it comes.
   * Resolves with all of it when it has ended or broken off. With `record`, it goes on when the client goes away, and the
   * client gets the end of the response after it has been recorded.
   */
  async forward(
    forwarded: ForwardedCall,
    view: ClientView,
    record?: RecordResponse,
  ): Promise<CapturedResponse | Unreachable> {
    const { request, body, target } = forwarded;
    const headers = forwardedHeaders(request.rawHeaders, body.length, target.host);
    const keyed = await this.#withKeys({ target, headers });
    return 'unreachable' in keyed ? keyed : this.#send(keyed, forwarded, view, record);
  }

  /** Opens a WebSocket for a client at the upstream. */
  async openSocket(
    { rawHeaders, headers }: IncomingMessage,
    target: URL,
  ): Promise<UpstreamSocket | CapturedResponse | Unreachable> {
    const kept = headerPairs(rawHeaders).filter(
      ([name]) => !NOT_FORWARDED.test(name) && !/^sec-websocket-/i.test(name),
    );
    const keyed = await this.#withKeys({ target, headers: kept.flat() });
    if ('unreachable' in keyed) return keyed;
    const { offeredProtocols, openSocket } = await import('./webSocket');
    return openSocket(this.#policy, { ...keyed, protocols: offeredProtocols({ headers }) });
  }

  /** Calls a method of gRPC for a client at the upstream. */
  async callGrpc({ rawHeaders }: IncomingMessage, target: URL): Promise<GrpcServerLine | Unreachable> {
    const kept = headerPairs(rawHeaders).filter(([name]) => !NOT_FORWARDED.test(name));
    const keyed = await this.#withKeys({ target, headers: kept.flat() });
    if ('unreachable' in keyed) return keyed;
    const { callGrpc } = await import('./grpc');
    return callGrpc(this.#policy, keyed);
  }

  /** Ends the requests in progress. */
  close(): void {
    this.#end.abort();
  }

  async #withKeys(request: KeyedRequest): Promise<KeyedRequest | Unreachable> {
    try {
      return await withHeldKeys(request, this.#policy.keys);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return { unreachable: `${error.message}. ${error.fix ?? ''}`.trim() };
    }
  }

  #send(
    { target, headers }: KeyedRequest,
    { request, body, response }: ForwardedCall,
    view: ClientView,
    record: RecordResponse | undefined,
  ): Promise<CapturedResponse | Unreachable> {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const { method = 'GET' } = request;
      const call = startRequest(this.#policy, 'proxy-upstream', target, {
        method,
        headers: signedAnew({ method, target, headers, body }, this.#environment),
        signal: this.#end.signal,
      });
      call.setTimeout(this.#timeoutMs, () =>
        call.destroy(new Error(t('no data was received for {0} s', this.#timeoutMs / 1000))),
      );
      response.once('close', () => {
        if (response.writableFinished) return;
        if (record !== undefined) setTimeout(() => call.destroy(), DRAIN_MS).unref();
        else call.destroy();
      });
      call.once('error', (error) => resolve({ unreachable: errorCode(error) ?? error.message }));
      call.once('response', (incoming) => {
        // An error from now on also ends the response, which reports it.
        call.on('error', () => undefined);
        passOn(incoming, response, { started, view }, record).then(resolve, reject);
      });
      call.end(body);
    });
  }
}

function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { started, view }: { readonly started: number; readonly view: ClientView },
  record?: RecordResponse,
): Promise<CapturedResponse> {
  const status = incoming.statusCode ?? 502;
  const headers = headerPairs(incoming.rawHeaders);
  const change = view.body(headers);
  const kept = new KeptPieces(change !== undefined ? MAX_CHANGED_BYTES : record === undefined ? 0 : MAX_KEPT_BYTES);
  // With its last byte, the client has the whole response.
  const whole = record && Number(incoming.headers['content-length'] ?? Number.NaN);
  let held: Buffer | undefined;
  let length = 0;
  let last = started;
  const returned = view.headers(headers.filter(([name]) => !NOT_RETURNED.test(name)));
  if (!response.destroyed && change === undefined) {
    response.writeHead(status, returned.flat());
    if (hasBody(status)) response.flushHeaders();
  }
  incoming.on('data', (bytes: Buffer) => {
    const now = performance.now();
    kept.add({ bytes, delayMs: now - last });
    last = now;
    length += bytes.length;
    if (change !== undefined && !kept.isWhole) incoming.destroy();
    else if (change !== undefined) return;
    else if (length === whole) held = bytes;
    else if (!response.destroyed && !response.write(bytes)) applyBackpressure(incoming, response);
  });
  return new Promise((resolve, reject) => {
    incoming.on('error', () => undefined);
    incoming.once('close', () => {
      const cutOff = !incoming.complete;
      const { pieces, firstPieceMs, isWhole } = kept;
      const durationMs = performance.now() - started;
      const captured = { status, headers, pieces, durationMs, firstPieceMs, cutOff, isBeginning: !isWhole };
      // An incomplete response must not look complete.
      if (cutOff) response.destroy();
      Promise.resolve(record?.(captured)).then((sent) => {
        if (sent === 'responded') return resolve(captured);
        if (!cutOff && change !== undefined) endChanged(response, status, returned, changedBody(pieces, change));
        else if (!cutOff) response.end(held);
        resolve(captured);
      }, reject);
    });
  });
}

/** The pieces of a response, in the order in which they came, as far as there is room for them. */
class KeptPieces {
  readonly pieces: CapturedPiece[] = [];
  firstPieceMs: number | undefined;
  isWhole = true;

  constructor(private room: number) {}

  add(piece: CapturedPiece): void {
    this.firstPieceMs ??= piece.delayMs;
    this.room -= piece.bytes.length + PIECE_BYTES;
    if (this.room < 0) this.isWhole = false;
    else this.pieces.push(piece);
  }
}

function changedBody(pieces: readonly CapturedPiece[], change: ((text: string) => string) | 'whole'): Buffer {
  const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
  return change === 'whole' ? body : Buffer.from(change(body.toString()));
}

function endChanged(response: ServerResponse, status: number, headers: readonly HttpHeader[], body: Buffer): void {
  if (response.destroyed) return;
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  response.writeHead(status, [...others.flat(), ...(hasBody(status) ? ['content-length', String(body.length)] : [])]);
  response.end(hasBody(status) ? body : undefined);
}

/** Pauses the upstream until the client has read what it was sent, so that a slow client fills no memory. */
function applyBackpressure(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.pause();
  const resume = () => {
    response.off('drain', resume);
    response.off('close', resume);
    incoming.resume();
  };
  response.on('drain', resume);
  response.on('close', resume);
}

function forwardedHeaders(raw: readonly string[], length: number, host: string): string[] {
  const kept = headerPairs(raw).filter(([name]) => !NOT_FORWARDED.test(name));
  // Tapes and agents get plain text.
  kept.push(['host', host], ['accept-encoding', 'identity']);
  if (length > 0) kept.push(['content-length', String(length)]);
  return kept.flat();
}
