import { composePattern } from '../text/pattern';
import type { Span } from '../text/source';
import { isOrdinaryValue, NAMED_SECRET, SECRET_RULES, type SecretRule } from './secretRules';

/** Something in a text that looks like a secret. What it is stays in the text: `excerpt` can be shown to anyone. */
export interface SecretFinding extends Span {
  readonly rule: string;
  /** Such as `a Groq API key`. */
  readonly what: string;
  /** Its kind and length, and nothing of the secret itself: `gsk_… (56 characters)`. */
  readonly excerpt: string;
}

/**
 * The secrets in a text, in their order; no two of them overlap. Base64 and other blobs are never looked into: a token
 * only counts where it stands alone.
 */
export function findSecrets(text: string): SecretFinding[] {
  const ranked = RULES.flatMap((rule, rank) =>
    Array.from(text.matchAll(rule.pattern), (match) => judge(rule, match, text)).flatMap((finding) =>
      finding === undefined ? [] : [{ finding, rank }],
    ),
  );
  ranked.sort((left, right) => left.finding.start - right.finding.start || left.rank - right.rank);
  const kept: typeof ranked = [];
  for (const candidate of ranked) {
    const last = kept.at(-1);
    if (last === undefined || candidate.finding.start >= last.finding.end) kept.push(candidate);
    else if (candidate.rank < last.rank) kept[kept.length - 1] = candidate;
  }
  return kept.map(({ finding }) => finding);
}

/** Of two that find the same, the first counts. */
const RULES: readonly SecretRule[] = [...SECRET_RULES, NAMED_SECRET];

function judge(rule: SecretRule, match: RegExpExecArray, text: string): SecretFinding | undefined {
  const secret = match.groups?.secret ?? match[0];
  const start = match.index + match[0].lastIndexOf(secret);
  const end = start + secret.length;
  // The indentation inside a key of several lines is no part of it.
  if (isPlaceholder(secret.replace(/\s+/g, ' ')) || entropy(secret) < rule.minEntropy || isEllipsis(text, end))
    return undefined;
  if (rule === NAMED_SECRET && (!mixesCharacterClasses(secret) || isOrdinaryValue(secret))) return undefined;
  return { rule: rule.id, what: rule.what, excerpt: excerptOf(rule, match, secret), start, end };
}

/** What somebody has shortened is no secret any more. */
function isEllipsis(text: string, end: number): boolean {
  return /^(?:\.{2,}|…|\*{2,})/.test(text.slice(end, end + 3));
}

function excerptOf({ shape }: SecretRule, match: RegExpExecArray, secret: string): string {
  const { name } = match.groups ?? {};
  const known = name === undefined ? knownPart(shape, match[0]) : `${name}: `;
  return `${known}… (${secret.length} characters)`;
}

/** The beginning that all secrets of the kind have in common. */
function knownPart(shape: string, matched: string): string {
  if (shape === '' || shape.startsWith('-----')) return '';
  const [own] = composePattern(`^(?:${shape})`, 'i').exec(matched) ?? [];
  return own ?? '';
}

/** Shannon's entropy of a text in bits a character: 0 for one letter repeated, about 5 for a random key of 50 letters. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Does a text have at least two of: small letters, capitals, digits? Words and numbers have one. */
export function mixesCharacterClasses(text: string): boolean {
  const alphabets = [/[a-z]/, /[A-Z]/, /[0-9]/];
  return alphabets.filter((alphabet) => alphabet.test(text)).length >= 2;
}

/** Words that stand for a secret: whoever wrote them took the secret out. */
const PLACEHOLDER_WORDS =
  /redact|sanitiz|sanitis|scrub|placeholder|example|dummy|fake|mock|sample|filtered|hidden|masked|obfuscat|removed|censored|invalid|not[-_]?a[-_]?real|your[-_]|my[-_](?:api|secret|key|token)|insert[-_]|change[-_]?me|foobar/i;
/** Words that are also syllables: they count as a part of their own. */
const PLACEHOLDER_PARTS =
  /(?:^|[-_.\s])(?:test|testing|tests|demo|secret|none|null|undefined|anything|unused|local|dev)(?:$|[-_.\s\d]|key|token)/i;
/** `xxxx`, `****`, `....`, `----`: one sign, again and again. `…0000…` may be part of a real one. */
const REPEATED = /x{4}|X{3}|\*{3}|\.{3}|…|•{2}|#{4}|(.)\1{7}/;
const TEMPLATE = /[<>{}[\]$%]/;

/** Is this a stand-in for a secret, and none? */
export function isPlaceholder(secret: string): boolean {
  return (
    PLACEHOLDER_WORDS.test(secret) || PLACEHOLDER_PARTS.test(secret) || REPEATED.test(secret) || TEMPLATE.test(secret)
  );
}
