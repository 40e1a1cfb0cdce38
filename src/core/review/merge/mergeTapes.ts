import type { AlignedPair } from '../../diff/alignment';
import { mergeAligned } from '../../diff/mergeAligned';
import type { Change } from '../../model/change';
import type { Interaction } from '../../model/interaction';
import type { Tape } from '../../model/tape';
import { encodeTapeFile } from '../../tapes/tapeFile';
import { applySplices, type Splice } from '../../text/splice';
import { compareTapes, type TapeComparison } from '../compare/compareTapes';
import type { Normaliser } from '../compare/normaliser';
import type { RecordedTape } from '../recordings';
import { isPlain, isSameFrame, mergeLayout, piecesOf, type TapeLayout } from '../tapeLayout';
import { compareTapeFiles, type FileComparison } from '../unread/compareTapeFiles';
import {
  applyToItem,
  type ChangedItem,
  type ItemFile,
  type ItemPart,
  splitInteraction,
  wholeItem,
} from './splitInteraction';

/** The merged bytes, or the changes, by their ids, of which the file cannot be written with only a part. */
export type MergeResult = { readonly bytes: Uint8Array } | { readonly torn: readonly string[] };

/** Merges accepted changes between two versions of a file. */
export interface FileMerge {
  /** All changes, by their ids; those of a group can only be taken together. */
  readonly groups: readonly (readonly string[])[];
  /** The file with exactly these changes. All of them give the later file, none the earlier one, byte for byte. */
  take(accepted: ReadonlySet<string>): MergeResult;
}

/** Determines how the changes between two tapes can be accepted one by one. */
export function mergeTapes(
  before: RecordedTape,
  after: RecordedTape,
  comparison: FileComparison,
  normaliser: Normaliser,
): FileMerge {
  const layouts = comparison.isLimited ? undefined : layoutsOf(before, after, comparison);
  if (layouts === undefined) return wholeOnly(before, after, comparison);
  return new PiecewiseMerge(before, after, comparison, normaliser, layouts);
}

function layoutsOf(before: RecordedTape, after: RecordedTape, { pairs }: TapeComparison): Layouts | undefined {
  if (before.format !== after.format) return undefined;
  const old = mergeLayout(before);
  const now = mergeLayout(after);
  if (old === undefined || now === undefined) return undefined;
  const isReordered = pairs.some(
    ({ beforeIndex, afterIndex, moved }) => moved || beforeIndex === undefined || afterIndex === undefined,
  );
  // Other records between interactions would have no defined place in a new order.
  if (isReordered && ![...old.gaps, ...now.gaps].every(isPlain)) return undefined;
  return { before: old, after: now };
}

function allIds({ changes }: TapeComparison): readonly string[] {
  return changes.map(({ id }) => id);
}

function wholeOnly(before: RecordedTape, after: RecordedTape, comparison: TapeComparison): FileMerge {
  const ids = allIds(comparison);
  return {
    groups: [ids],
    take: (accepted) => {
      const count = ids.filter((id) => accepted.has(id)).length;
      if (count === 0) return { bytes: before.file.bytes };
      if (count === ids.length) return { bytes: after.file.bytes };
      return { torn: ids };
    },
  };
}

class PiecewiseMerge implements FileMerge {
  readonly groups: readonly (readonly string[])[];
  /** The parts of each edited interaction, by its place on the earlier tape. */
  readonly #parts = new Map<number, readonly ItemPart[]>();
  /** The changes that add, remove or move an interaction, by the pair. */
  readonly #order = new Map<AlignedPair<Interaction>, string>();
  /** The changes of the text around the interactions: all of them, or none. */
  readonly #frame: readonly string[];
  readonly #torn: readonly string[];

