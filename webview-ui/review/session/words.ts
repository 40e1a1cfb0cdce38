import type { Decision } from '../../../src/core/review/decisions';
import type { ReviewedChange } from '../../../src/protocol/review';
import type { ReviewState } from '../../../src/protocol/reviewPanel';
import { openChanges } from './reviewView';

const RUNS: Readonly<Record<string, string>> = {
  replay: 'Replay',
  record: 'Re-recording',
  live: 'Live run',
  scripted: 'Scripted run',
};

/** "2 changes in refund_question"; where nothing is open, the page says so in a larger place. */
export function headline({ caseName, hasBaseline, changes }: ReviewState): string {
  const open = openChanges(changes).length;
  if (open > 0 && !hasBaseline) return `First run of ${caseName}`;
  return open === 0 ? caseName : `${plural(open, 'change')} in ${caseName}`;
}

/** "Replay of 22:14 against its baseline · 1 rejected". `now` is in milliseconds; times are local. */
export function summary(state: ReviewState, now: number, locale?: string): string {
  const decided = (['accepted', 'rejected'] as const).flatMap((verdict) => {
    const number = state.changes.filter(({ decision }) => decision === verdict).length;
    return number === 0 ? [] : [`${number} ${verdict}`];
  });
  return [comparisonOf(state, now, locale), ...decided].join(' · ');
}

function comparisonOf(state: ReviewState, now: number, locale?: string): string {
  if (state.against === 'take') return 'The tape against the take that it replaced';
  if (state.against === 'commit') return `The ${state.kind} against the last commit`;
  const run = `${RUNS[state.mode] ?? 'Run'} of ${timeOf(state.ranAt, now, locale)}`;
  return state.hasBaseline ? `${run} against its baseline` : `${run}, with no baseline to compare it with yet`;
}

/** What the two sides are called, above them and in a sentence. */
export const SIDES = {
  baseline: { before: 'Baseline', after: 'This run', onlyBefore: 'the baseline', onlyAfter: 'this run' },
  commit: { before: 'Last commit', after: 'Now', onlyBefore: 'the last commit', onlyAfter: 'the file as it is now' },
  take: { before: 'Take before', after: 'Now', onlyBefore: 'the take before', onlyAfter: 'the tape as it is now' },
} as const satisfies Record<ReviewState['against'], object>;

/** The time of day for today, with the date for any other day. */
function timeOf(at: number, now: number, locale?: string): string {
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return new Date(at).toLocaleString(
    locale,
    sameDay ? time : { ...time, day: 'numeric', month: 'short', year: 'numeric' },
  );
}

/** A decision, and where it leads. */
export interface Outcome {
  readonly verdict: Decision;
  readonly titles: readonly string[];
  readonly left: readonly ReviewedChange[];
  readonly selected: string | undefined;
  /** The review that is shown instead, because nothing was left in the one before. */
  readonly elsewhere?: ReviewState | undefined;
}

/** What is said, and what a screen reader says, after a decision. */
export function describeOutcome({ verdict, titles, left, selected, elsewhere }: Outcome): string {
  const done = `${titles.length > 3 ? plural(titles.length, 'change') : titles.join(', ')} ${verdict}.`;
  if (elsewhere !== undefined) return `${done} Next is ${elsewhere.caseName}.`;
  const next = left.find(({ id }) => id === selected);
  if (left.length === 0) return `${done} Nothing left to review.`;
  return `${done} ${plural(left.length, 'change')} left${next === undefined ? '' : `, ${next.title} next`}.`;
}

/** Differences there are, and none of them means anything. */
export function isOnlyNoise({ changes, hidden }: ReviewState): boolean {
  return changes.length === 0 && hidden.length > 0;
}

/** What is said where no change is left to look at. */
export function emptyState(state: ReviewState): { readonly title: string; readonly text: string } {
  const { changes, hidden, kind } = state;
  if (kind !== 'run' && isOnlyNoise(state)) {
    const what = `${plural(hidden.length, 'difference')}, and the rules say that none means anything.`;
    return { title: 'Only noise', text: `${what} H shows them, G stages the file, R puts it back.` };
  }
  return { title: 'Nothing left to review', text: [fileOutcome(changes, kind), ...queueOutcome(state)].join(' ') };
}

/** Said once, at the end of it all. */
function queueOutcome({ queue: { total, othersOpen } }: ReviewState): readonly string[] {
  return othersOpen === 0 && total > 1 ? [`All ${total} files are decided: Shift+G stages what is accepted.`] : [];
}

function fileOutcome(changes: ReviewState['changes'], kind: ReviewState['kind']): string {
  const rejected = changes.filter(({ decision }) => decision === 'rejected').length;
  if (kind !== 'run')
    return changes.length === 0
      ? 'The file is as it was before.'
      : 'Every change of this file is decided. G stages it.';
  if (rejected === 0) return 'The last run is the same as its baseline.';
  const which = rejected === 1 ? 'the change you rejected' : `the ${rejected} changes you rejected`;
  return `The baseline stays without ${which}. Improve the agent or the case and run it again.`;
}

export function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
