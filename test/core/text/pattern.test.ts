import assert from 'node:assert/strict';
import { compilePattern } from '../../../src/core/text/compilePattern';
import { composePattern, escapePattern, globPattern, literalPattern } from '../../../src/core/text/pattern';

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
  it('never matches with an empty range, as in Python', () => assert.doesNotMatch('m', globPattern('[z-a]')));
});

describe('a pattern of JavaScript from a file', () => {
  it('takes flags, and is refused with its reason', () => {
    assert.deepEqual(compilePattern('a', 'javascript', 'g'), /a/g);
    const refused = compilePattern('(', 'javascript', 'u');
    assert.ok(!(refused instanceof RegExp));
    assert.match(refused.reason, /Unterminated group/);
    assert.equal(refused.isUnsupported, false);
  });
});
