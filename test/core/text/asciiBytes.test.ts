import assert from 'node:assert/strict';
import fc from 'fast-check';
import { asciiBytes, NOT_ASCII } from '../../../src/core/text/asciiBytes';

const pieces = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud83d', '\ude00', '😀', 'é', '漢', '\0', '\x7f', '\x80', 'a'.repeat(60)),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((some) => some.join(''));

describe('the bytes of a text', () => {
  it('are one for each character, in short texts and in long ones, whatever is in them', () => {
    fc.assert(
      fc.property(texts, fc.nat(3), texts, (before, parts, after) => {
        const text = `${before}${'plain '.repeat(parts * 2731)}${after}`;
        const expected = Array.from({ length: text.length }, (_, at) => Math.min(text.charCodeAt(at), NOT_ASCII));
        assert.deepEqual([...asciiBytes(text)], expected);
      }),
      { numRuns: 300 },
    );
  });
});
