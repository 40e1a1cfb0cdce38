import type { IncomingMessage } from 'node:http';

/** More than any context window; a client that does not stop must not fill the memory. */
export const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** The whole body; undefined when it is larger than `limit`. Rejects when the client goes away before its end. */
export function readBody(request: IncomingMessage, limit = MAX_REQUEST_BYTES): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new Error('the client went away'));
    });
  });
}
