import { diffArrays } from 'diff';
import { type Json, jsonEqual, prettyJson } from '../json/json';
import type { Interaction } from '../tapes/tape';

/** One place in two aligned tapes: the same on both sides, changed, or there on one side only. */
export interface TapePair {
  readonly type: 'same' | 'changed' | 'added' | 'removed';
  /** From the earlier tape; absent when added. */
  readonly before?: Interaction;
  /** From the later tape; absent when removed. */
  readonly after?: Interaction;
  /** What changed, in the order of the request and then the response. */
  readonly differences: readonly InteractionDifference[];
}

export interface InteractionDifference {
  /** Such as `request.messages` or `response.content`. */
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

/** Aligning may take quadratic time; tapes too different to align in this many milliseconds are compared by position. */
const TIMEOUT_MS = 2000;

type Digest = (interaction: Interaction) => string;

/**
 * Aligns two tapes by content, so that an interaction more or less does not make all later ones differ: first what is
 * the same, then between those what asks the same, then what answers the same message, and what is left by position.
 */
export function alignTapes(before: readonly Interaction[], after: readonly Interaction[]): readonly TapePair[] {
  return align(before, after, [wholeDigest, requestDigest, lastMessageDigest]);
}

function align(before: readonly Interaction[], after: readonly Interaction[], digests: readonly Digest[]): TapePair[] {
  const [digest, ...coarser] = digests;
  if (digest === undefined || before.length === 0 || after.length === 0) return byPosition(before, after);
  const numbered = numbering(digest);
  const chunks = diffArrays(before.map(numbered), after.map(numbered), { timeout: TIMEOUT_MS });
  if (chunks === undefined) return byPosition(before, after);
  const pairs: TapePair[] = [];
  const [left, right] = [new Cursor(before), new Cursor(after)];
  for (const { added, removed, value } of chunks) {
    if (added) right.gather(value.length);
    else if (removed) left.gather(value.length);
    else {
      pairs.push(...align(left.take(), right.take(), coarser));
      left.gather(value.length);
      right.gather(value.length);
      pairs.push(...byPosition(left.take(), right.take()));
    }
  }
  return [...pairs, ...align(left.take(), right.take(), coarser)];
}

/** The same number for the same digest: long texts that begin alike are slow to compare over and over. */
function numbering(digest: Digest): (interaction: Interaction) => number {
  const numbers = new Map<string, number>();
  return (interaction) => {
    const key = digest(interaction);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
}

/** Walks along one tape: gathers interactions, and hands over what it has gathered. */
class Cursor {
  #start = 0;
  #end = 0;
  readonly #interactions: readonly Interaction[];

  constructor(interactions: readonly Interaction[]) {
    this.#interactions = interactions;
  }

  gather(count: number): void {
    this.#end += count;
  }

  take(): readonly Interaction[] {
    const taken = this.#interactions.slice(this.#start, this.#end);
    this.#start = this.#end;
    return taken;
  }
}

function byPosition(before: readonly Interaction[], after: readonly Interaction[]): TapePair[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => pair(before[index], after[index]));
}

function pair(before: Interaction | undefined, after: Interaction | undefined): TapePair {
  if (before === undefined) return { type: 'added', differences: [], ...(after && { after }) };
  if (after === undefined) return { type: 'removed', differences: [], before };
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...old.keys(), ...now.keys()]);
  const differences = [...names].flatMap((field) => {
    const change = { field, before: old.get(field) ?? null, after: now.get(field) ?? null };
    return jsonEqual(change.before, change.after) ? [] : [change];
  });
  return { type: differences.length === 0 ? 'same' : 'changed', before, after, differences };
}

/** What is compared, by name. Traffic that is no call of a model is compared as it went over the wire. */
function fieldsOf({ kind, request, response, http }: Interaction): ReadonlyMap<string, Json> {
  // How an answer was cut into frames is up to the network, and headers are full of dates and ids.
  const { chunks: _, ...answer } = response ?? {};
  const { requestHeaders: __, responseHeaders: ___, ...exchange } = http ?? {};
  const sections = { request: request ?? {}, response: answer, http: request || response ? {} : exchange };
  const fields = Object.entries(sections).flatMap(([section, members]) =>
    Object.entries(members).map(([name, value]) => [`${section}.${name}`, value as Json] as const),
  );
  return new Map([['kind', kind] as const, ...fields]);
}

const wholeDigest: Digest = (interaction) => prettyJson([...fieldsOf(interaction)]);
const requestDigest: Digest = ({ request, http }) =>
  prettyJson(request ?? [http?.method, http?.url, http?.requestBody]);
const lastMessageDigest: Digest = ({ request, http }) => prettyJson(request?.messages.at(-1) ?? http?.url);
