import { commonStart, commonSubsequence, type Gap, gapsBetween, type IndexPair, range } from '../../diff/commonOrder';
import { KeyedQueues } from '../../diff/keyedQueues';

/** The role and the fingerprint of a message. */
export interface FingerprintedMessage {
  readonly role: string;
  readonly fingerprint: number;
}

/** The messages of a request in terms of the request before it. Numbers are places in the two lists of messages. */
export interface MessageAlignment {
  /** The old messages that are in the new list, in the same order or not. */
  readonly repeated: readonly number[];
  /** The new messages after the last repeated one: what the new request adds. */
  readonly added: readonly number[];
  /** The differences among the repeated messages. */
  readonly changes: readonly AlignmentChange[];
  /** The old messages after the last repeated one. */
  readonly lost: readonly number[];
}

export type AlignmentChange =
  | { readonly type: 'edited'; readonly before: number; readonly after: number }
  | { readonly type: 'dropped'; readonly before: number }
  | { readonly type: 'inserted'; readonly after: number }
  | { readonly type: 'moved'; readonly before: number; readonly after: number };

/** Requests with more differences than this are not a continuation that anyone reads change by change. */
const MAX_DIFFERENCES = 400;

type Messages = readonly FingerprintedMessage[];

/** Aligns a request with the one before it, in time proportional to both and to the number of differences. */
export function alignWithPrevious(old: Messages, now: Messages): MessageAlignment {
  const start = commonStart(
    old.length,
    now.length,
    (before, after) => old[before]?.fingerprint === now[after]?.fingerprint,
  );
  // Most requests repeat all of the one before: in a long session, nothing else should take time for each of its messages.
  if (start === old.length)
    return { repeated: range(0, start), added: range(start, now.length), changes: [], lost: [] };
  const kept = keptPairs(old, now, start);
  const moved = movedPairs(old, now, new Map(kept));
  const pairs = new Map([...kept, ...moved]);
  const endOfOld = endOf(pairs.keys());
  const endOfNow = endOf(pairs.values());
  const taken = new Set(pairs.values());
  const gaps = gapsBetween(kept, endOfOld, endOfNow).map(({ before, after }) => ({
    before: before.filter((place) => !pairs.has(place)),
    after: after.filter((place) => !taken.has(place)),
  }));
  // At the same place, a message that is gone stands before one that is new.
  gaps.sort((left, right) => Number(right.before.length > 0) - Number(left.before.length > 0));
  const changes = [
    ...moved.map(([before, after]): AlignmentChange => ({ type: 'moved', before, after })),
    ...gaps.flatMap((gap) => pairInGap(old, now, gap)),
  ];
  return {
    repeated: [...pairs.keys()],
    added: range(endOfNow, now.length),
    changes: changes.sort((left, right) => placeOf(left) - placeOf(right)),
    lost: range(endOfOld, old.length),
  };
}

/** The messages that kept their order: those that both lists begin with, and others. */
function keptPairs(old: Messages, now: Messages, start: number): readonly IndexPair[] {
  const fingerprints = (messages: Messages): number[] => messages.slice(start).map(({ fingerprint }) => fingerprint);
  const others = commonSubsequence(fingerprints(old), fingerprints(now), {
    maxEditLength: MAX_DIFFERENCES,
  });
  return [
    ...range(0, start).map((place): IndexPair => [place, place]),
    ...others.map(([before, after]): IndexPair => [start + before, start + after]),
  ];
}

/**
 * Equal messages in another order, as far as they are among the repeated ones. The last message is what the request is
 * about: a "Go on." there is new, even where an earlier one is gone.
 */
function movedPairs(old: Messages, now: Messages, kept: ReadonlyMap<number, number>): readonly IndexPair[] {
  const left = new KeyedQueues(
    old.flatMap(({ fingerprint }, place) => (kept.has(place) ? [] : [[fingerprint, place] as const])),
  );
  const taken = new Set(kept.values());
  let end = endOf(taken) - 1;
  const moved: IndexPair[] = [];
  for (let after = 0; after < now.length - 1 && after <= end + 1; after += 1) {
    const before = taken.has(after) ? undefined : left.take(now[after]?.fingerprint ?? 0);
    if (before === undefined) continue;
    moved.push([before, after]);
    end = Math.max(end, after);
  }
  return moved;
}

/** The place after the last one. */
function endOf(places: Iterable<number>): number {
  let end = 0;
  for (const place of places) end = Math.max(end, place + 1);
  return end;
}

/** In the same gap and with the same role, one message was edited into the other. */
function pairInGap(old: Messages, now: Messages, { before, after }: Gap): AlignmentChange[] {
  const byRole = new KeyedQueues(after.map((place) => [now[place]?.role ?? '', place] as const));
  const changes = before.map((place): AlignmentChange => {
    const edited = byRole.take(old[place]?.role ?? '');
    return edited === undefined ? { type: 'dropped', before: place } : { type: 'edited', before: place, after: edited };
  });
  return [...changes, ...byRole.rest().map((place): AlignmentChange => ({ type: 'inserted', after: place }))];
}

function placeOf(change: AlignmentChange): number {
  return 'after' in change ? change.after : change.before;
}
