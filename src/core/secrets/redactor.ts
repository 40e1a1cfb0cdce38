import { applySplices } from '../text/splice';
import { findSecrets } from './findSecrets';
import { isDroppedHeader } from './headers';

export interface RedactionRules {
  /** Secrets that are known by their value, such as keys of the environment. */
  readonly values?: readonly string[];
  /** What else the project wants to keep out of its tapes. */
  readonly patterns?: readonly RegExp[];
}

/**
 * Takes secrets out of what is recorded and of what is compared with it. A placeholder tells the kind of a secret and
 * nothing of its value, so that a request still matches its recording when the key was changed; taking out twice
 * changes nothing more.
 */
export interface Redactor {
  text(text: string): string;
  /** The headers that may be kept, with their values redacted. */
  headers(headers: readonly (readonly [string, string])[]): (readonly [string, string])[];
  url(url: string): string;
}

const MASK = '[redacted]';
/** What providers call the ones they bill. */
const ACCOUNTS = /\b(?:org|proj|user|acct)[-_][A-Za-z0-9]{16,64}\b/g;
/** Members whose values are secrets, however plain they look; quotes may be escaped, for JSON inside strings. */
const NAMED =
  /(\\{0,8}"(?:password|passwd|passphrase|secret|client_secret|api_?key|access_token|refresh_token|auth_token|session_token|private_key|authorization|cookie)\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}")(?!\[redacted)((?:[^"\\]|\\[^"]){1,4000})(?=\\{0,8}")/gi;
const PARAMETERS =
  /([?&](?:key|api[-_]?key|token|access_token|auth|signature|sig|secret|password|x-amz-(?:signature|credential|security-token))=)[^&#]+/gi;
/** A shorter value is a word that may stand anywhere. */
const SHORTEST_VALUE = 8;

export function createRedactor({ values = [], patterns = [] }: RedactionRules = {}): Redactor {
  const known = knownValues(values);
  const text = (original: string): string => {
    let redacted = withoutFound(original);
    redacted = redacted.replace(NAMED, (_, start: string) => `${start}${MASK}`).replace(ACCOUNTS, '[redacted:account]');
    for (const value of known) if (redacted.includes(value)) redacted = redacted.replaceAll(value, MASK);
    for (const pattern of patterns) redacted = redacted.replace(pattern, MASK);
    return redacted;
  };
  return {
    text,
    headers: (headers) =>
      headers.filter(([name]) => !isDroppedHeader(name)).map(([name, value]) => [name, text(value)] as const),
    url: (url) => text(url.replace(PARAMETERS, `$1${MASK}`)),
  };
}

function withoutFound(text: string): string {
  const found = findSecrets(text);
  if (found.length === 0) return text;
  return applySplices(
    text,
    found.map(({ rule, start, end }) => ({ start, end, text: `[redacted:${rule}]` })),
  );
}

/** Each value as it stands in plain text, in JSON and in an address; the longest first, because one may hold another. */
function knownValues(values: readonly string[]): string[] {
  const long = values.filter((value) => value.length >= SHORTEST_VALUE);
  const forms = long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}
