import { formatMask } from '../match/masks';
import { proposeMasks } from '../match/proposeMasks';
import { recordedRequests } from '../match/recordings';
import { type RequestParts, requestParts } from '../match/requestParts';
import type { Mask } from '../model/case';
import type { Tape } from '../model/tape';
import type { TapeFormat } from '../tapes/format';
import type { ComparedTake } from './variation';

/** The roles of messages before the first response of a model. */
const OPENING = ['system', 'developer', 'user'];

/**
 * The masks that a strict replay needs, from the requests of several takes: for differences that the agent itself makes, such
 * as today's date. Repeated responses do not count, since a replay returns the same ones.
 */
export function suggestMasks(
  tapes: readonly Tape[],
  format: Pick<TapeFormat, 'storedFields'>,
  declared: readonly Mask[],
): readonly string[] {
  const [first = [], ...others] = tapes.map((tape) => recordedRequests(tape, format).map(opening));
  let masks = declared;
  for (const other of others)
    for (const [index, now] of other.entries()) {
      const recorded = first[index];
      if (recorded !== undefined && now !== undefined) masks = [...masks, ...proposeMasks(recorded, now, masks)];
    }
  return [...new Set(masks.slice(declared.length).map(formatMask))];
}

function opening({ wire, chat }: ReturnType<typeof recordedRequests>[number]): RequestParts | undefined {
  const request = wire?.() ?? chat?.();
  if (request === undefined) return undefined;
  const parts = requestParts(request);
  const end = parts.messages.findIndex(({ name }) => !OPENING.includes(name));
  return { ...parts, messages: end === -1 ? parts.messages : parts.messages.slice(0, end) };
}

/** Assertions that held in every take, as in `[assert]`. */
export interface HeldAssertions {
  readonly contains?: string;
  readonly tool_order?: readonly string[];
}

/** Shorter texts occur in most responses. */
const MIN_LETTERS = 8;

/** Assertions to replace the comparison of texts or arguments that would be ignored. */
export function suggestAssertions(takes: readonly ComparedTake[]): HeldAssertions {
  const contains = commonWords(takes.map(({ artifact }) => artifact.output_text ?? ''));
  const [order = [], ...others] = takes.map(({ artifact }) => artifact.tool_calls.map(({ tool_name }) => tool_name));
  const isSame = others.every((other) => other.join('\n') === order.join('\n'));
  return {
    ...(contains.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_LETTERS && { contains }),
    ...(isSame && order.length > 0 && { tool_order: order }),
  };
}

/** The longest sequence of whole words that occurs in all texts; empty if there is none. */
export function commonWords(texts: readonly string[]): string {
  const [shortest = '', ...others] = [...texts].sort((left, right) => left.length - right.length);
  const words = [...shortest.matchAll(/[\p{L}\p{N}]+(?:['’.,:-][\p{L}\p{N}]+)*/gu)];
  let longest = '';
  // Every part of a common sequence is common as well, so the window moves forward only.
  let from = 0;
  let to = 0;
  while (to < words.length) {
    const first = words[from];
    const last = words[to];
    const run = first && last ? shortest.slice(first.index, last.index + last[0].length) : '';
    if (from <= to && others.every((text) => hasWords(text, run))) {
      if (run.length > longest.length) longest = run;
      to += 1;
    } else if (from < to) from += 1;
    else {
      from += 1;
      to += 1;
    }
  }
  return longest;
}

function hasWords(text: string, run: string): boolean {
  const letter = /[\p{L}\p{N}]/u;
  for (let at = text.indexOf(run); at !== -1; at = text.indexOf(run, at + 1))
    if (!letter.test(text[at - 1] ?? '') && !letter.test(text[at + run.length] ?? '')) return true;
  return false;
}
