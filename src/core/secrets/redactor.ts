import { applySplices } from '../text/splice';
import { findSecrets } from './findSecrets';
import { isDroppedHeader } from './headers';
import { namedMemberSplices } from './namedMembers';
import { redactBody } from './redactBody';
import { Substitution } from './substitution';

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
  /** See `redactBody`. */
  body(bytes: Uint8Array, headers: readonly (readonly [string, string])[]): Uint8Array | undefined;
  /** The headers that may be kept, with their values redacted. */
  headers(headers: readonly (readonly [string, string])[]): (readonly [string, string])[];
  url(url: string): string;
}

const MASK = '[redacted]';
/** What providers call the ones they bill. */
const ACCOUNTS = /\b(?:org|proj|user|acct)[-_][A-Za-z0-9]{16,64}\b/g;
const PARAMETERS =
  /([?&](?:key|api[-_]?key|token|access_token|auth|signature|sig|secret|password|x-amz-(?:signature|credential|security-token))=)[^&#]+/gi;
/** A shorter value is a word that may stand anywhere. */
const SHORTEST_VALUE = 8;

export function createRedactor({ values = [], patterns = [] }: RedactionRules = {}): Redactor {
  const long = values.filter((value) => value.length >= SHORTEST_VALUE);
  const known = new Substitution(long.map((value) => ({ value, placeholder: MASK })));
  const text = (original: string): string => {
    let redacted = withoutFound(original);
    redacted = applySplices(redacted, namedMemberSplices(redacted, MASK)).replace(ACCOUNTS, '[redacted:account]');
    redacted = known.replace(redacted);
    for (const pattern of patterns) redacted = redacted.replace(pattern, MASK);
    return redacted;
  };
  return {
    text,
    body: (bytes, headers) => redactBody(bytes, headers, text),
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
