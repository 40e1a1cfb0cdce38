import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { startRequest } from '../network/outgoing';
import type { NetworkPolicy } from '../network/policy';
import { forwardedHeaders } from './httpRelay';

/** How long a server may take to say that it speaks MCP. */
const PATIENCE_MS = 10_000;

/**
 * Whether a server speaks the older transport of MCP: its stream begins with the address at which it takes messages. Asks the server with
 * the client's own request.
 */
export function speaksOldMcp(policy: NetworkPolicy, request: IncomingMessage, target: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const call = startRequest(policy, 'proxy-upstream', target, { headers: forwardedHeaders(request, target) });
    const conclude = (isOld: boolean): void => {
      resolve(isOld);
      call.destroy();
    };
    call.setTimeout(PATIENCE_MS, () => conclude(false));
    call.on('error', () => conclude(false));
    call.once('response', (response) => {
      if (!response.headers['content-type']?.startsWith('text/event-stream')) return conclude(false);
      const parser = createParser({ onEvent: ({ event }) => conclude(event === 'endpoint') });
      response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
      response.once('close', () => conclude(false));
    });
    call.end();
  });
}