  constructor(
    private readonly before: RecordedTape,
    private readonly after: RecordedTape,
    private readonly comparison: FileComparison,
    private readonly normaliser: Normaliser,
    private readonly layouts: Layouts,
  ) {
    const { unread } = comparison;
    const readChanges = comparison.changes.filter(({ id }) => id !== unread?.id);
    const { frame, torn } = frameChanges(layouts, { ...comparison, changes: readChanges }, (pieces) =>
      compareTapes(before.tape, this.#read(layouts.after.join(pieces)), normaliser),
    );
    this.#frame = unread?.isAround ? [...frame, unread.id] : frame;
    this.#torn = torn;
    const edited = this.#sortChanges();
    for (const [pair, changes] of edited) this.#parts.set(pair.beforeIndex ?? 0, this.#split(pair, changes));
    if (unread !== undefined)
      for (const pair of unread.pairs) this.#parts.set(pair.beforeIndex ?? 0, this.#withUnread(pair, unread.id));
    this.groups = joinSets([
      ...allIds(comparison).map((id) => [id]),
      ...[...this.#parts.values()].flatMap((parts) => parts.map(({ ids }) => ids)),
      this.#exchanged(),
      this.#frame,
    ]);
  }

  take(accepted: ReadonlySet<string>): MergeResult {
    const ids = allIds(this.comparison);
    if (ids.every((id) => !accepted.has(id))) return { bytes: this.before.file.bytes };
    if (ids.every((id) => accepted.has(id))) return { bytes: this.after.file.bytes };
    const torn = this.groups.filter(
      (group) => group.some((id) => accepted.has(id)) && !group.every((id) => accepted.has(id)),
    );
    if (torn.length > 0) return { torn: torn.flat() };
    return this.#checked(this.#finalised(this.#text(accepted)), accepted);
  }

  /** If no interaction is kept, a removed and an added one have to be accepted together: the tape must not be empty. */
  #exchanged(): readonly string[] {
    const { pairs } = this.comparison;
    const gone = pairs.find(({ afterIndex }) => afterIndex === undefined);
    const come = pairs.find(({ beforeIndex }) => beforeIndex === undefined);
    const isKept = pairs.some(({ beforeIndex, afterIndex }) => beforeIndex !== undefined && afterIndex !== undefined);
    return isKept ? [] : [gone, come].flatMap((pair) => (pair && this.#order.get(pair)) ?? []);
  }

  #sortChanges(): ReadonlyMap<AlignedPair<Interaction>, Map<string, ItemDifferences>> {
    const byPlace = new Map(this.comparison.pairs.map((pair) => [placeKey(pair.beforeIndex, pair.afterIndex), pair]));
    const edited = new Map<AlignedPair<Interaction>, Map<string, ItemDifferences>>();
    const inItems = this.comparison.changes.filter(({ id }) => !this.#frame.includes(id) || this.#torn.includes(id));
    for (const { id } of inItems)
      for (const difference of this.comparison.sources.get(id) ?? []) {
        const { before, after } = difference.interaction ?? {};
        const pair = byPlace.get(placeKey(before, after));
        if (pair === undefined) continue;
        if (difference.path.length === 0) this.#order.set(pair, id);
        else {
          const changes = edited.get(pair) ?? new Map<string, ItemDifferences>();
          changes.set(id, [...(changes.get(id) ?? []), difference]);
          edited.set(pair, changes);
        }
      }
    return edited;
  }

  #itemOf(pair: AlignedPair<Interaction>, changes: ReadonlyMap<string, ItemDifferences>): ChangedItem {
    const { before, after } = this.layouts;
    return {
      before: pair.before as Interaction,
      beforeText: before.items.at(pair.beforeIndex ?? 0) ?? '',
      afterText: after.items.at(pair.afterIndex ?? 0) ?? '',
      changes,
      changed: this.comparison.changed,
    };
  }

  /** What no reader knows of an interaction is taken with all of its changes. */
  #withUnread(pair: AlignedPair<Interaction>, unread: string): readonly ItemPart[] {
    const ids = (this.#parts.get(pair.beforeIndex ?? 0) ?? []).flatMap((part) => part.ids);
    return [{ ...wholeItem(this.#itemOf(pair, new Map())), ids: [...ids, unread] }];
  }

  #split(pair: AlignedPair<Interaction>, changes: ReadonlyMap<string, ItemDifferences>): readonly ItemPart[] {
    const item = this.#itemOf(pair, changes);
    if (this.#torn.some((id) => changes.has(id))) return [wholeItem(item)];
    return splitInteraction(item, this.#itemFile, this.normaliser);
  }

  readonly #itemFile: ItemFile = {
    keepsDigests: (text) => {
      const { format, file } = this.before;
      const { head, tail } = this.layouts.before;
      return (
        format.digestRequest !== undefined || format.hasOpaqueIds?.({ ...file, text: head + text + tail }) === true
      );
    },
    read: (text) => {
      const { head, tail } = this.layouts.before;
      return this.#read(this.layouts.after.join([head, text, tail]));
    },
    following: (text, splices) => {
      const { head, tail } = this.layouts.before;
      const moved = (by: number) => (one: Splice) => ({ ...one, start: one.start + by, end: one.end + by });
      const file = { ...this.before.file, text: head + text + tail };
      const follow = this.before.format.followingEdits?.(file, splices.map(moved(head.length)));
      return follow?.splices.map(moved(-head.length)) ?? [];
    },
  };

  #read(text: string): Tape {
    return this.before.format.read({ ...this.before.file, text });
  }

  #text(accepted: ReadonlySet<string>): string {
    const { before, after } = this.layouts;
    const isWanted = (pair: AlignedPair<Interaction>) => accepted.has(this.#order.get(pair) ?? '');
    const merged = mergeAligned(this.comparison.pairs, { added: isWanted, removed: isWanted, moved: isWanted });
    const isFrameNew = this.#frame.length > 0 && this.#frame.every((id) => accepted.has(id));
    const between = (left: AlignedPair<Interaction>, right: AlignedPair<Interaction>) =>
      separator(left, right, before.gaps, after.gaps, isFrameNew);
    const frame = isFrameNew ? after : before;
    const item = (pair: AlignedPair<Interaction>) => this.#item(pair, accepted);
    function* pieces(): Generator<string> {
      yield frame.head;
      for (const [index, pair] of merged.entries()) {
        const previous = merged[index - 1];
        if (previous !== undefined) yield between(previous, pair);
        yield item(pair);
      }
      yield frame.tail;
    }
    return after.join(pieces());
  }

  #item(pair: AlignedPair<Interaction>, accepted: ReadonlySet<string>): string {
    const { before, after } = this.layouts;
    const now = () => (pair.afterIndex === undefined ? '' : (after.items.at(pair.afterIndex) ?? ''));
    if (pair.beforeIndex === undefined) return now();
    const old = before.items.at(pair.beforeIndex) ?? '';
    const parts = this.#parts.get(pair.beforeIndex) ?? [];
    const taken = parts.filter(({ ids }) => ids.every((id) => accepted.has(id)));
    if (taken.length === 0) return old;
    if (taken.length === parts.length) return now();
    return applyToItem(
      old,
      taken.flatMap(({ splices }) => splices),
      this.#itemFile,
    );
  }

  /** Updates the counts and hashes of the format. */
  #finalised(text: string): string {
    const splices = this.before.format.finalise?.({ ...this.before.file, text }) ?? [];
    return applySplices(text, splices);
  }

  /** Reads the merged text back, and refuses it unless it has exactly the accepted changes. */
  #checked(text: string, accepted: ReadonlySet<string>): MergeResult {
    const merged = this.#read(text);
    const errors = ({ problems }: Tape) => problems.filter(({ severity }) => severity === 'error').length;
    if (errors(merged) > Math.max(errors(this.before.tape), errors(this.after.tape)))
      return { torn: allIds(this.comparison) };
    const left = this.#changesLeft(text, merged);
    const rejected = this.comparison.changes.filter(({ id }) => !accepted.has(id)).length;
    if (left.length === 0 && rejected > 0) return { torn: allIds(this.comparison) };
    return { bytes: encodeTapeFile(this.before.file, text) };
  }

  #changesLeft(text: string, tape: Tape): readonly Change[] {
    const { before, after, comparison, normaliser } = this;
    if (comparison.unread === undefined) return compareTapes(tape, after.tape, normaliser).changes;
    return compareTapeFiles({ ...before, file: { ...before.file, text }, tape }, after, normaliser).changes;
  }
}

