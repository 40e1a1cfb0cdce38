import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sketchSimilarity } from '../../../src/core/diff/similarity';
import { NearestIndex } from '../../../src/core/match/nearestIndex';
import { indexParts } from '../../../src/core/match/partIndex';
import type { Signature, Sketches } from '../../../src/core/match/signature';

/** Few digests, so that requests share parts; those of 1 to 9 are texts. */
const digest = fc.oneof(fc.integer({ min: 1, max: 24 }), fc.constantFrom(2 ** 53 - 1, 2 ** 52 + 1));
const parts = (maxLength: number) => fc.array(digest, { maxLength });
const address = fc.constantFrom('', 'POST /chat/completions', 'GET /items');
const signature = fc.record({
  key: fc.constant('key'),
  plainKey: fc.constant('key'),
  address,
  messages: fc.oneof(parts(4), parts(12)),
  tools: parts(3),
  settings: parts(5),
});
const sketch = fc
  .uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 16 })
  .map((list) => list.sort((a, b) => a - b));
const sketched = fc
  .array(sketch, { minLength: 9, maxLength: 9 })
  .map((list): Sketches => new Map(list.map((one, at) => [at + 1, one])));

describe('The index of the nearest requests', () => {
  it('finds what comparing with each request finds', () => {
    fc.assert(
      fc.property(
        fc.array(signature, { maxLength: 40 }),
        signature,
        sketched,
        fc.func(fc.boolean()),
        (all, wanted, sketches, isAmong) => {
          const index = new NearestIndex(indexParts(all, sketches));
          assert.deepEqual(index.find(wanted, sketches), nearest(all, wanted, sketches));
          const among = new Set([...all.keys()].filter((at) => isAmong(at)));
          assert.deepEqual(index.find(wanted, sketches, among), nearest(all, wanted, sketches, among));
        },
      ),
    );
  });

  it('looks at those that share most where there are too many texts', () => {
    const requests = Array.from({ length: 420 }, (_, at): Signature => {
      const messages = Array.from({ length: 1000 }, (_, text) =>
        at === 419 && text < 3 ? text : at * 1000 + text + 10,
      );
      return { key: '', plainKey: '', address: 'a', messages, tools: [], settings: [] };
    });
    const wanted = { key: '', plainKey: '', address: 'a', messages: [0, 1, 2], tools: [], settings: [] };
    assert.equal(new NearestIndex(indexParts(requests, new Map())).find(wanted, new Map())[0], 419);
  });
});

/** The same, by its definition. */
function nearest(
  all: readonly Signature[],
  wanted: Signature,
  sketches: Sketches,
  among?: ReadonlySet<number>,
): number[] {
  const texts = textsOf(wanted, sketches);
  const scored = all.flatMap((recorded, recording) => {
    if (recorded.address !== wanted.address || among?.has(recording) === false) return [];
    const size = partsOf(wanted).length + partsOf(recorded).length || 1;
    const own = new Set(partsOf(recorded));
    const shared = [...new Set(partsOf(wanted))].filter((part) => own.has(part)).length;
    const others = textsOf(recorded, sketches);
    const left = texts.filter((part) => !others.includes(part)).slice(0, 5);
    const right = others.filter((part) => !texts.includes(part)).slice(0, 5);
    const similar = left.map((one) => right.map((other) => similarity(one, other, sketches)));
    const rows = sum(similar.map((row) => Math.max(0, ...row)));
    const columns = sum(right.map((_, at) => Math.max(0, ...similar.map((row) => row[at] ?? 0))));
    return [{ recording, score: (2 * shared) / size + (2 * (0.98 * Math.min(rows, columns))) / size }];
  });
  scored.sort((left, right) => right.score - left.score || left.recording - right.recording);
  const least = (scored[0]?.score ?? 0) - 1 / (partsOf(wanted).length || 1);
  const most = texts.length <= 8 ? 12 : 5;
  return scored.slice(0, most).flatMap(({ recording, score }) => (score < least ? [] : [recording]));
}

function similarity(left: number, right: number, sketches: Sketches): number {
  return sketchSimilarity(sketches.get(left) ?? [], sketches.get(right) ?? []);
}

function partsOf({ messages, tools, settings }: Signature): number[] {
  return [...messages, ...tools, ...settings];
}

function textsOf({ messages, settings }: Signature, sketches: Sketches): number[] {
  return [...messages, ...settings.filter((part) => sketches.has(part))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
