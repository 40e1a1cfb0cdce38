import { diffArrays } from 'diff';

/** A message of an earlier request, or a later one, for the alignment: by its role and its fingerprint. */
export interface FingerprintedMessage {
  readonly role: string;
  readonly fingerprint: number;
}

/** What became of the messages of one request in the next. Numbers are places in the two lists. */
export interface MessageAlignment {
  /** The old messages that the new list has too, in their order or not. */
  readonly repeated: readonly number[];
  /** What follows the last repeated message: this is what the new request is about. */
  readonly added: readonly number[];
  /** What is otherwise among the messages that came back. */
  readonly changes: readonly AlignmentChange[];
  /** The old messages after the last that came back. */
  readonly lost: readonly number[];
}

export type AlignmentChange =
  | { readonly type: 'edited'; readonly before: number; readonly after: number }
  | { readonly type: 'dropped'; readonly before: number }
  | { readonly type: 'inserted'; readonly after: number }
  | { readonly type: 'moved'; readonly before: number; readonly after: number };

/** Requests that differ in more places than this are no continuation that anyone reads change by change. */
const MAX_DIFFERENCES = 400;

type Messages = readonly FingerprintedMessage[];

/** Aligns a request with the one before it. Takes time proportional to both, and to the number of differences. */
export function alignWithPrevious(old: Messages, now: Messages): MessageAlignment {
  const kept = keptPairs(old, now);
  const moved = movedPairs(old, now, kept);
  const pairs = new Map([...kept, ...moved]);
  const lastOld = [...pairs.keys()].reduce((last, place) => Math.max(last, place), -1);
  const lastNow = [...pairs.values()].reduce((last, place) => Math.max(last, place), -1);
  const moves = [...moved].map(([before, after]): AlignmentChange => ({ type: 'moved', before, after }));
  const gaps = gapsOf(pairs, kept, lastOld, lastNow).flatMap((gap) => pairInGap(old, now, gap));
  return {
    repeated: [...pairs.keys()],
    added: range(lastNow + 1, now.length),
    changes: [...moves, ...gaps].sort((left, right) => placeOf(left) - placeOf(right)),
    lost: range(lastOld + 1, old.length),
  };
}

/** The messages that kept their order: old place to new place, both rising. */
function keptPairs(old: Messages, now: Messages): Map<number, number> {
  const kept = new Map<number, number>();
  let before = 0;
  while (before < old.length && before < now.length && old[before]?.fingerprint === now[before]?.fingerprint) {
    kept.set(before, before);
    before += 1;
  }
  let after = before;
  const fingerprints = (messages: Messages): number[] => messages.slice(before).map(({ fingerprint }) => fingerprint);
  for (const { added, removed, count } of diffArrays(fingerprints(old), fingerprints(now), {
    maxEditLength: MAX_DIFFERENCES,
  }) ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at += 1) kept.set(before + at, after + at);
    if (!added) before += count;
    if (!removed) after += count;
  }
  return kept;
}

/**
 * Equal messages that stand elsewhere, as far as they are among those that came back. What stands last is what the
 * request is about: a "Go on." there is new, even where an earlier one is gone.
 */
function movedPairs(old: Messages, now: Messages, kept: ReadonlyMap<number, number>): Map<number, number> {
  const left = new Map<number, number[]>();
  for (const [place, { fingerprint }] of old.entries()) if (!kept.has(place)) push(left, fingerprint, place);
  const taken = new Set(kept.values());
  let end = [...taken].reduce((last, place) => Math.max(last, place), -1);
  const moved = new Map<number, number>();
  for (let after = 0; after < now.length - 1 && after <= end + 1; after += 1) {
    const before = taken.has(after) ? undefined : left.get(now[after]?.fingerprint ?? 0)?.shift();
    if (before === undefined) continue;
    moved.set(before, after);
    end = Math.max(end, after);
  }
  return moved;
}

interface Gap {
  readonly befores: number[];
  readonly afters: number[];
}

/** What pairs with nothing, by the kept message that stands before it on its side. */
function gapsOf(
  pairs: ReadonlyMap<number, number>,
  kept: ReadonlyMap<number, number>,
  lastOld: number,
  lastNow: number,
): Gap[] {
  const gaps = new Map<number, Gap>();
  const gapAfter = (place: number): Gap => {
    const gap = gaps.get(place) ?? { befores: [], afters: [] };
    gaps.set(place, gap);
    return gap;
  };
  let at = -1;
  for (let before = 0; before <= lastOld; before += 1) {
    if (kept.has(before)) at = before;
    else if (!pairs.has(before)) gapAfter(at).befores.push(before);
  }
  const oldPlaces = new Map([...kept].map(([before, after]) => [after, before]));
  const taken = new Set(pairs.values());
  at = -1;
  for (let after = 0; after <= lastNow; after += 1) {
    at = oldPlaces.get(after) ?? at;
    if (!taken.has(after)) gapAfter(at).afters.push(after);
  }
  return [...gaps.values()];
}

/** In the same gap and with the same role: one message was edited into the other. */
function pairInGap(old: Messages, now: Messages, { befores, afters }: Gap): AlignmentChange[] {
  const open = new Map<string, number[]>();
  for (const after of afters) push(open, now[after]?.role ?? '', after);
  const changes = befores.map((before): AlignmentChange => {
    const after = open.get(old[before]?.role ?? '')?.shift();
    return after === undefined ? { type: 'dropped', before } : { type: 'edited', before, after };
  });
  return [...changes, ...[...open.values()].flat().map((after): AlignmentChange => ({ type: 'inserted', after }))];
}

function placeOf(change: AlignmentChange): number {
  return 'after' in change ? change.after : change.before;
}

function push<K>(lists: Map<K, number[]>, key: K, item: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}
