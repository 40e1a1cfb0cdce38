import { t } from '../text/l10n';
import { type FoundLiterals, LiteralFinder, type LiteralMatch } from '../text/literalFinder';
import { composePattern } from '../text/pattern';
import type { Span } from '../text/source';
import { FORM_START, findNamedSecrets, PAIR_START } from './namedSecrets';
import { findPrivateKeys, PRIVATE_KEY_LITERALS } from './privateKeys';
import { entropy, isPlaceholder, isRandom } from './randomness';
import { SearchedText } from './searchedText';
import { isReported, reportOrder, type SecretFinding, type SecretHit } from './secretHit';
import { NAME_ENDS } from './secretNames';
import { SECRET_PATTERNS } from './secretPatterns';
import { SECRET_SHAPES, type SecretShape } from './secretShapes';

/**
 * The secrets in a text that are recognised by their shape or by a name before them, in order and without overlaps. The
 * text is searched as it is: `SecretSearch` also decodes it.
 */
export function findSecrets(text: string): SecretFinding[] {
  const searched = new SearchedText(text);
  const certain = findByRules(searched, rules.find(text, searched.bytes)).filter(isReported);
  certain.sort((left, right) => left.start - right.start || reportOrder(left, right));
  const kept: SecretHit[] = [];
  for (const hit of certain) {
    const last = kept.at(-1);
    if (last === undefined || hit.start >= last.end) kept.push(hit);
    else if (reportOrder(hit, last) < 0) kept[kept.length - 1] = hit;
  }
  return kept.map(({ rule, what, excerpt, start, end }) => ({ rule, what, excerpt, start, end }));
}

/** All hits in a text, which may overlap, in no order. `found` is where the literals of the rules are in it. */
export function findByRules(searched: SearchedText, found: FoundLiterals<keyof typeof RULE_LITERALS>): SecretHit[] {
  const { text } = searched;
  return [
    ...findPrivateKeys(searched, found.keys),
    ...findShapes(text, found.starts),
    ...findWholeWords(searched),
    ...findPatterns(searched, found.parts),
    ...findNamedSecrets(text, found),
  ];
}

const FIRST_SHAPE_RANK = 10;
const FIRST_PATTERN_RANK = FIRST_SHAPE_RANK + SECRET_SHAPES.length;

interface RankedShape {
  readonly shape: SecretShape;
  readonly rank: number;
}

const ranked = SECRET_SHAPES.map((shape, index): RankedShape => ({ shape, rank: FIRST_SHAPE_RANK + index }));
const shapesByStart = new Map<string, RankedShape[]>();
for (const one of ranked)
  for (const start of one.shape.starts) shapesByStart.set(start, [...(shapesByStart.get(start) ?? []), one]);

const wholeWords = ranked.filter(({ shape }) => shape.starts.length === 0);
/** One pattern for all of these, because words are many. */
const WHOLE_WORD = composePattern(wholeWords.map(({ shape }) => shape.pattern.source).join('|'), 'y');

/**
 * The literals that a text is first searched for in one pass: prefixes of secrets, parts of others, endings of their names, and
 * what else names them.
 */
export const RULE_LITERALS = {
  keys: { literals: PRIVATE_KEY_LITERALS },
  starts: { literals: [...shapesByStart.keys()] },
  parts: {
    literals: SECRET_PATTERNS.flatMap(({ contains }) => (contains === 'dotted-word' ? [] : contains)),
    ignoresCase: true,
  },
  names: { literals: NAME_ENDS, ignoresCase: true },
  pairs: { literals: [PAIR_START] },
  forms: { literals: [FORM_START] },
} as const;
const rules = new LiteralFinder(RULE_LITERALS);

function findShapes(text: string, starts: readonly LiteralMatch[]): SecretHit[] {
  const hits: SecretHit[] = [];
  let isEndOf = { rule: '', end: 0 };
  // What goes on after breaks holds other starts, each of which would go on as well.
  let goesOnTo = 0;
  for (const { index, literal } of starts) {
    if (index < goesOnTo) continue;
    for (const { shape, rank } of shapesByStart.get(literal) ?? []) {
      // A start may stand again inside of what was found.
      if (isEndOf.rule === shape.id && index < isEndOf.end) continue;
      const hit = shapeAt(text, index, literal, shape, rank);
      if (hit === undefined) continue;
      hits.push(hit);
      isEndOf = { rule: shape.id, end: hit.end };
      if (hit.end > shape.pattern.lastIndex) goesOnTo = hit.end;
    }
  }
  return hits;
}

/** The secrets that only the whole tells, at the beginning of words and of their segments between slashes. */
function findWholeWords(searched: SearchedText): SecretHit[] {
  const { text } = searched;
  const hits: SecretHit[] = [];
  for (const { start, end } of searched.words()) {
    for (let at = start; at < end; at = text.indexOf('/', at) + 1 || end) {
      WHOLE_WORD.lastIndex = at;
      if (!WHOLE_WORD.test(text)) continue;
      for (const { shape, rank } of wholeWords) {
        const hit = shapeAt(text, at, '', shape, rank);
        if (hit !== undefined) hits.push(hit);
      }
    }
  }
  return hits;
}

