import type { SecretRule } from './rules';

/** Names of members, headers and parameters whose values are secrets. */
const NAMES = [
  'authorization',
  'proxy-authorization',
  '(?:x-)?(?:[a-z]{2,20}[-_])?api[-_]?key',
  'x-goog-api-key',
  'ocp-apim-subscription-key',
  '(?:aws[-_]?)?secret[-_]?(?:access[-_]?)?key',
  'aws[-_]?session[-_]?token',
  'x-amz-security-token',
  '(?:client|app|webhook|signing|shared)[-_]?secret',
  'secret',
  '(?:access|refresh|auth|bearer|id|session|api|bot|personal)[-_]?token',
  'x-auth-token',
  'private[-_]?key',
  'passw(?:or)?d',
  'credentials?',
].join('|');

/** A quote, which may be escaped: tapes are full of JSON inside strings. */
const QUOTE = `(?:\\\\{0,8}["'])?`;
/** Between a name and its value: `: `, `=`, or the next line of a list in YAML or JSON. */
const TO_VALUE = `${QUOTE}\\s{0,4}[:=]\\s{0,40}(?:-\\s{1,4}|\\[\\s{0,60})?${QUOTE}`;
/** Headers that are written as `{name, value}`. */
const PAIR = `${QUOTE}\\s{0,4},?\\s{0,60}${QUOTE}value${QUOTE}\\s{0,4}:\\s{0,40}${QUOTE}`;
const SCHEME = '(?:(?:Bearer|Basic|Token|ApiKey|Key)\\s{1,3})?';
const VALUE = '(?<secret>[A-Za-z0-9+/_.~-]{16,512}={0,2})';

/**
 * What has no shape of its own, but a telling name before it. Only what looks random counts: tapes are full of words.
 * Between the two alternatives of the value there is nothing to try again: the scan stays linear.
 */
export const NAMED_SECRET: SecretRule = {
  id: 'named-secret',
  what: 'a secret, by its name and its randomness',
  shape: '',
  pattern: new RegExp(
    `(?<![A-Za-z0-9])(?<name>${NAMES})(?:${PAIR}|${TO_VALUE})${SCHEME}${VALUE}(?![A-Za-z0-9+/_=-])`,
    'gi',
  ),
  minEntropy: 3.4,
};

/** Ids, versions, names of models and files: what follows a name like `token` without being one. */
const NOT_SECRET = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[A-Za-z]+(?:[-_./][A-Za-z]+)*$/,
  /^\d{4}-\d{2}-\d{2}/,
  /^[\d.,+-]+$/,
  /^(?:https?:)?\/\//,
  // PostHog's project keys are made to be public.
  /^phc_/,
];

/** Is a value with a telling name rather an id, a date or words? */
export function isOrdinary(value: string): boolean {
  return NOT_SECRET.some((pattern) => pattern.test(value));
}
