import { formatVerdictCounts } from '../../core/cases/runOutcome';
import type { InteractionVerdict } from '../../core/model/artifact';
import type { BaselineState } from '../review/baseline';
import { quantity } from '../terminal/visibleText';

export interface ComparisonBasis {
  readonly assertions: number;
  readonly baseline: BaselineState;
  /** From the baseline, where there is one. */
  readonly differences: number;
  /** The differences that rules ignore. */
  readonly ignored?: number | undefined;
  /** In a replay: how many recordings the tape has, and how many of them were used. */
  readonly replay?: {
    readonly recorded: number;
    readonly used: number;
    /** The verdict on each request; absent where a kind of case does not compare requests. */
    readonly verdicts?: readonly InteractionVerdict[] | undefined;
  };
}

/** The beginning of the description of a run that checked nothing. */
export const COMPARED_NOTHING = 'Nothing checked';

/** The description of a case that failed before there was anything to compare. */
export const NOT_RUN = `${COMPARED_NOTHING}: the case did not finish`;

/** The basis of a run's outcome, such as `Matches baseline · 2 assertions · 2 of 2 requests exact`. */
export function describeComparison({
  assertions,
  baseline,
  differences,
  ignored = 0,
  replay,
}: ComparisonBasis): string {
  const checks = [
    ...(baseline === 'compared' ? [matchText(differences, ignored)] : []),
    ...(assertions > 0 ? [quantity(assertions, 'assertion')] : []),
  ];
  const basis =
    checks.length > 0
      ? [...checks, ...baselineNotes[baseline]]
      : [`${COMPARED_NOTHING}: ${reasonForNothing(baseline)}`];
  return joinBasis([...basis, ...replayNotes(replay)]);
}

/** Whether a run that finished was compared with nothing. */
export function checksNothing({ assertions, baseline }: Pick<ComparisonBasis, 'assertions' | 'baseline'>): boolean {
  return assertions === 0 && baseline !== 'compared' && baseline !== 'written';
}

/** Joins the parts of a description. */
export function joinBasis(parts: readonly string[]): string {
  return parts.join(' · ');
}

function matchText(differences: number, ignored: number): string {
  const text = differences === 0 ? 'Matches baseline' : `${quantity(differences, 'difference')} from baseline`;
  return ignored === 0 ? text : `${text}, ${ignored} ignored by rules`;
}

const baselineNotes: Record<BaselineState, readonly string[]> = {
  compared: [],
  none: ['no baseline'],
  unreadable: ['unreadable baseline'],
  written: ['baseline written'],
};

function reasonForNothing(baseline: BaselineState): string {
  if (baseline === 'none') return 'no assertions, no baseline';
  return baseline === 'written' ? 'no assertions, baseline written' : 'no assertions, unreadable baseline';
}

function replayNotes(replay: ComparisonBasis['replay']): readonly string[] {
  if (replay === undefined) return [];
  const unused = replay.recorded - replay.used;
  const notes = requestNotes(replay.verdicts);
  return unused > 0 ? [...notes, `${unused} of ${quantity(replay.recorded, 'recording')} unused`] : notes;
}

function requestNotes(verdicts: readonly InteractionVerdict[] | undefined): readonly string[] {
  if (verdicts === undefined) return ['requests not compared (replayed by position)'];
  const served = verdicts.filter(({ verdict }) => verdict !== 'unused');
  const different = served.filter(({ verdict }) => verdict === 'differs').length;
  if (different > 0)
    return [
      `${different} of ${quantity(served.length, 'request')} ${different === 1 ? 'is' : 'are'} not as recorded (on_drift = "warn")`,
    ];
  if (served.length > 0 && served.every(({ verdict }) => verdict === 'unchecked'))
    return [`${quantity(served.length, 'request')} not compared: the tape has responses only`];
  return served.length === 0 ? [] : [verdictsText(served)];
}

/** `2 of 2 requests exact`, or by verdict: `requests: 2 exact, 1 masked`. */
function verdictsText(served: readonly InteractionVerdict[]): string {
  const [first] = served;
  const isUniform = served.every(({ verdict }) => verdict === first?.verdict);
  if (!isUniform) return `requests: ${formatVerdictCounts(served)}`;
  return `${served.length} of ${quantity(served.length, 'request')} ${first?.verdict}`;
}
