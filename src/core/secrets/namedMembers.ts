import type { Splice } from '../text/splice';

/** Members whose values are secrets, however plain they look. `token` is not one: log probabilities have it. */
const NAME =
  /(\\*)"(?:password|passwd|passphrase|secret|client_secret|api_?key|access_token|refresh_token|auth_token|session_token|private_key|authorization|cookie)\1"\s{0,4}:\s{0,4}\1"/gi;
const LONGEST = 20_000;

/** Replaces the values of members with such names, in JSON and in JSON inside of strings, by a placeholder. */
export function namedMemberSplices(text: string, placeholder: string): Splice[] {
  const splices: Splice[] = [];
  let from = 0;
  for (const { 0: match, 1: escapes = '', index } of text.matchAll(NAME)) {
    const start = index + match.length;
    const end = closingQuote(text, start, escapes.length);
    if (index < from || end === undefined || end === start) continue;
    splices.push({ start, end, text: placeholder });
    from = end;
  }
  return splices;
}

/**
 * Where a string ends that was opened by a quote behind so many backslashes: 0, 1, 3, 7 for strings inside of strings.
 * A backslash of the value is written as twice one more than those, and a quote of it as one more than twice those.
 */
function closingQuote(text: string, start: number, escapes: number): number | undefined {
  const period = 2 * (escapes + 1);
  const last = Math.min(text.length, start + LONGEST);
  for (let at = text.indexOf('"', start); at !== -1 && at < last; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > start && text[at - run - 1] === '\\') run += 1;
    if (run % period === escapes) return at - escapes;
  }
  return undefined;
}
