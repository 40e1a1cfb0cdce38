import type { RE2JS } from 're2js';
import { t } from './l10n';
import { linearEngine } from './linearEngine';
import { MarkedSearch } from './markedText';
import { type PatternNode, parsePattern } from './parsePattern';
import { composePattern, escapePattern } from './pattern';
import { type PatternDialect, UnsupportedPattern } from './patternDialect';
import { type PatternMatch, PatternTooSlow } from './patternMatch';
import { type Demand, demandsOf, patternSize } from './patternNeeds';
import { type Re2Writer, re2Source } from './re2Source';

/**
 * A compiled pattern of a file. Whatever the pattern and the text, an operation takes time linear in the length of the
 * text, or throws `PatternTooSlow`. A match is the one that the pattern's own dialect finds.
 */
export interface Pattern {
  /** As in the file. */
  readonly source: string;
  test(text: string): boolean;
  /** The matches from left to right, which do not overlap. */
  matchAll(text: string): Iterable<PatternMatch>;
  /** The text with `replacement`, which has no special characters, in place of every match. */
  replace(text: string, replacement: string): string;
}

/** Why a pattern was not compiled. */
export interface RefusedPattern {
  readonly reason: string;
  /** The pattern is valid in its dialect, but is not matched here. */
  readonly isUnsupported: boolean;
}

const MAX_LENGTH = 20_000;
/** How many steps of the search a character may take. */
const MAX_SIZE = 10_000;
/** Of a search: characters times steps. The slowest patterns take about ten seconds for so many, most a small part of one. */
const MAX_WORK = 4e8;
/** Milliseconds for all matches in a text: each is found in linear time, but there may be as many as characters. */
const MAX_MATCHING_MS = 3000;

/**
 * Compiles a pattern from a file; every such pattern is compiled here. A pattern that cannot be matched in linear time, as
 * with a backreference, is refused.
 */
export function compilePattern(source: string, dialect: PatternDialect): Pattern | RefusedPattern {
  try {
    if (source.length > MAX_LENGTH) throw new UnsupportedPattern(t('more than {0} characters', MAX_LENGTH));
    if (dialect === 'javascript') requireValid(source);
    const node = parsePattern(source, dialect);
    const size = patternSize(node);
    if (size > MAX_SIZE)
      throw new UnsupportedPattern(t('repetitions that amount to more than {0} characters', MAX_SIZE));
    return new LinearPattern(source, node, size);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason, isUnsupported: error instanceof UnsupportedPattern };
  }
}

export function isRefused(compiled: Pattern | RefusedPattern): compiled is RefusedPattern {
  return 'reason' in compiled;
}

/** What is said of a pattern of a file, in the syntax of JavaScript, that is not compiled. */
export function patternRefusal(source: string): { readonly message: string; readonly fix: string } {
  const compiled = compilePattern(source, 'javascript');
  const isUnsupported = isRefused(compiled) && compiled.isUnsupported;
  const message = isUnsupported
    ? t('Tapedeck does not support this regular expression: {0} has {1}', source, compiled.reason)
    : t('invalid regular expression: {0}', source);
  return { message, fix: t('Correct it.') };
}

/** Asks JavaScript itself, which has two grammars. It only parses the pattern. */
function requireValid(source: string): void {
  try {
    composePattern(source, 'u');
  } catch {
    composePattern(source);
  }
}

/**
 * Compiles a glob like Python's `fnmatch.translate`: `*`, `?` and `[…]`, matching a whole text. An empty range such as
 * `[z-a]` matches nothing.
 */
export function compileGlob(glob: string): Pattern | RefusedPattern {
  const source = glob.replace(/\[!?[^\]]+\]|[\s\S]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (part.length > 1) return part.replaceAll('\\', '\\\\').replace('[^', '[\\^').replace('[!', '[^');
    return escapePattern(part);
  });
  return compilePattern(`^(?:${source})\\Z`, 'python');
}

class LinearPattern implements Pattern {
  readonly #node: PatternNode;
  readonly #size: number;
  readonly #demands: ReadonlySet<Demand>;
  readonly #marked: MarkedSearch | undefined;
  #plain: RE2JS | undefined;
  #weak: RE2JS | undefined;
  #isSlow = false;

  constructor(
    readonly source: string,
    node: PatternNode,
    size: number,
  ) {
    this.#node = node;
    this.#size = size;
    this.#demands = demandsOf(node);
    this.#marked = this.#demands.size === 0 ? undefined : new MarkedSearch(node, source);
  }

  test(text: string): boolean {
    this.#requireWork(text);
    const marked = this.#needsMarks(text) ? this.#marked : undefined;
    return marked === undefined ? this.#search().test(text) : this.#mayMatch(text) && marked.test(text);
  }

  *matchAll(text: string): Iterable<PatternMatch> {
    this.#requireWork(text);
    const end = performance.now() + MAX_MATCHING_MS;
    const marked = this.#needsMarks(text) ? this.#marked : undefined;
    for (const match of marked === undefined ? this.#matches(text) : marked.matches(text)) {
      yield match;
      if (performance.now() < end) continue;
      this.#isSlow = true;
      throw new PatternTooSlow(this.source, text.length);
    }
  }

  replace(text: string, replacement: string): string {
    if (!this.test(text)) return text;
    let replaced = '';
    let from = 0;
    for (const { index, text: found } of this.matchAll(text)) {
      replaced += text.slice(from, index) + replacement;
      from = index + found.length;
    }
    return replaced + text.slice(from);
  }

  /** The pattern in the rules of a review, which are compared as JSON. */
  toJSON(): string {
    return this.source;
  }

  *#matches(text: string): Iterable<PatternMatch> {
    const matcher = this.#search().matcher(text);
    while (matcher.find()) yield { index: matcher.start(), text: text.slice(matcher.start(), matcher.end()) };
  }

  /** Whether the pattern without what RE2 does not have matches, which is quick to find out. */
  #mayMatch(text: string): boolean {
    this.#weak ??= linearEngine().compile(re2Source(this.#node, WEAK), linearEngine().LOOKBEHINDS);
    return this.#weak.test(text);
  }

  #requireWork({ length }: string): void {
    if (this.#isSlow || length * this.#size > MAX_WORK) throw new PatternTooSlow(this.source, length);
  }

  /** RE2 has no lookahead, knows only ASCII words, and has no end before a final line break. */
  #needsMarks(text: string): boolean {
    if (this.#demands.has('lookahead')) return true;
    if (this.#demands.has('unicode-boundary') && /\P{ASCII}/u.test(text)) return true;
    return this.#demands.has('end-or-final-newline') && text.endsWith('\n');
  }

  #search(): RE2JS {
    const engine = linearEngine();
    this.#plain ??= engine.compile(re2Source(this.#node, PLAIN), engine.LOOKBEHINDS);
    return this.#plain;
  }
}

/** For texts in which the places of RE2 are those of the pattern. */
const PLAIN: Re2Writer = {
  afterCharacter: '',
  reversed: false,
  place: ({ place }) =>
    ({
      start: '\\A',
      end: '\\z',
      'line-start': '(?m:^)',
      'line-end': '(?m:$)',
      'end-or-final-newline': '\\z',
      boundary: '\\b',
      'no-boundary': '\\B',
    })[place],
  look: ({ body, negated }) => `(?<${negated ? '!' : '='}${re2Source(body, PLAIN)})`,
};

const WEAK: Re2Writer = { ...PLAIN, place: () => '', look: () => '' };
