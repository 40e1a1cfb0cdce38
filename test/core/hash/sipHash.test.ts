import assert from 'node:assert/strict';
import { type SipHashVariant, sipHash } from '../../../src/core/hash/sipHash';

const SIP_2_4: SipHashVariant = {
  compressionRounds: 2,
  finalRounds: 4,
  key: [0x0706050403020100n, 0x0f0e0d0c0b0a0908n],
};

/** From the reference implementation's `vectors_sip64`: the hash of the bytes 00 01 02 …, by their number. */
const REFERENCE: readonly bigint[] = [
  0x726fdb47dd0e0e31n,
  0x74f839c593dc67fdn,
  0x0d6c8009d9a94f5an,
  0x85676696d7fb7e2dn,
  0xcf2794e0277187b7n,
  0x18765564cd99a68dn,
  0xcbc9466e58fee3cen,
  0xab0200f58b01d137n,
  0x93f5f5799a932462n,
  0x9e0082df0ba9e4b0n,
  0x7a5dbbc594ddb9f3n,
  0xf4b32f46226bada7n,
  0x751e8fbc860ee5fbn,
  0x14ea5627c0843d90n,
  0xf723ca908e7af2een,
  0xa129ca6149be45e5n,
];

/** Printed by rustc 1.95: `DefaultHasher::new()`, `write` of `n` bytes i * 7 + 3, `finish`. */
const RUST: readonly (readonly [number, bigint])[] = [
  [0, 15130871412783076140n],
  [1, 5218271218080536521n],
  [7, 9975858737955817898n],
  [8, 3945583116760701931n],
  [9, 5869906781989555199n],
  [15, 1868218806581060834n],
  [16, 15116698709512780667n],
  [63, 4822611967527878237n],
  [1000, 10567773439401923689n],
];

describe('sipHash', () => {
  it('matches the published vectors of SipHash-2-4', () => {
    const hashes = REFERENCE.map((_, length) =>
      sipHash(
        Uint8Array.from({ length }, (_, index) => index),
        SIP_2_4,
      ),
    );
    assert.deepEqual(hashes, REFERENCE);
  });

  it("equals Rust's DefaultHasher", () => {
    const hashes = RUST.map(([length]) => sipHash(Uint8Array.from({ length }, (_, index) => (index * 7 + 3) & 0xff)));
    assert.deepEqual(
      hashes,
      RUST.map(([, hash]) => hash),
    );
    const text = new TextEncoder().encode('Bootstrapped instructions for the DSL test.');
    assert.equal(sipHash(text), 1586902073569334684n);
  });

  it('reads a view into a larger buffer', () => {
    const bytes = new TextEncoder().encode('…Bootstrapped instructions for the DSL test.');
    assert.equal(sipHash(bytes.subarray(3)), 1586902073569334684n);
  });
});
