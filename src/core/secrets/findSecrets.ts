import { composePattern } from '../text/pattern';
import type { Span } from '../text/source';
import { isOrdinaryValue, NAMED_SECRET, SECRET_RULES, type SecretRule } from './secretRules';

/** A possible secret in a text. It does not contain the secret, so that it can be shown to anyone. */
export interface SecretFinding extends Span {
  readonly rule: string;
  /** Such as `a Groq API key`. */
  readonly what: string;
  /** The kind and length, without the secret itself: `gsk_… (56 characters)`. */
  readonly excerpt: string;
}

/**
 * The secrets in a text, in order and without overlaps. Base64 and other blobs are not searched: a token has to be a word of
 * its own.
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

/** Earlier rules take precedence. */
const RULES: readonly SecretRule[] = [...SECRET_RULES, NAMED_SECRET];

function judge(rule: SecretRule, match: RegExpExecArray, text: string): SecretFinding | undefined {
  const secret = match.groups?.secret ?? match[0];
  const start = match.index + match[0].lastIndexOf(secret);
  const end = start + secret.length;
  // The indentation within a key of several lines is not part of it.
  if (isPlaceholder(secret.replace(/\s+/g, ' ')) || entropy(secret) < rule.minEntropy || isEllipsis(text, end))
    return undefined;
  if (rule === NAMED_SECRET && (!mixesCharacterClasses(secret) || isOrdinaryValue(secret))) return undefined;
  return { rule: rule.id, what: rule.what, excerpt: excerptOf(rule, match, secret), start, end };
}

/** Whether the secret is followed by an ellipsis: a shortened secret is harmless. */
function isEllipsis(text: string, end: number): boolean {
  return /^(?:\.{2,}|…|\*{2,})/.test(text.slice(end, end + 3));
}

function excerptOf({ shape }: SecretRule, match: RegExpExecArray, secret: string): string {
  const { name } = match.groups ?? {};
  const known = name === undefined ? knownPart(shape, match[0]) : `${name}: `;
  return `${known}… (${secret.length} characters)`;
}

/** The prefix that all secrets of the kind share. */
function knownPart(shape: string, matched: string): string {
  if (shape === '' || shape.startsWith('-----')) return '';
  const [own] = composePattern(`^(?:${shape})`, 'i').exec(matched) ?? [];
  return own ?? '';
}

/** Shannon's entropy of a text in bits per character: 0 for one repeated letter, about 5 for a random key of 50 letters. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a text has at least two of: lower case, upper case, digits. Words and numbers have one. */
export function mixesCharacterClasses(text: string): boolean {
  const alphabets = [/[a-z]/, /[A-Z]/, /[0-9]/];
  return alphabets.filter((alphabet) => alphabet.test(text)).length >= 2;
}

/** Words that replace a secret. */
const PLACEHOLDER_WORDS =
  /redact|sanitiz|sanitis|scrub|placeholder|example|dummy|fake|mock|sample|filtered|hidden|masked|obfuscat|removed|censored|invalid|not[-_]?a[-_]?real|your[-_]|my[-_](?:api|secret|key|token)|insert[-_]|change[-_]?me|foobar/i;
/** Words that may also be syllables, and count only as a separate part. */
const PLACEHOLDER_PARTS =
  /(?:^|[-_.\s])(?:test|testing|tests|demo|secret|none|null|undefined|anything|unused|local|dev)(?:$|[-_.\s\d]|key|token)/i;
/** One repeated character, as in `xxxx`, `****` or `....`. A short run such as `0000` may be part of a real secret. */
const REPEATED = /x{4}|X{3}|\*{3}|\.{3}|…|•{2}|#{4}|(.)\1{7}/;
const TEMPLATE = /[<>{}[\]$%]/;

/** Whether this is a placeholder rather than a secret. */
export function isPlaceholder(secret: string): boolean {
  return (
    PLACEHOLDER_WORDS.test(secret) || PLACEHOLDER_PARTS.test(secret) || REPEATED.test(secret) || TEMPLATE.test(secret)
  );
}