type ItemDifferences = NonNullable<ReturnType<TapeComparison['sources']['get']>>;

function placeKey(before: number | undefined, after: number | undefined): string {
  return `${before ?? ''}>${after ?? ''}`;
}

/** The text between the two interactions, or before the second one, or between any two. */
function separator(
  left: AlignedPair<Interaction>,
  right: AlignedPair<Interaction>,
  olds: readonly string[],
  news: readonly string[],
  isNewFirst: boolean,
): string {
  const old = right.beforeIndex ?? -1;
  const now = right.afterIndex ?? -1;
  const earlier = left.beforeIndex !== undefined && left.beforeIndex === old - 1 ? olds[old - 1] : undefined;
  const later = left.afterIndex !== undefined && left.afterIndex === now - 1 ? news[now - 1] : undefined;
  const kept = isNewFirst ? (later ?? earlier) : (earlier ?? later);
  return kept ?? olds[old - 1] ?? news[now - 1] ?? olds[0] ?? news[0] ?? '';
}

/** Joins sets that share a member. */
function joinSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let joined: Set<string>[] = [];
  for (const set of sets.filter(({ length }) => length > 0)) {
    const touching = joined.filter((other) => set.some((item) => other.has(item)));
    joined = [
      ...joined.filter((other) => !touching.includes(other)),
      new Set([...touching.flatMap((one) => [...one]), ...set]),
    ];
  }
  return joined.map((set) => [...set]);
}

