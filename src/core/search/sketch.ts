import { foldCase } from './foldCase';

/**
 * Which triples of characters may occur in a text: one bit for each, chosen by a hash, so that a tape that cannot hold what
 * is searched for need not be read.
 *
 * It reveals little else. Between an eighth and a quarter of its bits are set, so anyone who tries to reconstruct a text has four
 * or more candidates for each next letter or digit: a random string, such as a secret, cannot be recovered.
 */
export type Sketch = Uint8Array;

/** 32 KiB: the texts of a tape of many MB have some ten thousand triples. */
const MOST_BITS = 2 ** 18;
const FEWEST_BITS = 32;
/** More bits would reveal too much, and fewer would rule out too little. */
const FULLEST = 0.25;

/** Makes sketches of texts, one after the other. */
export class Sketcher {
  readonly #bits = new Uint8Array(MOST_BITS / 8);

  sketch(texts: Iterable<string>): Sketch {
    this.#bits.fill(0);
    for (const text of texts) setBits(text, this.#bits);
    return folded(this.#bits);
  }
}

function setBits(text: string, bits: Uint8Array): void {
  visitGrams(text, (hash) => {
    const bit = hash & (MOST_BITS - 1);
    const at = bit >>> 3;
    bits[at] = (bits[at] ?? 0) | (1 << (bit & 7));
  });
}

/** Folds the sketch in half until enough of its bits are set. */
function folded(bits: Sketch): Sketch {
  let sketch = new Uint32Array(bits.slice().buffer);
  while (sketch.length * 32 > FEWEST_BITS) {
    const half = sketch.length / 2;
    const smaller = sketch.slice(0, half);
    for (let at = 0; at < half; at += 1) smaller[at] = (smaller[at] ?? 0) | (sketch[half + at] ?? 0);
    if (filled(smaller) > FULLEST) break;
    sketch = smaller;
  }
  return new Uint8Array(sketch.buffer);
}

function filled(words: Uint32Array): number {
  let count = 0;
  for (const word of words) count += bitsIn(word);
  return count / (words.length * 32);
}

/** How many bits of 32 are set: counted in pairs, fours, and bytes at once. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The bits of a text that is searched for, for a sketch of any size. White space between words does not count. */
export function wantedBits(text: string): readonly number[] {
  const hashes = new Set<number>();
  visitGrams(text, (hash) => hashes.add(hash));
  return [...hashes];
}

/** Whether a text may be among the sketched ones; false means that it is not. */
export function mayContain(sketch: Sketch, wanted: readonly number[]): boolean {
  const mask = sketch.length * 8 - 1;
  return wanted.every((hash) => {
    const bit = hash & mask;
    return ((sketch[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  });
}

/**
 * The hashes of all triples of characters, by UTF-16 units, without white space; and of pairs, where both are beyond ASCII:
 * words of Chinese are short, and secrets are ASCII.
 */
function visitGrams(text: string, visit: (hash: number) => void): void {
  const units = foldCase(text);
  let [before, last] = [SPACE, SPACE];
  for (let at = 0; at < units.length; at += 1) {
    const unit = units.charCodeAt(at);
    const next = isSpace(unit) ? SPACE : unit;
    if (next !== SPACE && last !== SPACE) {
      if (last > ASCII && next > ASCII) visit(hashOf(0, last, next));
      if (before !== SPACE) visit(hashOf(before, last, next));
    }
    [before, last] = [last, next];
  }
}

const SPACE = 0;
const ASCII = 127;

function isSpace(unit: number): boolean {
  return unit <= 32 || unit === 0xa0 || (unit > 0x167f && /\s/.test(String.fromCharCode(unit)));
}

/** Mixes well enough that neighbouring characters are far apart. */
function hashOf(first: number, second: number, third: number): number {
  let hash = Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b) ^ Math.imul(third + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
