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
  /redact|sanitiz|sanitis|scrubbed|placeholder|example|sample|filtered|hidden|masked|obfuscat|removed|censored|invalid|not[-_]?a[-_]?real|your[-_]|my[-_](?:api|secret|key|token)|insert[-_]|change[-_]?me|foobar/i;
/** Shorter ones, which a random text contains now and then, unless they begin or end a part. */
const SHORT_PLACEHOLDER_WORDS =
  /(?:^|[^A-Za-z\d])(?:scrub|dummy|fake|mock)|(?:scrub|dummy|fake|mock)(?:$|[^A-Za-z\d])/i;
/** Words that may also be syllables, or name an environment: `tvly-dev-…` is a real key. */
const PLACEHOLDER_PARTS =
  /(?:^|[-_.\s])(?:test|testing|tests|demo|secret|none|null|undefined|anything|unused|local|dev)(?=$|[-_.\s\d]|key|token)/gi;
/** A part that was left out. */
const SHORTENED = /\*{3}|\.{3}|…|•{2}/;
/** One repeated character, as in `xxxx`. A short run such as `0000` may be part of a real secret. */
const REPEATED = /x{4,}|X{3,}|#{4,}|(.)\1{7,}/g;
/** Where a template puts a value: `${NAME}`, `{{name}}`, `<YOUR_KEY>`, `[FILTERED]`, `$NAME`, `%NAME%`. */
const TEMPLATE =
  /\$\{[^}]*\}|\{\{[^}]*\}\}|\{[a-z_][\w.]{2,}\}|<[a-z][\w .:-]{2,}>|\[[a-z][\w .:-]{2,}\]|^\$\(|^\$[a-z_]+$|^%[a-z_]+%$/i;
/** Passwords that protect nothing. */
const COMMON =
  /^(?:passw(?:or)?d|passwd|pass|secret|admin|administrator|root|guest|user|username|postgres|postgresql|mysql|mariadb|redis|rabbitmq|mongo|mongodb|test|testing|token|key|apikey|api[-_]key|none|null|true|false|string|required|optional|qwerty|12345678?9?0?|hunter2|letmein|default|unused|empty|value|text|basic|bearer)\d{0,4}!?$/i;

/** Whether this is a placeholder rather than a secret. */
export function isPlaceholder(secret: string): boolean {
  if (PLACEHOLDER_WORDS.test(secret) || SHORT_PLACEHOLDER_WORDS.test(secret)) return true;
  if (SHORTENED.test(secret) || TEMPLATE.test(secret) || COMMON.test(secret)) return true;
  const varied = secret.replace(REPEATED, ' ');
  const unnamed = secret.replace(PLACEHOLDER_PARTS, '');
  return (
    (varied !== secret && !isRandom(varied, LONG_RANDOM) && !isRunByChance(secret)) ||
    (unnamed !== secret && !isRandom(unnamed))
  );
}

/** Three equal letters between others. */
const RUN_INSIDE = /(?<=[A-WYZa-z\d])XXX(?=[A-WYZa-z\d])/;

/** Whether the only repetition is one as chance puts it into some thousand keys: without it, the text is random, too. */
function isRunByChance(secret: string): boolean {
  const joined = secret.replace(RUN_INSIDE, '');
  return joined !== secret && joined.replace(REPEATED, '') === joined && isRandom(joined, SHORTEST_RANDOM - 3);
}

/** The shortest random part of a key. */
const SHORTEST_RANDOM = 16;
/** A part so long was drawn by chance, whatever repetition stands beside it. */
const LONG_RANDOM = 24;

/** Shorter parts of a text may look random without being so. */
const SHORTEST_PART = 8;
/** How long several random parts are together. */
const SEVERAL_PARTS = 20;

/**
 * Whether a text was drawn by chance, as far as one can see: one long part, or several shorter ones, with several kinds of
 * characters, varied, and no words.
 */
export function isRandom(text: string, shortest = SHORTEST_RANDOM): boolean {
  const random = text
    .split(/[^A-Za-z0-9+/=]+/)
    .filter((part) => part.length >= SHORTEST_PART && mixesCharacterClasses(part) && !isWords(part));
  const length = random.reduce((sum, part) => sum + part.length, 0);
  if (random.length > 1 && length >= Math.max(SEVERAL_PARTS, shortest)) return entropy(random.join('')) >= 3;
  return random.some((part) => part.length >= shortest && entropy(part) >= 3);
}

/** Whether letters and digits form names, as in `MyCompanyServiceName2`. */
function isWords(part: string): boolean {
  if (part.length >= LONG_RANDOM && /[A-Za-z]\d+[A-Za-z]+\d+[A-Za-z]/.test(part)) return false;
  const left = part.replace(/[A-Z]?[a-z]{3,}|[A-Z]{3,}(?![a-z])|\d+$/g, (word) => (isUnspeakable(word) ? word : ''));
  return left.length <= part.length / 5;
}

/** Whether no word of a language has these letters: chance seldom puts a vowel between every few consonants. */
function isUnspeakable(word: string): boolean {
  if (word.length <= 3 || /https?|html|grpc/i.test(word) || ROWS.includes(word.toLowerCase())) return false;
  return /^[^aeiouy\d]+$|[^aeiouy\d]{5}/i.test(word);
}

/** The alphabet and the rows of a keyboard, of which people make examples. */
const ROWS = 'abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm';

const WORDS = /^[A-Za-z]+(?:[-_./][A-Za-z]+)*$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The UUIDs of documentation, and those of no digits but one. */
const EXAMPLE_UUID = /^(?:123e4567-e89b|00000000-0000|(.)\1{7}-)/i;

/** Whether a value is a UUID that was drawn, by which some services name a caller. */
export function isDrawnUuid(value: string): boolean {
  return UUID.test(value) && !EXAMPLE_UUID.test(value);
}

/** Ids, versions, and dates, which may follow a name like `token`. */
const ORDINARY = [
  UUID,
  /^\d{4}-\d{2}-\d{2}/,
  /^[\d.,+-]+$/,
  /^(?:https?:)?\/\//,
  // PostHog's project keys are public.
  /^phc_/,
];

/** Whether a value after such a name is an id, a date or words. Letters that were drawn by chance are no words. */
export function isOrdinaryValue(value: string): boolean {
  return (
    (WORDS.test(value) && !isRandom(value.replaceAll('/', ' '))) || ORDINARY.some((pattern) => pattern.test(value))
  );
}
