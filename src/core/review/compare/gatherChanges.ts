import { digest53 } from '../../hash/digest53';
import type { Change, ChangePlace } from '../../model/change';
import { changeTitle, changeWeight, languageOf, sideText } from './describeChange';
import { type Difference, identityOf } from './difference';
import type { Normaliser } from './normaliser';
import type { DifferenceGroup, PlacedDifference } from './placedDifference';
import { addedUsage, attachUsage, type ChangePart } from './usageOfChanges';

export interface GatheredChanges {
  readonly changes: readonly Change[];
  readonly hidden: readonly Change[];
  /** The differences that each change consists of. */
  readonly sources: ReadonlyMap<string, readonly PlacedDifference[]>;
}

/**
 * Turns differences into changes, in order: repeats are folded into the first one, token counts go with the change that they came
 * with, and each change gets a stable id.
 */
export function gatherChanges(all: readonly PlacedDifference[], normaliser: Normaliser): GatheredChanges {
  const ids = new Map<string, number>();
  const parts = foldRepeats(all).map((group) => ({ group, id: stableId(group[0], ids, normaliser), usage: [] }));
  const sources = new Map<string, readonly PlacedDifference[]>();
  const gathered = attachUsage(parts).map((part) => {
    const change = toChange(part);
    sources.set(change.id, [...part.group, ...part.usage.flatMap(({ group }) => group)]);
    return change;
  });
  return {
    changes: gathered.filter(({ rules }) => rules.length === 0),
    hidden: gathered.filter(({ rules }) => rules.length > 0),
    sources,
  };
}

/** The number of changes, each part counted. */
export function countDifferences(all: readonly PlacedDifference[]): number {
  return foldRepeats(all).filter(([{ rules = [] }]) => rules.length === 0).length;
}

function foldRepeats(all: readonly PlacedDifference[]): readonly DifferenceGroup[] {
  const groups: [PlacedDifference, ...PlacedDifference[]][] = [];
  const known = new Map<string, [PlacedDifference, ...PlacedDifference[]]>();
  for (const one of all) {
    const { keys, mayRepeat } = one.repeatKeys ?? { keys: [], mayRepeat: false };
    const earlier = mayRepeat ? keys.map((key) => known.get(key)).find((group) => group !== undefined) : undefined;
    if (earlier !== undefined) {
      earlier.push(one);
      continue;
    }
    const group: [PlacedDifference, ...PlacedDifference[]] = [one];
    groups.push(group);
    for (const key of keys) if (!known.has(key)) known.set(key, group);
  }
  return groups;
}

function toChange({ group: [first, ...more], id, usage }: ChangePart): Change {
  const { kind, subject, before, after, rules = [] } = first;
  const partIds = [id, ...usage.map((part) => part.id)];
  const counts = subject === 'usage' ? [first] : usage.map((part) => part.group[0]);
  return {
    id: usage.length === 0 ? id : digest53(partIds.join('\u0000')).toString(36),
    kind,
    subject,
    place: placeOf(first),
    weight: changeWeight(first),
    title: changeTitle(first),
    before: sideText(before),
    after: sideText(after),
    language: languageOf(before, after),
    repeats: more.map(placeOf),
    ...(counts.length > 0 && { usage: addedUsage(counts) }),
    ...(usage.length > 0 && { partIds }),
    rules,
  };
}

function placeOf({ interaction, path }: PlacedDifference): ChangePlace {
  return { ...interaction, path };
}

/** An id made of the old and new value, not of list indexes; further changes of the same id get a number. */
function stableId(difference: Difference, ids: Map<string, number>, normaliser: Normaliser): string {
  const { kind, subject, path } = difference;
  const names = path.filter((key) => typeof key === 'string');
  const content = [kind, subject, names.join('.'), ...identityOf(difference, normaliser)].join('\u0000');
  const base = digest53(content).toString(36);
  const count = (ids.get(base) ?? 0) + 1;
  ids.set(base, count);
  return count === 1 ? base : `${base}-${count}`;
}
