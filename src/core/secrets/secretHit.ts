import type { Span } from '../text/source';

/** A possible secret in a text. It does not contain the secret, so that it can be shown to anyone. */
export interface SecretFinding extends Span {
  readonly rule: string;
  /** Such as `a Groq API key`. */
  readonly what: string;
  /** The kind and length, without the secret itself: `gsk_… (56 characters)`. */
  readonly excerpt: string;
  /** The span is that of encoded data that contains the secret. */
  readonly isEncoded?: true;
}

/** A part of a text that is not recorded. */
export interface SecretHit extends SecretFinding {
  /** What is recorded in its place. It depends on the kind only. */
  readonly placeholder: string;
  /** Of hits that overlap, the one with the lowest rank decides on the placeholder. */
  readonly rank: number;
  /** Hidden while recording, to be safe, but too likely something else to be reported. */
  readonly isDoubtful?: true;
  /** A further part of the secret before it, which is reported once. */
  readonly isContinued?: true;
}

/** The placeholder of a value that is a secret because of its name, or is known to be one. */
export const MASK = '[redacted]';

/** The placeholder of a private key. */
export const HIDDEN_KEY = '[redacted:private-key]';

/** Any placeholder of a recording. */
export const PLACEHOLDER = /\[redacted(?::[\w-]{1,40})?\]/g;

/** The rule of secrets that are recognised by a name before them. */
export const NAMED_SECRET = 'named-secret';

/** Whether `verify` reports a hit. */
export function isReported({ isDoubtful, isContinued }: SecretHit): boolean {
  return !isDoubtful && !isContinued;
}

/** Orders hits by how much they say: a shape says more than a name. */
export function reportOrder(left: SecretHit, right: SecretHit): number {
  return Number(left.rule === NAMED_SECRET) - Number(right.rule === NAMED_SECRET) || left.rank - right.rank;
}
