import assert from 'node:assert/strict';
import { diffWordsWithSpace } from 'diff';
import fc from 'fast-check';
import { cutMiddle, diffLines, diffText, diffWords } from '../../../src/core/diff/diffText';
import { textHunks } from '../../../src/core/diff/textHunks';
import { applySplices } from '../../../src/core/text/splice';

const text = fc
  .array(fc.constantFrom('one', 'two', ' ', '\n', '{', '\\n', 'é'), { maxLength: 20 })
  .map((parts) => parts.join(''));

describe('hunks of two texts', () => {
  it('give both texts back, and no two neighbours are replacements', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const hunks of [diffLines(before, after, 1000), diffWords(before, after, 1000)]) {
          assert.equal(hunks?.map((hunk) => hunk.before).join(''), before);
          assert.equal(hunks?.map((hunk) => hunk.after).join(''), after);
          assert.ok(hunks?.every((hunk, index) => hunk.isEqual || hunks[index + 1]?.isEqual !== false));
        }
      }),
    );
  });

  it('are those of the words with their white space, however many texts one is compared with', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (olds, after) => {
        for (const before of olds) {
          const chunks = diffWordsWithSpace(before, after);
          const hunks = diffWords(before, after, 1000) ?? [];
          const isSame = ({ added, removed }: (typeof chunks)[number]) => !added && !removed;
          const equal = hunks.filter((hunk) => hunk.isEqual).map((hunk) => hunk.before);
          assert.deepEqual(
            equal,
            chunks.filter(isSame).map(({ value }) => value),
          );
          const between = (side: 'added' | 'removed') =>
            chunks.filter((chunk) => chunk[side]).map(({ value }) => value);
          const replaced = hunks.filter((hunk) => !hunk.isEqual);
          assert.deepEqual(replaced.map((hunk) => hunk.before).filter(Boolean), between('removed'));
          assert.deepEqual(replaced.map((hunk) => hunk.after).filter(Boolean), between('added'));
        }
      }),
    );
  });

  it('are splices from one text to the other', () => {
    fc.assert(
      fc.property(text, text, (before, after) => assert.equal(applySplices(before, textHunks(before, after)), after)),
    );
  });
});

describe('a shortened text', () => {
  it('loses its middle only if enough is left out', () => {
    assert.deepEqual(cutMiddle('abcdef', 1, 2), { start: 'a', skipped: 3, end: 'ef' });
    assert.deepEqual(cutMiddle('abcdef', 1, 2, 3), { start: 'abcdef', skipped: 0, end: '' });
    assert.deepEqual(cutMiddle('abc', 2, 1), { start: 'abc', skipped: 0, end: '' });
  });

  it('keeps a hundred characters around a change', () => {
    const same = 'x'.repeat(1000);
    assert.deepEqual(diffText(`${same} old`, `${same} new`), [
      { type: 'skipped', length: 901 },
      { type: 'same', text: `${'x'.repeat(99)} ` },
      { type: 'removed', text: 'old' },
      { type: 'added', text: 'new' },
    ]);
  });
});