/** The layouts of both files. */
interface Layouts {
  readonly before: TapeLayout;
  readonly after: TapeLayout;
}

/** The changes, by their ids, that the text around the interactions makes. */
interface FrameChanges {
  /** They are made by this text: all of them, or none. */
  readonly frame: readonly string[];
  /** Those of them that need an interaction as well. */
  readonly torn: readonly string[];
}

/** Finds them by changing only the interactions, and only what is around them. `compare` compares a file of pieces with the earlier one. */
function frameChanges(
  { before, after }: Layouts,
  { changes, sources }: TapeComparison,
  compare: (pieces: Iterable<string>) => TapeComparison,
): FrameChanges {
  if (isSameFrame(before, after)) return { frame: [], torn: [] };
  const hasSameGaps = before.gaps.length === after.gaps.length;
  const byItems = compare(piecesOf(before, after, hasSameGaps ? before : after)).sources;
  const frame = changes.filter((change) => isOfTape(change) || !byItems.has(change.id));
  const ofItems = frame.filter((change) => !isOfTape(change));
  if (ofItems.length === 0) return { frame: frame.map(({ id }) => id), torn: [] };
  const byFrame = compare(piecesOf(after, before, hasSameGaps ? after : before)).sources;
  // A request that repeats a response is another place of the same change.
  const places = (found: typeof sources, id: string) => found.get(id)?.length ?? 0;
  const torn = ofItems.filter(({ id }) => places(byFrame, id) < places(sources, id));
  return { frame: frame.map(({ id }) => id), torn: torn.map(({ id }) => id) };
}

/** Whether a change is one of the tape, and not of an interaction. */
function isOfTape({ place }: Change): boolean {
  return place.before === undefined && place.after === undefined;
}
