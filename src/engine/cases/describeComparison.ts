import { formatVerdictCounts } from '../../core/cases/runOutcome';
import type { InteractionVerdict } from '../../core/model/artifact';
import type { RunResult } from '../../core/model/run';
import { counted, plural } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import { noticeBeside, type Said, says } from '../../core/text/notice';
import type { BaselineState } from '../review/baseline';

interface ComparisonBasis {
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
    /** The verdict on each request; absent if a kind of case does not compare requests. */
    readonly verdicts?: readonly InteractionVerdict[] | undefined;
  };
}

/** The beginning of the description of a run that checked nothing. */
export const COMPARED_NOTHING = 'Nothing checked';

/** The description of a case that failed before there was anything to compare. */
export const NOT_RUN: Summary = notice(message('Nothing checked: the case did not finish'));

function notice(id: string): Summary {
  return { compared: id, said: { id, values: [] } };
}

type Summary = Pick<RunResult, 'compared' | 'said'>;

function summaryOf(words: () => string): Summary {
  const said = noticeBeside(words);
  return { compared: words(), ...(said && { said }) };
}

/** The basis of a run's outcome, such as `Matches baseline · 2 assertions · 2 of 2 requests exact`. */
export function describeComparison(basis: ComparisonBasis, notes: readonly Said[] = []): Summary {
  return summaryOf(() => joinBasis([describe(basis), ...notes.map(says)].filter((part) => part !== '')));
}

function describe({ assertions, baseline, differences, ignored = 0, replay }: ComparisonBasis): string {
  const checks = [
    ...(baseline === 'compared' ? [matchText(differences, ignored)] : []),
    ...(assertions > 0 ? [plural(assertions, 'assertion')] : []),
  ];
  const basis =
    checks.length > 0 ? [...checks, ...baselineNotes[baseline].map((note) => t(note))] : [reasonForNothing(baseline)];
  return joinBasis([...basis, ...replayNotes(replay)]);
}

/** Whether a run that finished was compared with nothing. */
export function checksNothing({ assertions, baseline }: Pick<ComparisonBasis, 'assertions' | 'baseline'>): boolean {
  return assertions === 0 && baseline !== 'compared' && baseline !== 'written';
}

function joinBasis(parts: readonly string[]): string {
  return parts.join(' · ');
}

function matchText(differences: number, ignored: number): string {
  const text =
    differences === 0
      ? t('Matches baseline')
      : counted(differences, '{0} difference from baseline', '{0} differences from baseline');
  return ignored === 0 ? text : t('{0}, {1} ignored by rules', text, ignored);
}

const baselineNotes: Record<BaselineState, readonly string[]> = {
  compared: [],
  none: [message('no baseline')],
  unreadable: [message('unreadable baseline')],
  written: [message('baseline written')],
};

function reasonForNothing(baseline: BaselineState): string {
  if (baseline === 'none') return t('Nothing checked: no assertions, no baseline');
  return baseline === 'written'
    ? t('Nothing checked: no assertions, baseline written')
    : t('Nothing checked: no assertions, unreadable baseline');
}

function replayNotes(replay: ComparisonBasis['replay']): readonly string[] {
  if (replay === undefined) return [];
  const unused = replay.recorded - replay.used;
  const notes = requestNotes(replay.verdicts);
  return unused > 0
    ? [...notes, counted(replay.recorded, '{1} of {0} recording unused', '{1} of {0} recordings unused', unused)]
    : notes;
}

function requestNotes(verdicts: readonly InteractionVerdict[] | undefined): readonly string[] {
  if (verdicts === undefined) return [t('requests not compared (replayed by position)')];
  const served = verdicts.filter(({ verdict }) => verdict !== 'unused');
  const different = served.filter(({ verdict }) => verdict === 'differs').length;
  if (different > 0)
    return [
      counted(
        different,
        '{0} of {1} is not as recorded (on_drift = "warn")',
        '{0} of {1} are not as recorded (on_drift = "warn")',
        plural(served.length, 'request'),
      ),
    ];
  if (served.length > 0 && served.every(({ verdict }) => verdict === 'unchecked'))
    return [
      counted(
        served.length,
        '{0} request not compared: the tape has responses only',
        '{0} requests not compared: the tape has responses only',
      ),
    ];
  return served.length === 0 ? [] : [verdictsText(served)];
}

/** `2 of 2 requests exact`, or by verdict: `requests: 2 exact, 1 masked`. */
function verdictsText(served: readonly InteractionVerdict[]): string {
  const [first] = served;
  const isUniform = served.every(({ verdict }) => verdict === first?.verdict);
  if (!isUniform) return t('requests: {0}', formatVerdictCounts(served));
  return counted(served.length, '{0} of {0} request {1}', '{0} of {0} requests {1}', first?.verdict ?? '');
}
