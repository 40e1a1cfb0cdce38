import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AlignOptions } from '../../../src/core/diff/alignment';
import { alignSequences } from '../../../src/core/diff/alignSequences';
import { countTold, fewestTold } from './shortestAlignment';

/** A letter that says which item it is, and a digit for its edits: `a0` and `a1` are two versions of one item. */
type Item = string;

const editsOf = (before: Item, after: Item): number =>
  before === after ? 0 : before[0] === after[0] ? 1 : Number.POSITIVE_INFINITY;

const options: AlignOptions<Item> = {
  same: (before, after) => before === after,
  exact: (item) => item,
  digests: [(item) => item],
  similarity: (before, after) => (before[0] === after[0] ? 0.8 : 0),
  isEditedAlone: (before, after) => before[0] === after[0],
  minSimilarity: 0.5,
  isEditedElsewhere: (before, after) => before[0] === after[0],
};

function pairsOf(before: readonly Item[], after: readonly Item[]) {
  return alignSequences(before, after, options).pairs;
}

function lines(before: string, after: string): string[] {
  const items = (text: string) => text.split(' ').map((item) => (item.length === 1 ? `${item}0` : item));
  return pairsOf(items(before), items(after)).flatMap((pair) => {
    const where = `${pair.beforeIndex ?? ''}>${pair.afterIndex ?? ''}`;
    if (pair.before === undefined || pair.after === undefined) return [where];
    const what = [...(pair.moved ? ['moved'] : []), ...(pair.before === pair.after ? [] : ['edited'])];
    return what.map((word) => `${where} ${word}`);
  });
}

/** What is done to a sequence: at a place, where it may go, and the version that an edited item becomes. */
type Step = readonly ['edit' | 'insert' | 'copy' | 'remove' | 'move', at: number, to: number];

function applied(items: readonly Item[], steps: readonly Step[]): Item[] {
  return steps.reduce(
    (all: Item[], [kind, at, to]) => {
      const place = at % (all.length + 1);
      const item = all[place];
      if (kind === 'insert') return all.toSpliced(place, 0, `z${to}`);
      if (item === undefined) return all;
      if (kind === 'edit') return all.with(place, `${item[0]}${1 + (to % 3)}`);
      if (kind === 'copy') return all.toSpliced(to % (all.length + 1), 0, item);
      const rest = all.toSpliced(place, 1);
      return kind === 'remove' ? rest : rest.toSpliced(to % (rest.length + 1), 0, item);
    },
    [...items],
  );
}

const sequence = fc.array(fc.constantFrom('a0', 'a0', 'a0', 'b0', 'c0'), { minLength: 1, maxLength: 6 });
const steps = (kinds: readonly Step[0][]) =>
  fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 3 });

describe('alignSequences', () => {
  it('keeps the places of equal items, of which some were edited', () => {
    assert.deepEqual(lines('x a a a a a', 'x a1 a a a2 a'), ['1>1 edited', '4>4 edited']);
    assert.deepEqual(lines('p q p r p s p t', 'p q x p r p1 s p t'), ['>2', '4>5 edited']);
  });

  it('says which item moved past equal ones', () => {
    assert.deepEqual(lines('u a a a a', 'a a a a u'), ['0>4 moved']);
  });

  it('takes an item that is more like one that stayed for a copy of that one, not for one that moved', () => {
    const likeness: Record<string, number> = { 'the first': 0.9, 'the second': 0.6 };
    const similarity = (before: Item, after: Item): number =>
      after === 'a copy of the first' ? (likeness[before] ?? 0) : 0;
    const isEditedElsewhere = (before: Item): boolean => before === 'the second';
    const { pairs } = alignSequences(
      ['the first', 'the second', 'the third'],
      ['the first', 'the third', 'a copy of the first'],
      { ...options, similarity, isEditedElsewhere },
    );
    const [added, removed] = [pairs.filter(({ before }) => !before), pairs.filter(({ after }) => !after)];
    assert.deepEqual(
      [added.map(({ after }) => after), removed.map(({ before }) => before)],
      [['a copy of the first'], ['the second']],
    );
  });

  for (const [title, kinds] of [
    ['edits', ['edit']],
    ['edits, additions and removals', ['edit', 'insert', 'copy', 'remove']],
    ['all of them and moves', ['edit', 'insert', 'copy', 'remove', 'move']],
  ] as const)
    it(`tells no more changes than any other pairing does: ${title}`, () => {
      fc.assert(
        fc.property(sequence, steps(kinds), (before, made) => {
          const after = applied(before, made);
          const pairing = pairsOf(before, after).flatMap(({ beforeIndex: old, afterIndex: now }) =>
            old === undefined || now === undefined ? [] : [[old, now] as const],
          );
          const fewest = fewestTold(before, after, editsOf);
          assert.equal(countTold(before, after, pairing, editsOf), fewest, `${before} → ${after}`);
        }),
        { numRuns: 300 },
      );
    });
});
