import { composePattern, escapePattern } from '../text/pattern';

/** The most distinct words of a file that is checked: more than a library of books has. */
const MOST_WORDS = 500_000;

/**
 * Whether every word of these texts occurs literally in the text of the file. Then the file's text is enough to rule out a match,
 * and the file need not be parsed as a tape. Streams in pieces and compressed bodies do not qualify.
 */
export function hasPlainWords(fileText: string, texts: Iterable<string>): boolean {
  const written = writtenWords(fileText);
  if (written === undefined) return false;
  const last = new LastWords();
  for (const text of texts) {
    const isPlain = visitWords(text, (hash) => last.has(hash) || written.has(hash));
    if (!isPlain) return false;
  }
  return true;
}

/** Checks whether a file whose words are plain may contain a text that is searched for. */
export function plainPatterns(query: string): readonly RegExp[] {
  const words = query.match(/[A-Za-z0-9\u017f\u212a]+/g) ?? [];
  return [...new Set(words)].map((word) => composePattern(escapePattern(word), 'iu'));
}

/** The hashes of all words in the text of a file, also without the letters of an escape before them; undefined for too many. */
function writtenWords(text: string): ReadonlySet<number> | undefined {
  const words = new Set<number>();
  const last = new LastWords();
  const isWhole = visitWords(text, (hash, start, end) => {
    if (!last.has(hash)) words.add(hash);
    if (text.charCodeAt(start - 1) === BACKSLASH)
      for (const letters of ESCAPES) if (start + letters < end) words.add(hashOf(text, start + letters, end));
    return words.size <= MOST_WORDS;
  });
  return isWhole ? words : undefined;
}

/** Visits the words of a text with their hashes while `visit` returns true; returns whether all were visited. */
function visitWords(text: string, visit: (hash: number, start: number, end: number) => boolean): boolean {
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const start = at;
    let hash = 0;
    for (let code = text.charCodeAt(at); isOfWord(code); code = text.charCodeAt(at)) {
      hash = added(hash, code);
      at += 1;
    }
    if (at > start && !visit(mixed(hash), start, at)) return false;
  }
  return true;
}

/** Recently seen words. Faster than a large set, and most words of a text are repeated. */
class LastWords {
  readonly #hashes = new Int32Array(2 ** 12);

  /** Whether the hash was seen recently. Marks it as seen. */
  has(hash: number): boolean {
    const at = hash & 0xfff;
    if (this.#hashes[at] === hash) return true;
    this.#hashes[at] = hash;
    return false;
  }
}

const BACKSLASH = 0x5c;
/** How many letters and digits follow the backslash of `\n`, `\x6e`, and `\u006e`. */
const ESCAPES = [1, 3, 5];

const IN_WORD = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') IN_WORD[char.charCodeAt(0)] = 1;

/**
 * ASCII letters and digits, and what a pattern takes for some of them when it ignores case: the long s, and the sign of
 * Kelvin. `NaN`, after the end of a text, is none.
 */
function isOfWord(code: number): boolean {
  return code < 128 ? IN_WORD[code] === 1 : code === 0x17f || code === 0x212a;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = added(hash, text.charCodeAt(at));
  return mixed(hash);
}

function added(hash: number, code: number): number {
  const sum = Math.imul(hash ^ code, 0x9e3779b1);
  return sum ^ (sum >>> 15);
}

/** In 30 bits, which a set of V8 holds without an object for each. */
function mixed(hash: number): number {
  return Math.imul(hash, 0x85ebca6b) >>> 2;
}
