import { asList, asRecord } from '../json/fields';
import { isRecord, type Json } from '../json/json';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { t } from '../text/l10n';
import type { Finding } from './finding';

const DAY_MS = 86_400_000;

/** Whether a recording is older than that. A recording without a time is not. */
export function isExpired(interaction: Interaction, maxAgeDays: number, now: Date): boolean {
  return ageOf(interaction, now) > maxAgeDays;
}

/** Whether the age of a recording is not known. */
export function isUndated(interaction: Interaction): boolean {
  return Number.isNaN(ageOf(interaction, new Date(0)));
}

/** The age in days; NaN where the time was not recorded. */
function ageOf({ timing }: Interaction, now: Date): number {
  return (now.getTime() - Date.parse(timing?.recordedAt ?? '')) / DAY_MS;
}

/** Reports expired recordings as one finding, at the first of them, and recordings whose age is unknown as another. */
export function findExpiredRecordings(tape: Tape, maxAgeDays: number, now: Date): Finding[] {
  return [...findOld(tape, maxAgeDays, now), ...findUndated(tape)];
}

function findUndated({ interactions }: Tape): Finding[] {
  const undated = interactions.filter(isUndated);
  const [first] = undated;
  if (first === undefined) return [];
  return [
    {
      severity: 'info',
      rule: 'undated',
      message:
        undated.length === interactions.length
          ? t('its recordings have no date, so their age is unknown')
          : t('{0} of its recordings have no date, so their age is unknown', undated.length),
      fix: t('If their age matters, record the tape in a format that stores dates, such as tapedeck or har.'),
      span: startOf(first),
    },
  ];
}

function findOld({ interactions }: Tape, maxAgeDays: number, now: Date): Finding[] {
  const old = interactions
    .filter((one) => isExpired(one, maxAgeDays, now))
    .map((one) => ({ age: ageOf(one, now), one }));
  const [first] = old;
  if (first === undefined) return [];
  const oldest = Math.floor(old.reduce((most, { age }) => Math.max(most, age), 0));
  return [
    {
      severity: 'warning',
      rule: 'expired',
      message:
        old.length === interactions.length
          ? t('its recordings are older than {0} days: the oldest was recorded {1} days ago', maxAgeDays, oldest)
          : t(
              '{2} of its recordings are older than {0} days: the oldest was recorded {1} days ago',
              maxAgeDays,
              oldest,
              old.length,
            ),
      fix: t('Record the tape again, and review what has changed.'),
      span: startOf(first.one),
    },
  ];
}

function startOf({ source }: Interaction): Finding['span'] {
  return { start: source.start, end: Math.min(source.end, source.start + 1) };
}

/** The recordings of a tape that the last replay of a case used, from its artifact. */
export interface TapeEvidence {
  /** From the project's root, with `/`. */
  readonly tape: string;
  readonly recorded: number;
  readonly used: readonly number[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The evidence in an artifact: none if the run did not pass, since a failed run may have ended early. */
export function evidenceIn(artifact: Json | undefined): TapeEvidence[] {
  const { status, started_at_ms: startedAt, tapedeck } = asRecord(artifact);
  if (status !== 'passed' || typeof startedAt !== 'number') return [];
  return asList(asRecord(tapedeck).tape_uses).flatMap((use): TapeEvidence[] => {
    if (!isRecord(use) || typeof use.tape !== 'string' || typeof use.recorded !== 'number') return [];
    const used = asList(use.used).filter((index) => typeof index === 'number');
    return [{ tape: use.tape, recorded: use.recorded, used, startedAt }];
  });
}

/** Reports recordings that no replay used. `evidence` is of every case that replays the tape, since its last change. */
export function findUnusedRecordings({ interactions }: Tape, evidence: readonly TapeEvidence[]): Finding[] {
  if (evidence.length === 0 || evidence.some(({ recorded }) => recorded !== interactions.length)) return [];
  const used = new Set(evidence.flatMap((one) => one.used));
  return interactions.filter(({ index }) => !used.has(index)).map(unused);
}

function unused(interaction: Interaction): Finding {
  return {
    severity: 'warning',
    rule: 'unused',
    message: t('the last replay did not use interaction {0}', interaction.index + 1),
    fix: t('If the agent should use it, check the agent. Otherwise, re-record the tape or remove the interaction.'),
    span: startOf(interaction),
  };
}

/** Reports a tape that no test uses any more. */
export function orphanedTape(reason: string): Finding {
  return {
    severity: 'warning',
    rule: 'orphan',
    message: t('no test uses this tape: {0}', reason),
    fix: t('Delete it, or use it in a test again.'),
    span: { start: 0, end: 0 },
  };
}
