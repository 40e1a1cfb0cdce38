import { isRecord, type Json } from '../../json/json';
import type { UsageChange } from '../../model/change';
import { addUsage, USAGE_DETAILS, type Usage } from '../../model/usage';
import type { ChangeId } from '../changeId';
import type { DifferenceGroup, PlacedDifference } from './placedDifference';

/** A difference with its repeats, and the token counts that belong to it. */
export interface ChangePart {
  readonly group: DifferenceGroup;
  /** Of the difference alone. */
  readonly id: ChangeId;
  readonly usage: readonly ChangePart[];
}

/**
 * Gives token counts to the change that they came with: the first one in the response of their interaction, or else in its request.
 * They remain a change of their own where nothing else of the interaction changed.
 */
export function attachUsage(parts: readonly ChangePart[]): readonly ChangePart[] {
  const owned = new Map<ChangePart, ChangePart[]>();
  const alone = parts.filter((part) => {
    const owner = isPlainUsage(part) ? ownerOf(part, parts) : undefined;
    if (owner !== undefined) owned.set(owner, [...(owned.get(owner) ?? []), part]);
    return owner === undefined;
  });
  return alone.map((part) => ({ ...part, usage: owned.get(part) ?? [] }));
}

function isPlainUsage({ group: [{ subject, rules = [] }] }: ChangePart): boolean {
  return subject === 'usage' && rules.length === 0;
}

function ownerOf({ group: [usage] }: ChangePart, parts: readonly ChangePart[]): ChangePart | undefined {
  const candidates = parts.filter(({ group: [{ subject, rules = [] }] }) => subject !== 'usage' && rules.length === 0);
  const within = (isPart: (one: PlacedDifference) => boolean) =>
    candidates.find(({ group }) => group.some((one) => isSamePlace(one, usage) && isPart(one)));
  return (
    within(({ path }) => path[0] === 'response') ??
    within(({ path, subject }) => path[0] === 'request' || subject === 'model')
  );
}

function isSamePlace({ interaction: one }: PlacedDifference, { interaction: other }: PlacedDifference): boolean {
  return one?.before === other?.before && one?.after === other?.after;
}

/** The counts of several responses, added up. */
export function addedUsage(differences: readonly PlacedDifference[]): UsageChange {
  const sum = (side: 'before' | 'after'): Usage | undefined => {
    const counts = differences.flatMap((one) => usageOf(one[side]) ?? []);
    return counts.length === 0 ? undefined : counts.reduce(addUsage);
  };
  const [before, after] = [sum('before'), sum('after')];
  return { before, after };
}

function usageOf(value: Json | undefined): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const count = (name: keyof Usage): number => Number(value[name] ?? 0);
  const details = USAGE_DETAILS.filter((name) => typeof value[name] === 'number');
  return {
    promptTokens: count('promptTokens'),
    completionTokens: count('completionTokens'),
    totalTokens: count('totalTokens'),
    ...Object.fromEntries(details.map((name) => [name, count(name)])),
  };
}
