import type { Tape } from '../tapes/tape';
import type { Finding } from './finding';

const DAY_MS = 86_400_000;

/** The recordings of a tape that are older than so many days, as one finding at the first of them. */
export function expiredRecordings({ interactions }: Tape, maxAgeDays: number, now: Date): Finding[] {
  const old = interactions.flatMap(({ timing, source }) => {
    const age = (now.getTime() - Date.parse(timing?.recordedAt ?? '')) / DAY_MS;
    return age > maxAgeDays ? [{ age, source }] : [];
  });
  const [first] = old;
  if (first === undefined) return [];
  const oldest = Math.floor(Math.max(...old.map(({ age }) => age)));
  const which = old.length === interactions.length ? 'its recordings are' : `${old.length} of its recordings are`;
  return [
    {
      severity: 'warning',
      rule: 'expired',
      message: `${which} older than ${maxAgeDays} days: the oldest is of ${oldest} days ago`,
      fix: 'Record the tape again, and review what has changed.',
      span: { start: first.source.start, end: Math.min(first.source.end, first.source.start + 1) },
    },
  ];
}
