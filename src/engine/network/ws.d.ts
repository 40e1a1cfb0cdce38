// What is used of `ws`, which has no types of its own.
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  interface Options {
    maxPayload: number;
    perMessageDeflate: false;
  }

  interface ClientOptions extends Options {
    handshakeTimeout: number;
    followRedirects: false;
    headers: Record<string, string | string[]>;
    ca?: Buffer;
    createConnection?: ClientRequestArgs['createConnection'];
  }

  interface ServerOptions extends Options {
    noServer: true;
    clientTracking: false;
    handleProtocols(protocols: Set<string>): string | false;
  }

  type Events = {
    open: [];
    upgrade: [response: IncomingMessage];
    'unexpected-response': [request: ClientRequest, response: IncomingMessage];
    message: [data: Buffer, isBinary: boolean];
    close: [code: number, reason: Buffer];
    error: [error: Error];
  };

  export class WebSocket extends EventEmitter<Events> {
    constructor(address: URL, protocols: string[], options: ClientOptions);
    readonly protocol: string;
    readonly bufferedAmount: number;
    readonly readyState: 0 | 1 | 2 | 3;
    readonly isPaused: boolean;
    send(data: Buffer | string, options: { binary: boolean }, done?: (error?: Error) => void): void;
    close(code?: number, reason?: string | Buffer): void;
    terminate(): void;
    pause(): void;
    resume(): void;
  }

  export class WebSocketServer extends EventEmitter<{ headers: [lines: string[]] }> {
    constructor(options: ServerOptions);
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (socket: WebSocket) => void): void;
  }
}
