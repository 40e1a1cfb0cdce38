import assert from 'node:assert/strict';
import fc from 'fast-check';
import { volatilePatterns } from '../../../src/core/match/volatilePattern';
import { pasteSnippet } from '../../../src/core/stability/snippets';
import { commonWords } from '../../../src/core/stability/suggestForCase';

const sources = (...texts: string[]) => volatilePatterns(texts).map(({ name, pattern }) => [name, pattern.source]);

describe('the pattern of what is made up anew', () => {
  it('is the word’s own beginning, and the kind of characters behind', () => {
    assert.deepEqual(sources('Order ord_8f3a is on its way', 'Order ord_91bc0 is on its way'), [
      ['ord', '\\bord_[0-9a-f]+'],
    ]);
    assert.deepEqual(sources('see ABC-DEF-123', 'see ABC-DEF-9'), [['def', '\\bABC-DEF-[0-9]+']]);
    assert.deepEqual(sources('v12x', 'v98Y'), [['v', '\\bv[0-9A-Za-z]+']]);
  });

  it('takes a long number by the word before it, and leaves a short one, which may matter', () => {
    assert.deepEqual(sources('ticket #88123 is open', 'ticket #90001 is open'), [['ticket', '(?<=ticket #)[0-9]+']]);
    assert.deepEqual(sources('it is 21 degrees', 'it is 22 degrees'), []);
    assert.deepEqual(sources('81234', '91234'), []);
  });

  it('is none for wording: other words, or more of them', () => {
    assert.deepEqual(sources('it ships today', 'it arrives today'), []);
    assert.deepEqual(sources('ord_1a is there', 'ord_2b is already there'), []);
    assert.deepEqual(sources('ord_1a ships', 'ord_2b arrives'), [], 'one of both is wording');
  });

  it('makes the texts equal, whatever the ids are', () => {
    const id = fc.stringMatching(/^[0-9][0-9a-z]{4,9}$/);
    fc.assert(
      fc.property(fc.array(id, { minLength: 2, maxLength: 5 }), (ids) => {
        const texts = ids.map((one) => `Order ord_${one} was sent; ask for ord_${one}.`);
        const patterns = volatilePatterns(texts);
        const normal = texts.map((text) => patterns.reduce((now, { pattern }) => pattern.replace(now, 'x'), text));
        assert.equal(new Set(normal).size, 1);
      }),
    );
  });
});

describe('the words that all answers have', () => {
  it('are the longest run of whole words', () => {
    const texts = [
      'Sure! Order 17 ships on Friday.',
      'Well, order 17 ships on Friday, I think',
      'Order 17 ships on Friday!',
    ];
    assert.equal(commonWords(texts), '17 ships on Friday');
    assert.equal(commonWords(['It is 1.5 m', 'It is 1.50 m']), 'It is', 'a word is taken whole');
    assert.equal(commonWords(['one', 'two']), '');
    assert.equal(commonWords(['', 'two']), '');
    assert.equal(commonWords(['a (b) c', 'x a (b) c y']), 'a (b) c');
  });

  it('are in every text', () => {
    const words = fc.array(fc.constantFrom('a', 'to', 'ship', '17', '-', '.', 'on'), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (lists) => {
        const texts = lists.map((list) => list.join(' '));
        const common = commonWords(texts);
        assert.ok(texts.every((text) => text.includes(common)));
      }),
    );
  });
});

describe('a snippet', () => {
  const paste = (text: string, how: 'add' | 'replace' | 'below', table: string, toml: string) =>
    pasteSnippet(text, { file: 'case', how, table, toml });

  it('becomes a table of its own, takes the place of one, or goes into one', () => {
    const rules = '[normalise]\nignore = ["a"]\n';
    assert.equal(paste('', 'add', 'normalise', rules), rules);
    assert.equal(paste('[prices]\n', 'add', 'normalise', rules), `[prices]\n\n${rules}`);
    const old = '[normalise]\npresets = []\n[[normalise.patterns]]\nname = "x"\npattern = "y"\n\n[prices]\n';
    assert.equal(paste(old, 'replace', 'normalise', rules), `[prices]\n\n${rules}`);
    const text = 'a = 1\n[llm.replay]\nmask = ["uuid"]\n[assert]\ncontains = "x"\n';
    assert.equal(
      paste(text, 'below', 'llm.replay', 'mask = ["uuid", "date"]\n'),
      text.replace('["uuid"]', '["uuid", "date"]'),
    );
    assert.equal(paste(text, 'below', 'assert', 'tool_order = ["a = b"]\n'), `${text}tool_order = ["a = b"]\n`);
  });
});
