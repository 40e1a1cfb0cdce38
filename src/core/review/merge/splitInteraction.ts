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

/** The file of the interaction alone. */
export interface ItemFile {
  /** Whether an interaction is found by digests of its whole request, which cannot follow a part of the request. */
  keepsDigests(text: string): boolean;
  /** Reads a tape whose only interaction is this text. */
  read(text: string): Tape;
  /** The lengths and counts that must follow changes of an interaction. */
  following(text: string, splices: readonly Splice[]): readonly Splice[];
}

/** The text of an interaction with these changes, and with the lengths and counts that follow them. */
export function applyToItem(text: string, splices: readonly Splice[], file: ItemFile): string {
  const follow = file.following(text, splices).filter((one) => !splices.some((other) => overlap(one, other)));
  return applySplices(
    text,
    [...splices, ...follow].sort((left, right) => left.start - right.start),
  );
}

function overlap(left: Splice, right: Splice): boolean {
  return left.start < right.end && right.start < left.end;
}

/**
 * Assigns the hunks of a text to changes, by applying each hunk alone and reading the result. Changes that share a hunk, or
 * that cannot be read without each other, are one part.
 */
export function splitInteraction(item: ChangedItem, file: ItemFile, normaliser: Normaliser): readonly ItemPart[] {
  const { beforeText, afterText, changes } = item;
  const hunks = contentHunks(textHunks(beforeText, afterText), beforeText, file);
  const whole = wholeItem(item);
  if (changes.size < 2 || hunks.length > MAX_HUNKS || hunks.length * beforeText.length > MAX_TEXT * 50) return [whole];
  const trial = new Trial(item, file, normaliser);
  const owned = trial.assign(hunks);
  if (owned === undefined) return [whole];
  const named = withNamesakes(owned, beforeText);
  const hunksOfChanges = file.keepsDigests(beforeText) ? withDigests(named, changes) : named;
  const parts = joinOwners(hunksOfChanges, [...changes.keys()]);
  const isRight = ({ ids, splices }: ItemPart): boolean => sameSet(trial.changesMadeBy(splices, 'whole'), new Set(ids));
  return parts.every(isRight) ? parts : [whole];
}

/** All changes of an interaction as one part. */
export function wholeItem({ beforeText, afterText, changes }: ChangedItem): ItemPart {
  return { ids: [...changes.keys()], splices: [{ start: 0, end: beforeText.length, text: afterText }] };
}

/** The hunks without those of lengths and counts, which follow from the others. */
function contentHunks(hunks: readonly Splice[], text: string, file: ItemFile): readonly Splice[] {
  const follow = file.following(text, hunks);
  return hunks.filter((hunk) => !follow.some((one) => overlap(one, hunk)));
}

/**
 * Gives a hunk that changes nothing by itself to the changes that own all others under the same name: a stream repeats its token
 * counts in each frame, and only the last ones count.
 */
function withNamesakes(hunks: readonly OwnedHunk[], text: string): readonly OwnedHunk[] {
  const parts = joinOwners(hunks, []);
  const names = hunks.map(({ splices: [first] }) =>
    first === undefined ? undefined : memberBefore(text, first.start),
  );
  return hunks.map((hunk, index) => {
    const name = names[index];
    if (hunk.ids.size > 0 || name === undefined) return hunk;
    const namesakes = hunks.filter((_, other) => names[other] === name);
    const [owner, ...others] = parts.filter(({ ids }) => namesakes.some((one) => ids.some((id) => one.ids.has(id))));
    return owner === undefined || others.length > 0 ? hunk : { ...hunk, ids: new Set(owner.ids) };
  });
}

/** Joins the changes of the request, and gives them the key and the digests that are made of it. */
function withDigests(hunks: readonly OwnedHunk[], changes: ChangedItem['changes']): readonly OwnedHunk[] {
  const ofRequest = [...changes].filter(([, found]) => found.some(({ path }) => path[0] === 'request'));
  const ids = ofRequest.map(([id]) => id);
  return hunks.map((hunk) =>
    hunk.ids.size === 0 || ids.some((id) => hunk.ids.has(id)) ? { ...hunk, ids: new Set([...hunk.ids, ...ids]) } : hunk,
  );
}

/** The name of the member whose value a place in JSON or YAML is in the beginning of. */
function memberBefore(text: string, at: number): string | undefined {
  return /([\w-]+)[\\"']*\s*:\s*[\w./\\"'-]*$/.exec(text.slice(Math.max(0, at - 80), at))?.[1];
}

interface OwnedHunk {
  readonly splices: readonly Splice[];
  readonly ids: ReadonlySet<string>;
}

class Trial {
  readonly #item: ChangedItem;
  readonly #file: ItemFile;
  readonly #normaliser: Normaliser;
  readonly #problems: number;
  readonly #owners: ReadonlyMap<string, { readonly id: string; readonly found: Difference }>;

  constructor(item: ChangedItem, file: ItemFile, normaliser: Normaliser) {
    this.#item = item;
    this.#file = file;
    this.#normaliser = normaliser;
    this.#problems = countProblems(file.read(item.beforeText));
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
    const tape = this.#file.read(applyToItem(this.#item.beforeText, splices, this.#file));
    const [interaction, ...more] = tape.interactions;
    if (interaction === undefined || more.length > 0 || countProblems(tape) > this.#problems) return undefined;
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
  // The requested and the responding model are one value.
  if (subject === 'model') return subject;
  if (kind !== 'added') return `${subject} ${kind === 'removed' ? 'edited' : kind} ${formatJsonPath(origin)}`;
  const names = path.filter((key) => typeof key === 'string').join('.');
  return subject === 'message' || subject === 'tool call'
    ? `${subject} added ${names} ${JSON.stringify(after, bigintText)}`
    : `${subject} edited ${formatJsonPath(origin)}`;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

/** Warnings count: parts of a stream that differ from its full text are one. */
function countProblems({ problems }: Tape): number {
  return problems.filter(({ severity }) => severity !== 'info').length;
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
