import assert from 'node:assert/strict';
import { rustSliceHash } from '../../../src/core/hash/sipHash';

/** Printed by MoFA's `test-dsl` as the checksums of bootstrap files. */
const MOFA: readonly (readonly [string, bigint])[] = [
  ['Be brief.', 8104775880160046377n],
  ['be good', 14985781743086616801n],
];

describe('rustSliceHash', () => {
  for (const [text, hash] of MOFA)
    it(`is MoFA's checksum of ${JSON.stringify(text)}`, () => assert.equal(rustSliceHash(Buffer.from(text)), hash));
});
