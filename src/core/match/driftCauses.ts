import type { ReplayMiss } from '../model/run';
import { counted } from '../text/counts';
import { maskedThings } from './maskWords';

/** Drifts of several cases that have one cause, and therefore one fix. */
export interface DriftCause<Case> {
  /** Such as "12 cases drifted because dates changed". */
  readonly title: string;
  /** What differs in the first of them, in one line. */
  readonly line: string;
  /** The masks that fix all of them; empty if none would. */
  readonly masks: readonly string[];
  readonly cases: readonly Case[];
}

/** Groups drifts by their cause, those that masks fix first, then the largest groups. */
export function driftCauses<Case extends { readonly miss: ReplayMiss }>(
  drifted: readonly Case[],
): readonly DriftCause<Case>[] {
  const groups = new Map<string, Case[]>();
  for (const one of drifted) {
    const key = causeOf(one.miss);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const isMaskable = ({ masks }: DriftCause<Case>): number => Number(masks.length > 0);
  return [...groups.values()]
    .flatMap(([first, ...others]) => (first === undefined ? [] : [driftCause(first, [first, ...others])]))
    .sort((left, right) => isMaskable(right) - isMaskable(left) || right.cases.length - left.cases.length);
}

/** Equal for drifts with one fix: the same masks, the same kind of miss, or the same change. */
function causeOf({ masks, kind, line }: ReplayMiss): string {
  if (masks.length > 0) return JSON.stringify([...masks].sort());
  return kind === 'drifted' ? line : kind;
}

function driftCause<Case extends { readonly miss: ReplayMiss }>(
  { miss: { masks, kind, line } }: Case,
  cases: readonly Case[],
): DriftCause<Case> {
  return { title: titleOf(kind, masks, cases.length), line, masks, cases };
}

function titleOf(kind: ReplayMiss['kind'], masks: readonly string[], count: number): string {
  if (masks.length > 0)
    return counted(
      count,
      '{0} case drifted because {1} changed',
      '{0} cases drifted because {1} changed',
      maskedThings(masks),
    );
  switch (kind) {
    case 'drifted':
      return counted(count, '{0} case drifted', '{0} cases drifted in the same way');
    case 'missing':
      return counted(
        count,
        '{0} case sent a request that was not recorded',
        '{0} cases sent a request that was not recorded',
      );
    case 'used-up':
      return counted(
        count,
        '{0} case sent a request more often than it was recorded',
        '{0} cases sent a request more often than it was recorded',
      );
    case 'out-of-order':
      return counted(
        count,
        '{0} case sent its requests in another order',
        '{0} cases sent their requests in another order',
      );
  }
}
