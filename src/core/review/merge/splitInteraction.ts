import { textHunks } from '../../diff/textHunks';
import { jsonEqual } from '../../json/json';
import { formatJsonPath } from '../../json/jsonPath';
import type { Interaction } from '../../model/interaction';
import type { Tape } from '../../model/tape';
import { applySplices, type Splice } from '../../text/splice';
import { compareInteraction } from '../compare/compareInteraction';
import type { Difference } from '../compare/difference';
import type { ChangedValues } from '../compare/noise';
import type { Normaliser } from '../compare/normaliser';

/** An interaction with several changes, as text on both sides. */
export interface ChangedItem {
  readonly before: Interaction;
  readonly beforeText: string;
  readonly afterText: string;
  /** The differences of each change in this interaction. */
  readonly changes: ReadonlyMap<string, readonly Difference[]>;
  /** The volatile values that changed on the tape. */
  readonly changed: ChangedValues;
}

/** The splices of a set of changes that can only be accepted together. */
export interface ItemPart {
  readonly ids: readonly string[];
  readonly splices: readonly Splice[];
}

/** With more hunks, or more text, an interaction is not split. */
const MAX_HUNKS = 300;
const MAX_TEXT = 4_000_000;

/** Reads a tape whose only interaction is this text. */
export type ReadItem = (text: string) => Tape;

/**
 * Assigns the hunks of a text to changes, by applying each hunk alone and reading the result. Changes that share a hunk, or
 * that cannot be read without each other, are one part.
 */
export function splitInteraction(item: ChangedItem, readItem: ReadItem, normaliser: Normaliser): readonly ItemPart[] {
  const { beforeText, afterText, changes } = item;
  const hunks = textHunks(beforeText, afterText);
  const whole: ItemPart = {
    ids: [...changes.keys()],
    splices: [{ start: 0, end: beforeText.length, text: afterText }],
  };
  if (changes.size < 2 || hunks.length > MAX_HUNKS || hunks.length * beforeText.length > MAX_TEXT * 50) return [whole];
  const trial = new Trial(item, readItem, normaliser);
  const owned = trial.assign(hunks);
  if (owned === undefined) return [whole];
  const parts = joinOwners(owned, [...changes.keys()]);
  const isRight = ({ ids, splices }: ItemPart): boolean => sameSet(trial.changesMadeBy(splices, 'whole'), new Set(ids));
  return parts.every(isRight) ? parts : [whole];
}

interface OwnedHunk {
  readonly splices: readonly Splice[];
  readonly ids: ReadonlySet<string>;
}

class Trial {
  readonly #item: ChangedItem;
  readonly #readItem: ReadItem;
  readonly #normaliser: Normaliser;
  readonly #problems: number;
  readonly #owners: ReadonlyMap<string, { readonly id: string; readonly found: Difference }>;

  constructor(item: ChangedItem, readItem: ReadItem, normaliser: Normaliser) {
    this.#item = item;
    this.#readItem = readItem;
    this.#normaliser = normaliser;
    this.#problems = countErrors(readItem(item.beforeText));
    this.#owners = new Map(
      [...item.changes].flatMap(([id, founds]) => founds.map((found) => [identity(found), { id, found }] as const)),
    );
  }

  /** The hunks with their changes; a hunk that cannot be read alone is joined with the next one. */
  assign(hunks: readonly Splice[]): readonly OwnedHunk[] | undefined {
    const owned: OwnedHunk[] = [];
    let waiting: Splice[] = [];
    for (const hunk of hunks) {
      const splices = [...waiting, hunk];
      const ids = this.changesMadeBy(splices);
      if (ids === undefined) waiting = splices;
      else {
        owned.push({ splices, ids });
        waiting = [];
      }
    }
    return waiting.length === 0 ? owned : undefined;
  }

  /**
   * The changes that splices make. Undefined if the result cannot be read, or has a difference that belongs to no change; with
   * `whole`, also if a change is only made in part.
   */
  changesMadeBy(splices: readonly Splice[], extent: 'any' | 'whole' = 'any'): ReadonlySet<string> | undefined {
    const tape = this.#readItem(applySplices(this.#item.beforeText, splices));
    const [interaction, ...more] = tape.interactions;
    if (interaction === undefined || more.length > 0 || countErrors(tape) > this.#problems) return undefined;
    const made = compareInteraction(this.#item.before, interaction, this.#normaliser, this.#item.changed);
    const ids = new Set<string>();
    for (const one of made) {
      const owner = this.#owners.get(identity(one));
      if (owner !== undefined && extent === 'whole' && !jsonEqual(one.after, owner.found.after)) return undefined;
      if (owner !== undefined) ids.add(owner.id);
      else if (one.rules === undefined) return undefined;
    }
    return ids;
  }
}

/** Identifies an existing value by its place, and an added one by its content. */
function identity(difference: Difference): string {
  const { subject, kind, path, origin = path, after } = difference;
  if (kind !== 'added') return `${subject} ${kind === 'removed' ? 'edited' : kind} ${formatJsonPath(origin)}`;
  const names = path.filter((key) => typeof key === 'string').join('.');
  return subject === 'message' || subject === 'tool call'
    ? `${subject} added ${names} ${JSON.stringify(after, bigintText)}`
    : `${subject} edited ${formatJsonPath(origin)}`;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

function countErrors({ problems }: Tape): number {
  return problems.filter(({ severity }) => severity === 'error').length;
}

/** Joins hunks whose changes overlap. A hunk without a change is only applied with the whole interaction. */
function joinOwners(hunks: readonly OwnedHunk[], all: readonly string[]): readonly ItemPart[] {
  let parts: { ids: Set<string>; splices: Splice[] }[] = [];
  for (const { ids, splices } of hunks) {
    if (ids.size === 0) continue;
    const touching = parts.filter((part) => [...ids].some((id) => part.ids.has(id)));
    parts = parts.filter((part) => !touching.includes(part));
    parts.push({
      ids: new Set([...touching.flatMap((part) => [...part.ids]), ...ids]),
      splices: [...touching.flatMap((part) => part.splices), ...splices],
    });
  }
  const known = new Set(parts.flatMap(({ ids }) => [...ids]));
  if (all.some((id) => !known.has(id))) return [{ ids: all, splices: hunks.flatMap(({ splices }) => splices) }];
  return parts.map(({ ids, splices }) => ({ ids: [...ids], splices }));
}

function sameSet(left: ReadonlySet<string> | undefined, right: ReadonlySet<string>): boolean {
  return left !== undefined && left.size === right.size && [...left].every((item) => right.has(item));
}
