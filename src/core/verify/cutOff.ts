import type { Tape } from '../tapes/tape';
import type { Span } from '../text/source';
import type { Documents } from './documents';
import type { Finding } from './finding';

const RESTORE = 'Restore it from version control, or record the tape again.';

/**
 * YAML that was cut off is YAML most of the time. Recorders end every line and write every answer, so a file of theirs
 * that ends within a line, or before an answer, is not whole.
 */
export function cutOff(text: string, { interactions }: Tape, { syntax }: Documents): Finding[] {
  const recorded = interactions.filter(({ http }) => http !== undefined);
  const unanswered = recorded.filter(({ http }) => http?.status === undefined);
  const findings = unanswered.map(({ index, source }) =>
    finding(`interaction ${index + 1} has no answer`, {
      start: source.start,
      end: Math.min(source.end, source.start + 1),
    }),
  );
  if (syntax !== 'yaml' || recorded.length === 0 || text.endsWith('\n')) return findings;
  return [...findings, finding('the file ends in the middle of a line', lastOf(text))];
}

/** The keys with which recorders begin their YAML. */
const OPENING = /^(?:---[^\n]*\n)?(?:version: *\d+\n)?(?:interactions|http_interactions|requests|when):/;

/** What no format claims and begins like a tape is the beginning of one. */
export function remains(text: string): Finding[] {
  return OPENING.test(text.slice(0, 512)) ? [finding('it begins like a tape, and is none', lastOf(text))] : [];
}

function finding(what: string, span: Span): Finding {
  const message = `${what}: the file is probably cut off`;
  return { severity: 'warning', rule: 'cut-off', message, fix: RESTORE, span };
}

function lastOf({ length }: string): Span {
  return { start: Math.max(0, length - 1), end: length };
}