function shapeAt(
  text: string,
  index: number,
  literal: string,
  { id, what, pattern, minEntropy, isInBase64, isDistinct }: SecretShape,
  rank: number,
): SecretHit | undefined {
  if (!isDistinct && !startsWord(text, index, isInBase64)) return undefined;
  pattern.lastIndex = index;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const secret = match.groups?.secret ?? match[0];
  const start = index + match[0].length - secret.length;
  const end = continuedEnd(text, start + secret.length);
  if (isInBase64 && text.charAt(end) === '/' && !isInUrl(text, index)) return undefined;
  if (isPlaceholder(secret) || entropy(secret) < minEntropy || isEllipsis(text, end)) return undefined;
  const known = id === 'jwt' || id === 'jwe' ? '' : literal;
  const excerpt =
    known === ''
      ? t('… ({0} characters)', secret.length)
      : t('{0}… ({1} characters)', /^bearer$/i.test(known) ? `${known} ` : known, secret.length);
  return { rule: id, what, excerpt, start, end, placeholder: `[redacted:${id}]`, rank };
}

/** How a text goes on that was broken: in a shell, in mail, of strings that are joined, and by a space without width. */
const BREAK =
  /(?:\\\r?\n|\\{3}n|\\{7}n|=\r?\n|\\?["'][ \t]{0,4}(?:[+.&]|\\?\r?\n)\s{0,40}\\?["']|[\u200b\u200c\u2060\u00ad])/
    .source;
const CONTINUED = composePattern(`${BREAK}(?<rest>[A-Za-z0-9_-]{8,200})(?![A-Za-z0-9_-])`, 'y');

/** The end of a secret that ends at an offset, or goes on after breaks. */
function continuedEnd(text: string, end: number): number {
  let last = end;
  for (let piece = 0; piece < MOST_PIECES; piece += 1) {
    CONTINUED.lastIndex = last;
    const rest = CONTINUED.exec(text)?.groups?.rest;
    if (rest === undefined || !isRandom(rest, SHORTEST_REST)) break;
    last = CONTINUED.lastIndex;
  }
  return last;
}

const MOST_PIECES = 16;
const SHORTEST_REST = 8;
const WORD = /[A-Za-z0-9_-]/;
const ESCAPED_BEFORE = /\\[nrtbf]$/;
const COLOUR_BEFORE = /\[[\d;]{0,12}m$/;

/** Whether a word may begin at an offset: base64 and names contain every short text somewhere. */
function startsWord(text: string, index: number, isInBase64: boolean): boolean {
  const before = text.charAt(index - 1);
  if (isInBase64 && (before === '/' || before === '+')) return before === '/' && isInUrl(text, index);
  if (!WORD.test(before)) return true;
  const near = text.slice(Math.max(0, index - 14), index);
  return ESCAPED_BEFORE.test(near) || COLOUR_BEFORE.test(near);
}

/** Whether an offset is in the path of a URL, unlike in base64, which has slashes as well. */
function isInUrl(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 300), index);
  return (
    /(?:^|[\s"'(<=])(?:[a-z][a-z\d+.-]{1,20}:\/\/|\/)[\w.~%:@/?&=-]*$/i.test(before) && !/[\w+/]{60}$/.test(before)
  );
}

/** Whether the secret is followed by an ellipsis: a shortened secret is harmless. */
function isEllipsis(text: string, end: number): boolean {
  return /^(?:\.{2,}|…|\*{2,})/.test(text.slice(end, end + 3));
}

function findPatterns(searched: SearchedText, parts: readonly LiteralMatch[]): SecretHit[] {
  const { text } = searched;
  const found = new Set(parts.map(({ literal }) => literal));
  return SECRET_PATTERNS.flatMap(({ id, what, pattern, minEntropy, contains, within, isDrawn, isOfWords }, index) => {
    const isPossible = contains === 'dotted-word' ? searched.hasDottedWord : contains.some((part) => found.has(part));
    if (!isPossible) return [];
    const stretches =
      within === undefined
        ? [{ start: 0, end: text.length }]
        : around(
            parts.filter(({ literal }) => contains.includes(literal)),
            within,
          );
    return stretches.flatMap((stretch) =>
      Array.from(text.slice(stretch.start, stretch.end).matchAll(pattern)).flatMap((match) => {
        const secret = match.groups?.secret ?? match[0];
        const start = stretch.start + match.index + match[0].lastIndexOf(secret);
        const end = start + secret.length;
        if (isOfWords ? !isVaried(secret) : isPlaceholder(secret)) return [];
        if (entropy(secret) < minEntropy || isEllipsis(text, end) || (isDrawn && !isRandom(secret))) return [];
        const excerpt = t('… ({0} characters)', secret.length);
        return [
          { rule: id, what, excerpt, start, end, placeholder: `[redacted:${id}]`, rank: FIRST_PATTERN_RANK + index },
        ];
      }),
    );
  });
}

/** Whether most words of a secret that consists of words are different ones, unlike those of an example. */
function isVaried(secret: string): boolean {
  const words = secret.toLowerCase().split(/[ ,]+/);
  return new Set(words).size > (words.length * 3) / 4;
}

/** The stretches of a text up to a distance from literals in it, in order and without overlaps. */
function around(literals: readonly LiteralMatch[], distance: number): Span[] {
  const stretches: Span[] = [];
  for (const { index } of literals) {
    const last = stretches.at(-1);
    const start = Math.max(0, index - distance);
    if (last === undefined || start > last.end) stretches.push({ start, end: index + distance });
    else stretches[stretches.length - 1] = { start: last.start, end: index + distance };
  }
  return stretches;
}
