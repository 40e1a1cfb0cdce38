import type { NormalisePattern } from '../model/normalise';
import { compilePattern, isRefused } from '../text/compilePattern';
import { escapePattern } from '../text/pattern';

const TOKEN =
  /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?|\d{1,2}:\d{2}:\d{2}(?:\.\d+)?|[\p{L}\p{N}_-]+|[^\p{L}\p{N}_-]+/gu;
/** Values whose shape alone says what they are, with the names of their patterns. */
const SHAPES = [
  [
    'time',
    /^\d{4}-\d{2}-\d{2}[T ]\d{2}:/,
    '\\b[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?',
  ],
  ['clock', /^\d{1,2}:\d{2}:\d{2}(?:\.\d+)?$/, '\\b[0-9]{1,2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?'],
  ['date', /^\d{4}-\d{2}-\d{2}$/, '\\b[0-9]{4}-[0-9]{2}-[0-9]{2}\\b'],
  [
    'uuid',
    /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
    '\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b',
  ],
] as const;
/** A bare number with fewer digits may well be the content of the text. */
const MIN_DIGITS = 4;

/**
 * Patterns for the generated words in several otherwise equal texts, such as `ord_[0-9a-f]+`. Empty if ordinary words
 * differ, which no pattern covers.
 *
 * @param isGenerated Whether a word, without what it begins with in all texts, is one; by default, if it has a digit.
 */
export function volatilePatterns(
  texts: readonly string[],
  isGenerated: (word: string) => boolean = (word) => /\d/.test(word),
): readonly NormalisePattern[] {
  const [first = [], ...others] = texts.map((text) => text.match(TOKEN) ?? []);
  if (others.some(({ length }) => length !== first.length)) return [];
  const differing = first.flatMap((token, at) => (others.some((other) => other[at] !== token) ? [at] : []));
  const patterns = differing.map((at) => {
    const words = [first, ...others].map((tokens) => tokens[at] ?? '');
    return shapeOf(words, `${first[at - 2] ?? ''}${first[at - 1] ?? ''}`, isGenerated);
  });
  return patterns.every((pattern) => pattern !== undefined) ? patterns : [];
}

/** @param before The text before the words, the same in every text. */
function shapeOf(
  words: readonly string[],
  before: string,
  isGenerated: (word: string) => boolean,
): NormalisePattern | undefined {
  const shape = SHAPES.find(([, form]) => words.every((word) => form.test(word)));
  if (shape !== undefined) return pattern(shape[0], shape[2]);
  const prefix = commonPrefix(words);
  const rests = words.map((word) => word.slice(prefix.length));
  const rest = CLASSES.find(([pattern]) => rests.every((text) => pattern.test(text)))?.[1];
  if (rest === undefined || !rests.every(isGenerated)) return undefined;
  if (prefix !== '') return pattern(nameOf(prefix), `\\b${escapePattern(prefix)}${rest}`);
  if (rests.some(({ length }) => length < MIN_DIGITS)) return undefined;
  // A bare number is recognised by the word before it.
  return /\p{L}/u.test(before) ? pattern(nameOf(before), `(?<=${escapePattern(before)})${rest}`) : undefined;
}

const CLASSES = [
  [/^\d+$/, '[0-9]+'],
  [/^[\da-f]+$/, '[0-9a-f]+'],
  [/^[\dA-F]+$/, '[0-9A-F]+'],
  [/^[\dA-Za-z]+$/, '[0-9A-Za-z]+'],
  [/^[\w-]+$/, '[\\w-]+'],
] as const;

/** The common prefix, up to a whole part: generated parts may begin with the same characters by chance. */
function commonPrefix([first = '', ...others]: readonly string[]): string {
  let length = 0;
  while (length < first.length && others.every((word) => word[length] === first[length])) length += 1;
  const common = first.slice(0, length);
  const letters = /^\p{L}+(?=\d)/u.exec(first)?.[0] ?? '';
  return /^(?:\p{L}+[-_])*/u.exec(common)?.[0] || (common.startsWith(letters) ? letters : '');
}

function pattern(name: string, source: string): NormalisePattern | undefined {
  const compiled = compilePattern(source, 'javascript');
  return isRefused(compiled) ? undefined : { name, pattern: compiled };
}

function nameOf(text: string): string {
  return /\p{L}+(?=[^\p{L}]*$)/u.exec(text)?.[0].toLowerCase() ?? 'id';
}
