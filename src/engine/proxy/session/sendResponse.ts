import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { QuietResponse } from '../../../core/wire/telemetry';
import { hasBody } from '../../network/capturedResponse';
import type { ServedResponse } from '../tape/servedResponse';

/** How fast a recorded stream is played: 0 at once, 1 as it was recorded, 2 in twice the time. */
export type Pace = number;

/** Longer than any agent waits for the next piece. */
const LONGEST_DELAY_MS = 10 * 60_000;

/** Sends a recorded response. A client that goes away meanwhile ends only its own. */
export function sendResponse(response: ServerResponse, recorded: ServedResponse, pace: Pace): void {
  response.writeHead(recorded.status, recorded.headers as string[]);
  if (!hasBody(recorded.status)) response.end();
  else if (pace > 0 && recorded.pieces !== undefined) void playStream(response, recorded, pace);
  else if (recorded.broken) response.write(recorded.body, () => response.destroy());
  else response.end(recorded.body, recorded.release);
}

/** Sends what stands in for a response that nobody needs, if its client is still there. */
export function sendQuietly(response: ServerResponse, { status, type, body }: QuietResponse): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function playStream(
  response: ServerResponse,
  { body, pieces = [], broken }: ServedResponse,
  pace: Pace,
): Promise<void> {
  let start = 0;
  response.flushHeaders();
  for (const { end, delayMs } of pieces) {
    const delay = Math.min(delayMs * pace, LONGEST_DELAY_MS);
    if (delay >= 1) await wait(delay, undefined, { ref: false });
    if (response.destroyed) return;
    response.write(body.subarray(start, end));
    start = end;
  }
  if (broken) response.destroy();
  else response.end();
}
