/** A SipHash function: rounds per word and at the end, and the key as two 64-bit halves. */
export interface SipHashVariant {
  readonly compressionRounds: number;
  readonly finalRounds: number;
  readonly key: readonly [bigint, bigint];
}

/** SipHash-1-3 with a zero key: Rust's `DefaultHasher::new()`, which MoFA's checksums use. */
const RUST_DEFAULT_HASHER: SipHashVariant = { compressionRounds: 1, finalRounds: 3, key: [0n, 0n] };

/** The hash that Rust gives a slice of bytes, which MoFA's checksums are: of its length as eight bytes, then of the bytes. */
export function rustSliceHash(bytes: Uint8Array): bigint {
  const hashed = new Uint8Array(8 + bytes.length);
  new DataView(hashed.buffer).setBigUint64(0, BigInt(bytes.length), true);
  hashed.set(bytes, 8);
  return sipHash(hashed);
}

/** The unsigned 64-bit SipHash of `bytes` (Aumasson and Bernstein, 2012). */
export function sipHash(bytes: Uint8Array, variant: SipHashVariant = RUST_DEFAULT_HASHER): bigint {
  const state = new SipState(variant.key);
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) {
    state.absorb(words.getInt32(at, true), words.getInt32(at + 4, true), variant.compressionRounds);
  }
  // The last word is the remaining bytes, with the length in its highest byte.
  const last = new DataView(new ArrayBuffer(8));
  bytes.subarray(whole).forEach((byte, index) => {
    last.setUint8(index, byte);
  });
  last.setUint8(7, bytes.length & 0xff);
  state.absorb(last.getInt32(0, true), last.getInt32(4, true), variant.compressionRounds);
  return state.finish(variant.finalRounds);
}

/** The four 64-bit words as 32-bit halves, low half first: a hundred times faster than bigint arithmetic. */
class SipState {
  readonly #v = new Int32Array(8);

  constructor([low, high]: readonly [bigint, bigint]) {
    const start = [
      low ^ 0x736f6d6570736575n,
      high ^ 0x646f72616e646f6dn,
      low ^ 0x6c7967656e657261n,
      high ^ 0x7465646279746573n,
    ];
    start.forEach((word, index) => {
      this.#v[2 * index] = Number(BigInt.asIntN(32, word));
      this.#v[2 * index + 1] = Number(BigInt.asIntN(32, word >> 32n));
    });
  }

  absorb(low: number, high: number, rounds: number): void {
    this.#xor(3, low, high);
    this.#rounds(rounds);
    this.#xor(0, low, high);
  }

  finish(rounds: number): bigint {
    this.#xor(2, 0xff, 0);
    this.#rounds(rounds);
    const half = (offset: 0 | 1) =>
      BigInt.asUintN(32, BigInt(this.#at(offset) ^ this.#at(2 + offset) ^ this.#at(4 + offset) ^ this.#at(6 + offset)));
    return (half(1) << 32n) | half(0);
  }

  #rounds(count: number): void {
    for (let round = 0; round < count; round += 1) {
      this.#addRotateXor(0, 1, 13);
      this.#rotate(0, 32);
      this.#addRotateXor(2, 3, 16);
      this.#addRotateXor(0, 3, 21);
      this.#addRotateXor(2, 1, 17);
      this.#rotate(2, 32);
    }
  }

  /** a += b; b = rotate(b, bits) ^ a */
  #addRotateXor(a: number, b: number, bits: number): void {
    const low = (this.#at(2 * a) >>> 0) + (this.#at(2 * b) >>> 0);
    this.#v[2 * a] = low;
    this.#v[2 * a + 1] = this.#at(2 * a + 1) + this.#at(2 * b + 1) + (low > 0xffffffff ? 1 : 0);
    this.#rotate(b, bits);
    this.#xor(b, this.#at(2 * a), this.#at(2 * a + 1));
  }

  #rotate(word: number, bits: number): void {
    const low = this.#at(2 * word);
    const high = this.#at(2 * word + 1);
    const swap = bits === 32;
    this.#v[2 * word] = swap ? high : (low << bits) | (high >>> (32 - bits));
    this.#v[2 * word + 1] = swap ? low : (high << bits) | (low >>> (32 - bits));
  }

  #xor(word: number, low: number, high: number): void {
    this.#v[2 * word] = this.#at(2 * word) ^ low;
    this.#v[2 * word + 1] = this.#at(2 * word + 1) ^ high;
  }

  #at(half: number): number {
    return this.#v[half] ?? 0;
  }
}
