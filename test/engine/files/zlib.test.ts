import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../../src/core/bytes/decompress';
import * as portable from '../../../src/core/bytes/inflate';
import * as node from '../../../src/engine/files/zlib';

const TEXT = Buffer.from('word '.repeat(30_000));
const FORMATS = [
  { name: 'gzip', packed: gzipSync(TEXT), native: node.gunzip, other: portable.gunzip },
  { name: 'zlib', packed: deflateSync(TEXT), native: node.unzlib, other: portable.unzlib },
  { name: 'raw deflate', packed: deflateRawSync(TEXT), native: node.inflateRaw, other: portable.inflateRaw },
] as const;

describe("Node's decompressors", () => {
  for (const { name, packed, native, other } of FORMATS) {
    it(`${name}: agrees with the portable one on whole and truncated data`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: packed.length }), (length) => {
          const bytes = packed.subarray(0, length);
          const [mine, theirs] = [native(bytes, DEFAULT_LIMITS), other(bytes, DEFAULT_LIMITS)];
          assert.equal(mine.problem === undefined, theirs.problem === undefined, `${mine.problem}, ${theirs.problem}`);
          assert.ok(TEXT.subarray(0, mine.bytes.length).equals(mine.bytes), 'nothing but the text');
          if (length === packed.length) assert.ok(TEXT.equals(mine.bytes));
          else assert.ok(mine.bytes.length >= theirs.bytes.length, 'as much as the portable one yields');
        }),
        { numRuns: 60 },
      );
    });

    it(`${name}: agrees with the portable one on damaged data, and never throws`, () => {
      fc.assert(
        fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
          const bytes = Uint8Array.from(packed);
          bytes[at] = (bytes[at] ?? 0) ^ change;
          const [mine, theirs] = [native(bytes, DEFAULT_LIMITS), other(bytes, DEFAULT_LIMITS)];
          if (mine.problem === undefined)
            assert.ok(theirs.problem !== undefined || TEXT.equals(mine.bytes) || name === 'raw deflate');
        }),
        { numRuns: 100 },
      );
    });

    it(`${name}: yields nothing of what is too large`, () => {
      const limits = { maxBytes: 100_000, maxRatio: 1e6, freeBytes: 0 };
      for (const decompress of [native, other])
        assert.deepEqual(decompress(packed, limits), {
          bytes: new Uint8Array(),
          problem: 'it decompresses to more than 100000 bytes',
          exceeded: 100_000,
        });
    });
  }

  it('joins the members of gzip, and stops brotli at the limit', () => {
    const two = Buffer.concat([gzipSync('a'), gzipSync('b')]);
    assert.equal(Buffer.from(node.gunzip(two, DEFAULT_LIMITS).bytes).toString(), 'ab');
    const { exceeded } = node.decompressBrotli(brotliCompressSync(Buffer.alloc(3 * 2 ** 20)), DEFAULT_LIMITS);
    assert.equal(exceeded, 2 ** 20);
  });
});
