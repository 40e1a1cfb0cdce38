import { whatChanged } from './changeId';
import type { DecisionRecord, Decisions } from './decisions';

/** What a decision leaves of the changes of a review, by their ids. */
export interface Remainder {
  /** The changes that were shown. */
  readonly shown: readonly string[];
  /** Those that were decided and are gone with it: rejected in a file, or accepted into a baseline. */
  readonly decided: readonly string[];
  /** The changes that are shown from then on. */
  readonly left: readonly string[];
}

/**
 * The decisions with those on the changes that are left, which stay what they were. As a rule such a change has its id still. But of
 * changes that are alike, as of equal interactions that are gone, nobody can tell which one is left, so that it may have the id of
 * another; and once much is taken back, an interaction can be compared with another one than before. What was not decided then is
 * pending, unless all else was decided in the same way.
 */
export function mergeDecisions(before: Decisions, after: Decisions, { shown, decided, left }: Remainder): Decisions {
  const others = without(shown, decided);
  const earlierIds = counterparts(others, left);
  const unanimous = unanimousDecision(others, before);
  const kept = new Map(Object.entries(after));
  const set = (id: string, record: DecisionRecord | undefined): void => {
    if (record === undefined) kept.delete(id);
    else kept.set(id, record);
  };
  const givenUp = groupByWhat(without([...earlierIds.values()], left));
  for (const id of left) {
    const earlier = earlierIds.get(id);
    set(id, earlier === undefined ? unanimous : before[earlier]);
    const free = decided.includes(id) ? givenUp.get(whatChanged(id))?.shift() : undefined;
    if (free !== undefined) set(free, after[id]);
  }
  return Object.fromEntries(kept);
}

/** For changes that are left, the ids that they had: of as many that are alike, those in the same order, and else their own. */
function counterparts(others: readonly string[], left: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const alike = groupByWhat(others);
  for (const [what, now] of groupByWhat(left)) {
    const old = alike.get(what) ?? [];
    const isKnown = without(now, old).length === 0;
    for (const [index, id] of now.entries()) {
      const earlier = old.length === now.length && !isKnown ? old[index] : old.find((one) => one === id);
      if (earlier !== undefined) found.set(id, earlier);
    }
  }
  return found;
}

/** The decision on all of these; undefined if they were not all decided in the same way. */
function unanimousDecision(ids: readonly string[], decisions: Decisions): DecisionRecord | undefined {
  const [first, ...more] = ids.map((id) => decisions[id]);
  return more.every((other) => other?.verdict === first?.verdict) ? first : undefined;
}

function groupByWhat(ids: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const group = groups.get(whatChanged(id)) ?? [];
    group.push(id);
    groups.set(whatChanged(id), group);
  }
  return groups;
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}
