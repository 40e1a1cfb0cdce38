import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from './mofaCase';

/** A request as the upstream got it. */
export interface UpstreamRequest {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface Upstream {
  readonly address: string;
  readonly requests: readonly UpstreamRequest[];
  close(): Promise<void>;
}

/** A provider on this machine that responds by a script, and goes on with its last response. */
export async function startUpstream(replies: readonly Reply[]): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  const server = createServer(async (request, response) => {
    requests.push(await read(request));
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (reply === undefined || reply.hangUp) request.socket.destroy();
    else respond(response, reply);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((settle) => {
        server.closeAllConnections();
        server.close(() => settle());
      }),
  };
}

async function read(request: IncomingMessage): Promise<UpstreamRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    line: `${request.method} ${request.url}`,
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    body: Buffer.concat(chunks).toString(),
  };
}

function respond(response: ServerResponse, { status = 200, headers = {}, body, cut }: Reply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length + (cut ? 100 : 0),
    ...headers,
  });
  response.write(bytes, () => (cut ? response.socket?.destroy() : response.end()));
}
