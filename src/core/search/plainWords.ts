import { composePattern, escapePattern } from '../text/pattern';

/** A file of more different words than a library of books has is not looked into. */
const MOST_WORDS = 500_000;

/**
 * Whether every word of these texts stands in the text of the file as it is: then the text of the file tells whether one
 * can be found in them, and the file need not be read as a tape. It does not where a stream is in pieces, or a body packed.
 */
export function hasPlainWords(fileText: string, texts: Iterable<string>): boolean {
  const written = writtenWords(fileText);
  if (written === undefined) return false;
  const last = new LastWords();
  for (const text of texts) {
    let at = 0;
    while (at < text.length) {
      const start = wordStart(text, at);
      at = wordEnd(text, start);
      if (start === at) break;
      const hash = hashOf(text, start, at);
      if (!last.has(hash) && !written.has(hash)) return false;
    }
  }
  return true;
}

/** What finds, in the text of a file whose words are plain, whether a text that is searched for may be in it. */
export function plainPatterns(query: string): readonly RegExp[] {
  const words = query.match(/[A-Za-z0-9\u017f\u212a]+/g) ?? [];
  return [...new Set(words)].map((word) => composePattern(escapePattern(word), 'iu'));
}

/** The hashes of all words in the text of a file, also without the letters of an escape before them; undefined for too many. */
function writtenWords(text: string): ReadonlySet<number> | undefined {
  const words = new Set<number>();
  const last = new LastWords();
  let at = 0;
  while (at < text.length) {
    const start = wordStart(text, at);
    at = wordEnd(text, start);
    if (start === at) break;
    const hash = hashOf(text, start, at);
    if (!last.has(hash)) words.add(hash);
    if (text.charCodeAt(start - 1) === BACKSLASH)
      for (const letters of ESCAPES) if (start + letters < at) words.add(hashOf(text, start + letters, at));
    if (words.size > MOST_WORDS) return undefined;
  }
  return words;
}

/** Words that were seen last, which is asked sooner than a large set: most words of a text are repeated. */
class LastWords {
  readonly #hashes = new Int32Array(2 ** 12);

  /** Whether it has seen it; from now on it has. */
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

function wordStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isOfWord(text.charCodeAt(at))) at += 1;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isOfWord(text.charCodeAt(at))) at += 1;
  return at;
}

/** ASCII letters and digits, and what a pattern takes for some of them when it ignores case: the long s, and the sign of Kelvin. */
function isOfWord(code: number): boolean {
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return code < 128;
  return (code >= 0x30 && code <= 0x39) || code === 0x17f || code === 0x212a;
}

/** 30 bits, which a set of V8 holds without an object for each. */
function hashOf(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x85ebca6b) >>> 2;
}
