import { once } from 'node:events';
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A message with its head. */
export function framed(message: Uint8Array, isCompressed = false): Buffer {
  const head = Buffer.alloc(5);
  const bytes = isCompressed ? gzipSync(message) : message;
  head[0] = isCompressed ? 1 : 0;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** The messages in the bytes of a call; compressed ones as they are. */
export class Unframer {
  #bytes = Buffer.alloc(0);

  take(bytes: Buffer): Buffer[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const messages: Buffer[] = [];
    while (this.#bytes.length >= 5 && this.#bytes.length >= 5 + this.#bytes.readUInt32BE(1)) {
      const end = 5 + this.#bytes.readUInt32BE(1);
      messages.push(this.#bytes.subarray(5, end));
      this.#bytes = this.#bytes.subarray(end);
    }
    return messages;
  }
}

export interface GrpcCall {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  say(message: Uint8Array, isCompressed?: boolean): void;
  end(status?: number, message?: string, trailers?: Record<string, string>): void;
  onMessage(take: (message: Buffer) => void): void;
  onLast(done: () => void): void;
}

/** Serves gRPC without TLS, while `use` runs. */
export async function withGrpcServer(
  methods: Record<string, (call: GrpcCall) => void>,
  use: (origin: string, calls: () => number) => Promise<void>,
): Promise<void> {
  let calls = 0;
  const server: Http2Server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    calls += 1;
    stream.on('error', () => undefined);
    const method = methods[headers[':path'] ?? ''];
    let ended = { 'grpc-status': '12' } as Record<string, string>;
    const begin = () => {
      if (stream.headersSent || stream.destroyed) return;
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-encoding': 'gzip', 'x-served-by': 'test' },
        { waitForTrailers: true },
      );
    };
    stream.on('wantTrailers', () => stream.sendTrailers(ended));
    if (method === undefined) {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...ended }, { endStream: true });
      return;
    }
    method({
      stream,
      headers,
      say: (message, isCompressed) => {
        begin();
        stream.write(framed(message, isCompressed));
      },
      end: (status = 0, message = '', trailers = {}) => {
        ended = {
          'grpc-status': `${status}`,
          ...(message && { 'grpc-message': encodeURIComponent(message) }),
          ...trailers,
        };
        begin();
        stream.end();
      },
      onMessage: (take) => {
        const unframer = new Unframer();
        stream.on('data', (bytes: Buffer) => unframer.take(bytes).forEach(take));
      },
      onLast: (done) => stream.once('end', done),
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://localhost:${(server.address() as AddressInfo).port}`, () => calls);
  } finally {
    for (const session of sessions) session.destroy();
    server.close();
  }
}
