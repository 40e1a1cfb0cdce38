import assert from 'node:assert/strict';
import { compileGlob, isRefused } from '../../../src/core/text/compilePattern';
import { composePattern, escapePattern, literalPattern } from '../../../src/core/text/pattern';

describe('a literal pattern', () => {
  it('matches texts character by character', () => {
    const texts = ['a.b', '(x|y)*', '[^$]{2}\\d?+'];
    for (const text of texts) {
      assert.equal(literalPattern(texts).exec(`<${text}>`)?.[0], text);
      assert.match(text, composePattern(`^${escapePattern(text)}$`, 'u'));
    }
    assert.doesNotMatch('axb', literalPattern(texts));
  });

  it('matches nothing without a text', () => assert.doesNotMatch('', literalPattern([])));

  it('prefers the first of several at the same place', () =>
    assert.deepEqual('abc'.match(literalPattern(['ab', 'abc'], 'g')), ['ab']));
});

describe('a glob pattern', () => {
  const matches = (glob: string, text: string): boolean => {
    const pattern = compileGlob(glob);
    return !isRefused(pattern) && pattern.test(text);
  };

  it('matches a whole text as in Python', () => {
    assert.equal(matches('get_*', 'get_order'), true);
    assert.equal(matches('get_*', 'forget_order'), false);
    assert.equal(matches('[!a]?', 'b\n'), true);
    assert.equal(matches('[^a]', 'b'), false);
    assert.equal(matches('[^a]', '^'), true);
    assert.equal(matches('a.c', 'abc'), false);
  });

  it('never matches with an empty range, as in Python', () => assert.equal(matches('[z-a]', 'm'), false));
});
