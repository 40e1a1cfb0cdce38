import { digest53 } from '../../hash/digest53';
import type { Change, ChangePlace } from '../../model/change';
import { type ChangeId, writeChangeId } from '../changeId';
import { changeTitle, changeWeight, languageOf, sideText } from './describeChange';
import { identityOf } from './difference';
import type { Normaliser } from './normaliser';
import type { DifferenceGroup, PlacedDifference } from './placedDifference';
import type { RepeatKeys } from './repeats';
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
  const known = new Map<string, number>();
  const parts = foldRepeats(all).map((group) => ({ group, id: identify(group[0], known, normaliser), usage: [] }));
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

/**
 * The differences with their repeats. Where several changes are alike, a request repeats them in the order in which they were made, and
 * one that repeats fewer of them repeats the last.
 */
function foldRepeats(all: readonly PlacedDifference[]): readonly DifferenceGroup[] {
  const groups: OpenGroup[] = [];
  const known = new Map<string, OpenGroup[]>();
  for (const request of requestsOf(all)) {
    const repeated = repeatedIn(request, known);
    for (const one of request) {
      const { keys, mayRepeat } = one.repeatKeys ?? NO_KEYS;
      const [key] = mayRepeat ? keys : [];
      const repeats = key === undefined ? undefined : (repeated.get(key)?.shift() ?? known.get(key)?.[0]);
      if (repeats === undefined) {
        const group: OpenGroup = [one];
        groups.push(group);
        for (const key of keys) known.set(key, [...(known.get(key) ?? []), group]);
      } else repeats.push(one);
    }
  }
  return groups;
}

type OpenGroup = [PlacedDifference, ...PlacedDifference[]];
const NO_KEYS: RepeatKeys = { keys: [], mayRepeat: false };

/** The changes of before that a request repeats, in its order, by their keys. */
function repeatedIn(
  request: readonly PlacedDifference[],
  known: ReadonlyMap<string, readonly OpenGroup[]>,
): ReadonlyMap<string, OpenGroup[]> {
  const counts = new Map<string, number>();
  for (const { repeatKeys = NO_KEYS } of request)
    if (repeatKeys.mayRepeat) for (const key of repeatKeys.keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Map(
    [...counts].map(([key, count]) => {
      const changes = known.get(key) ?? [];
      const [first] = changes;
      const unknown = first === undefined ? [] : Array.from({ length: count - changes.length }, () => first);
      return [key, [...unknown, ...changes.slice(-count)]];
    }),
  );
}

/** The differences of each interaction; in a run, of each list. */
function requestsOf(all: readonly PlacedDifference[]): readonly (readonly PlacedDifference[])[] {
  const requests: PlacedDifference[][] = [];
  let last: string | undefined;
  for (const one of all) {
    const place = placeOfRequest(one);
    if (place === last) requests.at(-1)?.push(one);
    else requests.push([one]);
    last = place;
  }
  return requests;
}

function placeOfRequest({ interaction, path }: PlacedDifference): string {
  if (interaction !== undefined) return `${interaction.before ?? ''}>${interaction.after ?? ''}`;
  const index = path.findIndex((key) => typeof key === 'number');
  return path.slice(0, index === -1 ? path.length : index).join('.');
}

function toChange({ group: [first, ...more], id, usage }: ChangePart): Change {
  const { kind, subject, before, after, rules = [] } = first;
  const counts = subject === 'usage' ? [first] : usage.map((part) => part.group[0]);
  return {
    id: writeChangeId(
      usage.length === 0 ? id : { ...id, what: digest([id, ...usage.map((part) => part.id)].map(({ what }) => what)) },
    ),
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
    rules,
  };
}

function placeOf({ interaction, path }: PlacedDifference): ChangePlace {
  return { ...interaction, path };
}

/**
 * What was changed: the old and the new value, and the names on the way to them. And where: in the earlier version, which decisions
 * about the later one leave as it is. Where both are the same, as of equal interactions that follow each other, a number tells them apart.
 */
function identify(difference: PlacedDifference, known: Map<string, number>, normaliser: Normaliser): ChangeId {
  const { kind, subject, path, origin = path, earlier = '' } = difference;
  const names = path.filter((key) => typeof key === 'string');
  const what = digest([kind, subject, names.join('.'), ...identityOf(difference, normaliser)]);
  const place = [earlier, ...origin.filter((_, at) => typeof path[at] === 'number')];
  const where = digest(place);
  const count = (known.get(`${what} ${where}`) ?? 0) + 1;
  known.set(`${what} ${where}`, count);
  return { what, where: count === 1 ? where : digest([...place, count]) };
}

function digest(parts: readonly (string | number)[]): string {
  return digest53(parts.join('\u0000')).toString(36);
}
