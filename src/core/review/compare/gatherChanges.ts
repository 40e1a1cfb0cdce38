import { digest53 } from '../../hash/digest53';
import { isRecord, type Json } from '../../json/json';
import type { Change, ChangePlace, UsageChange } from '../../model/change';
import { addUsage, USAGE_DETAILS, type Usage } from '../../model/usage';
import { type ChangeId, writeChangeId } from '../changeId';
import { changeTitle, changeWeight, languageOf, sideText } from './describeChange';
import { identityOf } from './difference';
import type { Normaliser } from './normaliser';
import type { DifferenceGroup, PlacedDifference } from './placedDifference';
import type { RepeatKeys } from './repeats';

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

/** A difference with its repeats, and the token counts that belong to it. */
interface ChangePart {
  readonly group: DifferenceGroup;
  /** Of the difference alone. */
  readonly id: ChangeId;
  readonly usage: readonly ChangePart[];
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

/**
 * Gives token counts to the change that they came with: the first one in the response of their interaction, or else in its request.
 * They remain a change of their own where nothing else of the interaction changed.
 */
function attachUsage(parts: readonly ChangePart[]): readonly ChangePart[] {
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
function addedUsage(differences: readonly PlacedDifference[]): UsageChange {
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
