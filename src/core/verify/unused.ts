import { isRecord, type Json } from '../json/json';
import type { Interaction, Tape } from '../tapes/tape';
import { listOf, recordOf } from '../wire/fields';
import type { Finding } from './finding';

/** What the last replay of a case used of a tape, as its artifact tells. */
export interface TapeEvidence {
  /** From the project's root, with `/`. */
  readonly tape: string;
  readonly recorded: number;
  readonly used: readonly number[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The evidence in an artifact: none where the run did not pass, for a run that failed may have been cut short. */
export function evidenceIn(artifact: Json | undefined): TapeEvidence[] {
  const { status, started_at_ms: startedAt, tapedeck } = recordOf(artifact);
  if (status !== 'passed' || typeof startedAt !== 'number') return [];
  return listOf(recordOf(tapedeck).tape_uses).flatMap((use): TapeEvidence[] => {
    if (!isRecord(use) || typeof use.tape !== 'string' || typeof use.recorded !== 'number') return [];
    const used = listOf(use.used).filter((index) => typeof index === 'number');
    return [{ tape: use.tape, recorded: use.recorded, used, startedAt }];
  });
}

/** Recordings that no replay used: known where every case that replays the tape has done so since it is as it is. */
export function unusedRecordings({ interactions }: Tape, evidence: readonly TapeEvidence[]): Finding[] {
  if (evidence.length === 0 || evidence.some(({ recorded }) => recorded !== interactions.length)) return [];
  const used = new Set(evidence.flatMap((one) => one.used));
  return interactions.filter(({ index }) => !used.has(index)).map(unused);
}

function unused({ index, source }: Interaction): Finding {
  return {
    severity: 'warning',
    rule: 'unused',
    message: `the last replay did not use interaction ${index + 1}`,
    fix: 'Re-record the tape, or remove the interaction, unless the agent is meant to ask again.',
    span: { start: source.start, end: Math.min(source.end, source.start + 1) },
  };
}

/** A tape that no test uses any more. */
export function orphaned(reason: string): Finding {
  return {
    severity: 'warning',
    rule: 'orphan',
    message: `no test uses this tape: ${reason}`,
    fix: 'Delete it, or let a test use it again.',
    span: { start: 0, end: 0 },
  };
}
