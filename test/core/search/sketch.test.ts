import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { foldCase } from '../../../src/core/search/foldCase';
import { mayContain, Sketcher, wantedBits } from '../../../src/core/search/sketch';
import { queryPattern } from '../../../src/core/transcript/searchTranscript';

const sketcher = new Sketcher();
const may = (texts: readonly string[], query: string) => mayContain(sketcher.sketch(texts), wantedBits(query));

describe('a sketch of texts', () => {
  it('never rules out what the pattern of a search finds', () => {
    const unit = fc.constantFrom(...'abAB ß ẞ ſ s K k ς σ Σ İ ı * _ 中文 é É \n\t'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.string({ unit, maxLength: 4 }), (text, query) => {
        if (queryPattern(query)?.test(text)) assert.ok(may([text], query));
      }),
      { numRuns: 20_000 },
    );
  });

  it('takes characters for the same that patterns take for the same', () => {
    const cased = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter(
      (char) => char.toLowerCase() !== char || char.toUpperCase() !== char,
    );
    const all = cased.join('');
    for (const char of cased)
      for (const [same] of all.matchAll(queryPattern(char) ?? /$/g))
        assert.equal(foldCase(same), foldCase(char), `${same} and ${char}`);
  });

  it('rules out nearly every text without a word', () => {
    const words = Array.from({ length: 2000 }, (_, at) => `${Math.imul(at + 1, 2654435761) >>> 0}`).join(' ');
    const sketch = sketcher.sketch([words, 'the order was shipped yesterday']);
    assert.ok(mayContain(sketch, wantedBits('Shipped  yesterday')));
    const others = ['refund', 'invoice', 'carrier', 'parcel', 'customer', 'address', 'window', 'policy'];
    assert.deepEqual(
      others.filter((word) => mayContain(sketch, wantedBits(word))),
      [],
    );
  });

  it('leaves open what a random string is', () => {
    const random = (length: number) =>
      Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => (byte % 36).toString(36)).join('');
    const text =
      'the order was shipped to the customer, who asked for a refund of 1,204 dollars in the window of 30 days';
    const characters = Array.from({ length: 36 }, (_, at) => at.toString(36));
    const counts = Array.from({ length: 50 }, () => {
      const secret = random(40);
      const sketch = sketcher.sketch([text, secret]);
      const next = (at: number) =>
        characters.filter((one) => mayContain(sketch, wantedBits(secret.slice(at, at + 2) + one))).length;
      return Array.from({ length: 38 }, (_, at) => next(at)).reduce((sum, count) => sum + count, 0) / 38;
    });
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    assert.ok(mean > 4, `after two known characters, ${mean} may follow`);
  });

  it('grows with what it is of, up to a limit', () => {
    assert.ok(sketcher.sketch(['short']).length <= 8);
    const noise = Array.from({ length: 300_000 }, (_, at) =>
      String.fromCharCode(33 + ((Math.imul(at, at) >>> 3) % 20_000)),
    );
    assert.equal(sketcher.sketch([noise.join('')]).length, 2 ** 15);
    assert.ok(!may([], 'any'));
  });
});
