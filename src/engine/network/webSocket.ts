import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { HttpHeader } from '../../core/model/http';
import { errorCode } from '../errors/systemError';
import type { CapturedPiece, CapturedResponse, Unreachable } from './capturedResponse';
import { headerPairs, headersByName } from './headerPairs';
import type { NetworkPolicy } from './policy';
import { proxyFor, tunnelThrough } from './userProxy';

export type { WebSocket };

/** More than any message of a model has; what is larger closes the connection with 1009. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const HANDSHAKE_MS = 60_000;
/** Of the response to a handshake that was refused. */
const MAX_REFUSAL_BYTES = 1024 * 1024;

/** Messages are recorded as they are, so that nothing is compressed. */
const LIMITS = { maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false } as const;

/** A handshake that a client made. */
interface Handshake {
  /** Of HTTP. */
  readonly target: URL;
  /** Names and values in turn, without those of the handshake itself. */
  readonly headers: readonly string[];
  readonly protocols: readonly string[];
}

/** A connection to an upstream; its messages wait until it is resumed. */
export interface UpstreamSocket {
  readonly socket: WebSocket;
  readonly headers: readonly HttpHeader[];
}

/** Opens a WebSocket at an upstream. A handshake that is refused has a response of HTTP. */
export function openSocket(
  policy: NetworkPolicy,
  { target, headers, protocols }: Handshake,
): Promise<UpstreamSocket | CapturedResponse | Unreachable> {
  policy.requireRecording('proxy-upstream', target.host);
  const proxy = proxyFor(target);
  const socket = new WebSocket(new URL(target.href.replace(/^http/, 'ws')), [...protocols], {
    ...LIMITS,
    handshakeTimeout: HANDSHAKE_MS,
    followRedirects: false,
    headers: headersByName(headers),
    ...(proxy && target.protocol === 'https:' && { createConnection: tunnelThrough(proxy, target) }),
  });
  const started = performance.now();
  return new Promise((resolve) => {
    let answered: readonly HttpHeader[] = [];
    socket.on('error', (error) => resolve({ unreachable: errorCode(error) ?? error.message }));
    socket.once('upgrade', (response) => {
      answered = headerPairs(response.rawHeaders);
    });
    socket.once('open', () => {
      socket.pause();
      resolve({ socket, headers: answered });
    });
    socket.once('unexpected-response', (request, response) => {
      void refusalOf(response, started).then((captured) => {
        request.destroy();
        resolve(captured);
      });
    });
  });
}

/**
 * Accepts the WebSocket of a client, which speaks the given one of the protocols that it offered. Undefined if it has left, or
 * is none. Its messages wait until it is resumed.
 */
export function acceptSocket(
  request: IncomingMessage,
  { socket, head }: Upgraded,
  { protocol, headers }: { readonly protocol: string; readonly headers: readonly HttpHeader[] },
): Promise<WebSocket | undefined> {
  const server = new WebSocketServer({
    ...LIMITS,
    noServer: true,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  });
  server.once('headers', (lines) => {
    lines.push(...headers.filter(([name]) => !NOT_RETURNED.test(name)).map(([name, value]) => `${name}: ${value}`));
  });
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined));
    server.handleUpgrade(request, socket, head, (accepted) => {
      accepted.on('error', () => undefined);
      accepted.pause();
      resolve(accepted);
    });
  });
}

const NOT_RETURNED =
  /^(?:connection|upgrade|sec-websocket-.*|keep-alive|proxy-.*|trailer|transfer-encoding|content-length|set-cookie)$/i;

/** A connection that asked to become another. */
export interface Upgraded {
  readonly socket: Duplex;
  /** What was read of it after the request. */
  readonly head: Buffer;
}

/** What answers a request for an upgrade as any other; the connection ends with it. */
export function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  socket.on('error', () => undefined);
  return response;
}

/** Whether a request is the handshake of a WebSocket. Clients that only offer HTTP/2 want a response to their request. */
export function isHandshake({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^websocket$/i.test(headers.upgrade ?? '');
}

/** The head of a request that asks for no upgrade any more. */
export function headWithoutUpgrade({ method = 'GET', url = '/', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const kept = headerPairs(rawHeaders).filter(([name]) => !/^(?:upgrade|http2-settings)$/i.test(name));
  const lines = kept.map(([name, value]) => `${name}: ${withoutUpgrade(name, value)}\r\n`);
  return Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`, 'latin1');
}

function withoutUpgrade(name: string, value: string): string {
  if (!/^connection$/i.test(name)) return value;
  const left = value.split(',').filter((option) => !/^\s*(?:upgrade|http2-settings)\s*$/i.test(option));
  return left.join(',').trim() || 'keep-alive';
}

/** The protocols that a client offers. */
export function offeredProtocols({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const offered = headers['sec-websocket-protocol'] ?? '';
  return offered.split(',').flatMap((protocol) => (protocol.trim() === '' ? [] : [protocol.trim()]));
}

async function refusalOf(response: IncomingMessage, started: number): Promise<CapturedResponse> {
  const pieces: CapturedPiece[] = [];
  let length = 0;
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) {
      length += bytes.length;
      if (length > MAX_REFUSAL_BYTES) break;
      pieces.push({ bytes, delayMs: 0 });
    }
  } catch {
    // As far as it came.
  }
  return {
    status: response.statusCode ?? 502,
    headers: headerPairs(response.rawHeaders),
    pieces,
    durationMs: performance.now() - started,
    firstPieceMs: undefined,
    cutOff: !response.complete,
    isBeginning: false,
  };
}
