// The provider of the canary soak: every exchange has a number, by which it is found in the request.
import { createServer } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** @param {readonly import('./places.mjs').Item[]} items */
export async function openUpstream(items) {
  const known = new Map(items.map((item) => [item.id, item]));
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('error', () => undefined);
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const body = unpacked(Buffer.concat(chunks), request.headers['content-encoding']);
      const id = /\br\d+x\b/.exec(`${request.url} ${body}`)?.[0] ?? '';
      const { status, headers, pieces } = known.get(id)?.response ?? { status: 404, headers: {}, pieces: [] };
      response.writeHead(status, headers);
      for (const piece of pieces) {
        response.write(Buffer.from(piece, 'base64'));
        if (pieces.length > 1) await new Promise((done) => setImmediate(done));
      }
      response.end();
    });
  });
  server.keepAliveTimeout = 500;
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address?.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @param {Buffer} bytes @param {string | undefined} encoding */
function unpacked(bytes, encoding) {
  if (encoding === undefined) return bytes.toString();
  return (encoding === 'br' ? brotliDecompressSync : gunzipSync)(bytes).toString();
}
