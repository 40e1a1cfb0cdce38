import assert from 'node:assert/strict';
import fc from 'fast-check';
import { utf8Length, utf8Offset } from '../../../src/core/bytes/utf8';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1f600}', '\ud800', '\udc00') });
const wellFormed = fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1f600}') });

describe('counting UTF-8 bytes', () => {
  it('counts like an encoder', () => {
    fc.assert(fc.property(text, (value) => assert.equal(utf8Length(value), new TextEncoder().encode(value).length)));
  });

  it('finds the offset after a number of bytes', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(40), (whole, place) => {
        const offset = Math.min(place, whole.length);
        const isInside =
          /[\udc00-\udfff]/.test(whole.charAt(offset)) && /[\ud800-\udbff]/.test(whole.charAt(offset - 1));
        fc.pre(!isInside);
        assert.equal(utf8Offset(whole, 0, utf8Length(whole, 0, offset)), offset);
      }),
    );
  });

  it('finds no offset inside a character or after the end', () => {
    assert.equal(utf8Offset('a€', 0, 2), undefined);
    assert.equal(utf8Offset('a€', 0, 4), 2);
    assert.equal(utf8Offset('a€', 0, 5), undefined);
    assert.equal(utf8Offset('a€', 2, 0), 2);
  });
});
