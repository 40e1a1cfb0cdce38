import { type Mask, maskText } from '../match/masks';
import { proposeMasks } from '../match/proposeMasks';
import { recordedRequests } from '../match/recordedRequest';
import { type RequestParts, requestParts } from '../match/requestParts';
import type { Tape } from '../tapes/tape';
import type { TapeFormat } from '../tapes/tapeFormat';

/** What the agent says before a model has said anything. */
const OPENING = ['system', 'developer', 'user'];

/**
 * The masks that a strict replay needs, by the requests of several takes: what differs in what the agent says by itself,
 * such as the date of today. What repeats an answer is no reason, since a replay gives the same answers.
 */
export function suggestMasks(
  tapes: readonly Tape[],
  format: Pick<TapeFormat, 'stored'>,
  declared: readonly Mask[],
): readonly string[] {
  const [first = [], ...others] = tapes.map((tape) => recordedRequests(tape, format).map(opening));
  let masks = declared;
  for (const other of others)
    for (const [index, now] of other.entries()) {
      const recorded = first[index];
      if (recorded !== undefined && now !== undefined) masks = [...masks, ...proposeMasks(recorded, now, masks)];
    }
  return [...new Set(masks.slice(declared.length).map(maskText))];
}

function opening({ wire, chat }: ReturnType<typeof recordedRequests>[number]): RequestParts | undefined {
  const request = wire?.() ?? chat?.();
  if (request === undefined) return undefined;
  const parts = requestParts(request);
  const end = parts.messages.findIndex(({ name }) => !OPENING.includes(name));
  return { ...parts, messages: end === -1 ? parts.messages : parts.messages.slice(0, end) };
}
