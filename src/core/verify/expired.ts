import type { Interaction, Tape } from '../tapes/tape';
import type { Finding } from './finding';

const DAY_MS = 86_400_000;

/** Is a recording older than so many days? One without its time is not. */
export function isExpired(interaction: Interaction, maxAgeDays: number, now: Date): boolean {
  return ageOf(interaction, now) > maxAgeDays;
}

/** In days; NaN where nobody wrote down when it was recorded. */
function ageOf({ timing }: Interaction, now: Date): number {
  return (now.getTime() - Date.parse(timing?.recordedAt ?? '')) / DAY_MS;
}

/** The recordings of a tape that are older than so many days, as one finding at the first of them. */
export function expiredRecordings({ interactions }: Tape, maxAgeDays: number, now: Date): Finding[] {
  const old = interactions
    .filter((one) => isExpired(one, maxAgeDays, now))
    .map((one) => ({ age: ageOf(one, now), source: one.source }));
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
