import { parseJson } from '../json/readJson';
import type { Interaction } from '../model/interaction';
import { toStreamEvents } from '../wire/read/readResponse';
import { protocolById } from '../wire/registry';

/** The length of a streamed response's text, in UTF-16 units, at a time in milliseconds since the request. */
export type PlaybackStep = readonly [atMs: number, length: number];

/** Enough for a smooth playback; each step joins the stream up to it. */
const MAX_STEPS = 80;

/** Whether a response can be played back: only where the delays between its chunks were recorded. */
export function isPlayable({ api, response }: Pick<Interaction, 'api' | 'response'>): boolean {
  const { chunks = [], content } = response ?? {};
  return (
    api !== undefined && (content ?? '') !== '' && chunks.length > 2 && chunks.some(({ delayMs = 0 }) => delayMs > 0)
  );
}

/** The steps of a response's playback; empty if it cannot be played back. */
export function playback({ api, response }: Pick<Interaction, 'api' | 'response'>): readonly PlaybackStep[] {
  const protocol = protocolById(api);
  const { chunks = [], content } = response ?? {};
  if (protocol === undefined || content === undefined || content === null || !isPlayable({ api, response })) return [];
  const events = toStreamEvents(chunks.map((chunk) => ({ ...chunk, json: parseJson(chunk.data) })));
  const share = Math.max(1, Math.ceil(chunks.length / MAX_STEPS));
  const steps: PlaybackStep[] = [];
  let atMs = 0;
  for (const [index, { delayMs = 0 }] of chunks.entries()) {
    atMs += delayMs;
    if (index % share !== 0 && index !== chunks.length - 1) continue;
    const soFar = protocol.readResponse(protocol.joinStream(events.slice(0, index + 1))).content ?? '';
    const known = steps.at(-1)?.[1] ?? 0;
    steps.push([atMs, content.startsWith(soFar) ? soFar.length : known]);
  }
  return [...steps.slice(0, -1), [atMs, content.length]];
}
