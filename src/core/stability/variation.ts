import { formatJsonPath, type JsonPath } from '../json/jsonPath';
import type { Artifact } from '../model/artifact';
import type { Change, ChangeSet, ChangeSubject } from '../model/change';
import type { Tape } from '../model/tape';
import { compareRuns } from '../review/compare/compareRuns';
import { compareTapes } from '../review/compare/compareTapes';
import type { Normaliser } from '../review/compare/normaliser';

/** One of several recordings of a case that are compared with each other. */
export interface ComparedTake {
  readonly tape: Tape;
  readonly artifact: Artifact;
}

/** A value that differs between takes. */
export interface Variation {
  /** Such as "Arguments of get_weather". */
  readonly title: string;
  readonly subject: ChangeSubject;
  /** All places of the value, in order: a response is on the tape, and also the output of the run. */
  readonly places: readonly VariationPlace[];
  /** Its values, the most frequent first. */
  readonly values: readonly VariationValue[];
  /** Some takes lack it, or have it at another place, which no rule for texts covers. */
  readonly isStructural: boolean;
}

export interface VariationPlace {
  readonly in: 'tape' | 'run';
  /** From 0; absent in a run. */
  readonly interaction?: number;
  readonly path: JsonPath;
}

interface VariationValue {
  /** Absent for takes without the value. */
  readonly text?: string;
  /** The takes with this value, from 0. */
  readonly takes: readonly number[];
}

/** The variations, the most frequent first, and how often each rule ignored one. */
export interface Variations {
  readonly varying: readonly Variation[];
  readonly hidden: Readonly<Record<string, number>>;
}

/** The number of takes without the most frequent value. */
export function differingTakes({ values }: Pick<Variation, 'values'>): number {
  return values.slice(1).reduce((sum, { takes }) => sum + takes.length, 0);
}

/** Compares the tape and the artifact of each take with those of the first. */
export function variationsIn(takes: readonly ComparedTake[], normaliser: Normaliser): Variations {
  const hidden: Record<string, number> = {};
  const found = [
    ...collect('tape', takes, (first, take) => compareTapes(first.tape, take.tape, normaliser), normaliser, hidden),
    ...collect(
      'run',
      takes,
      (first, take) => compareRuns(first.artifact, take.artifact, normaliser),
      normaliser,
      hidden,
    ),
  ];
  const varying = [...fold(found)].sort((left, right) => differingTakes(right) - differingTakes(left));
  return { varying, hidden };
}

interface Sighting {
  readonly change: Change;
  readonly texts: Map<number, string | undefined>;
}

function collect(
  where: 'tape' | 'run',
  takes: readonly ComparedTake[],
  compare: (first: ComparedTake, take: ComparedTake) => ChangeSet,
  normaliser: Normaliser,
  hidden: Record<string, number>,
): readonly Variation[] {
  const [first, ...others] = takes;
  const sightings = new Map<string, Sighting>();
  for (const [index, take] of first === undefined ? [] : others.entries()) {
    const differences = first && compare(first, take);
    for (const rule of differences?.hidden.flatMap(({ rules }) => rules) ?? []) hidden[rule] = (hidden[rule] ?? 0) + 1;
    for (const change of differences?.changes ?? []) {
      const sighting = sightings.get(keyOf(change)) ?? { change, texts: new Map() };
      sightings.set(keyOf(change), sighting);
      sighting.texts.set(index + 1, change.kind === 'removed' ? undefined : change.after);
    }
  }
  return [...sightings.values()].map((sighting) => variation(where, sighting, takes.length, normaliser));
}

function keyOf({ kind, subject, place: { before, after, path } }: Change): string {
  return [subject, kind === 'moved', before ?? `+${after}`, formatJsonPath(path)].join(' ');
}

function variation(
  where: 'tape' | 'run',
  { change, texts }: Sighting,
  count: number,
  normaliser: Normaliser,
): Variation {
  const { title, subject, place, kind, before } = change;
  const original = kind === 'added' ? undefined : before;
  const all = Array.from({ length: count }, (_, take) => (texts.has(take) ? texts.get(take) : original));
  const interaction = place.before ?? place.after;
  return {
    title,
    subject,
    places: [{ in: where, interaction, path: place.path }],
    values: grouped(all, meaningOf(change, normaliser)),
    isStructural: kind === 'moved' || all.includes(undefined),
  };
}

/**
 * What a text says under the rules. A preset, such as that for UUIDs, holds for what a model was given: in what it says, another UUID
 * is another value.
 */
function meaningOf({ weight }: Change, normaliser: Normaliser): (text: string) => string {
  return (text) => (weight === 'context' ? normaliser.text(text) : normaliser.withoutPatterns(text));
}

/** Groups texts that say the same. */
function grouped(
  texts: readonly (string | undefined)[],
  meaningOf: (text: string) => string,
): readonly VariationValue[] {
  const groups = new Map<string | undefined, { text?: string; takes: number[] }>();
  for (const [take, text] of texts.entries()) {
    const meaning = text === undefined ? undefined : meaningOf(text);
    const group = groups.get(meaning) ?? { text, takes: [] };
    groups.set(meaning, group);
    group.takes.push(take);
  }
  return [...groups.values()].sort((left, right) => right.takes.length - left.takes.length);
}

/** Joins variations with the same values in the same takes into one with several places. */
function fold(all: readonly Variation[]): readonly Variation[] {
  const known = new Map<string, Variation>();
  for (const one of all) {
    const key = JSON.stringify([one.values, one.isStructural]);
    const first = known.get(key);
    known.set(key, first === undefined ? one : { ...first, places: [...first.places, ...one.places] });
  }
  return [...known.values()];
}
