import { formatVerdictCounts } from '../../core/cases/runOutcome';
import type { InteractionVerdict } from '../../core/model/artifact';
import type { BaselineState } from '../review/baseline';
import { quantity } from '../terminal/visibleText';

export interface ComparisonBasis {
  readonly assertions: number;
  readonly baseline: BaselineState;
  /** In a replay: how many interactions the tape has, and how many of them the agent asked for. */
  readonly replay?: {
    readonly recorded: number;
    readonly used: number;
    /** What came of each request; absent where a kind of case does not compare them. */
    readonly verdicts?: readonly InteractionVerdict[] | undefined;
  };
}

/** Begins the description of a run that proves nothing. */
export const COMPARED_NOTHING = 'nothing';

/** Of a case that failed before there was anything to compare. */
export const NOT_RUN = `${COMPARED_NOTHING}: the case did not run to its end`;

/** In words, what the outcome of a run rests on. */
export function describeComparison({ assertions, baseline, replay }: ComparisonBasis): string {
  const checks = [
    ...(baseline === 'compared' ? ['all that it did against the baseline'] : []),
    ...(assertions > 0 ? [quantity(assertions, 'assertion')] : []),
  ];
  const head = checks.length > 0 ? checks.join(', ') : `${COMPARED_NOTHING}: ${reasonForNothing(baseline)}`;
  return [head, ...(checks.length > 0 ? baselineNotes[baseline] : []), ...replayNotes(replay)].join('; ');
}

const baselineNotes: Record<BaselineState, readonly string[]> = {
  compared: [],
  none: ['there is no baseline'],
  unreadable: ['the baseline could not be read'],
  written: ['this run is the new baseline'],
};

function reasonForNothing(baseline: BaselineState): string {
  if (baseline === 'none') return 'the case has no assertions and no baseline';
  return baseline === 'written'
    ? 'the case has no assertions, and this run is the new baseline'
    : 'the case has no assertions, and its baseline could not be read';
}

function replayNotes(replay: ComparisonBasis['replay']): readonly string[] {
  if (replay === undefined) return [];
  const unused = replay.recorded - replay.used;
  const notes = requestNotes(replay.verdicts);
  return unused > 0 ? [...notes, `${unused} of ${quantity(replay.recorded, 'recorded interaction')} not used`] : notes;
}

function requestNotes(verdicts: readonly InteractionVerdict[] | undefined): readonly string[] {
  if (verdicts === undefined) return ['requests were not compared: replay is by position'];
  const served = verdicts.filter(({ verdict }) => verdict !== 'unused');
  const different = served.filter(({ verdict }) => verdict === 'in-order').length;
  if (different > 0)
    return [`${different} of ${quantity(served.length, 'request')} not as recorded: replay is by position`];
  return served.length === 0 ? [] : [`requests as recorded: ${formatVerdictCounts(served)}`];
}
