import type { Decision } from '../../../src/core/review/decisions';
import type { ReviewedChange } from '../../../src/protocol/review';
import type { ReviewState } from '../../../src/protocol/reviewPanel';
import { onlyPending } from './reviewView';

const RUNS: Readonly<Record<string, string>> = {
  replay: 'Replay',
  record: 'Re-recording',
  live: 'Live run',
  scripted: 'Scripted run',
};

/** "2 changes in refund_question"; the name alone where no change is pending, because the page has a text for that. */
export function headline({ caseName, hasBaseline, changes }: ReviewState): string {
  const pending = onlyPending(changes).length;
  if (pending > 0 && !hasBaseline) return `First run of ${caseName}`;
  return pending === 0 ? caseName : `${plural(pending, 'change')} in ${caseName}`;
}

/** "Replay from 22:14, compared with the baseline · 1 rejected". `now` is in milliseconds; times are local. */
export function summary(state: ReviewState, now: number, locale?: string): string {
  const decided = (['accepted', 'rejected'] as const).flatMap((verdict) => {
    const number = state.changes.filter(({ decision }) => decision === verdict).length;
    return number === 0 ? [] : [`${number} ${verdict}`];
  });
  return [comparisonOf(state, now, locale), ...decided].join(' · ');
}

function comparisonOf(state: ReviewState, now: number, locale?: string): string {
  if (state.compared !== undefined) return `${state.compared.after}, compared with ${state.compared.before}`;
  if (state.against === 'take') return 'Compared with the previous take';
  if (state.against === 'commit') return 'Compared with the last commit';
  const run = `${RUNS[state.mode] ?? 'Run'} from ${timeOf(state.ranAt, now, locale)}`;
  return state.hasBaseline ? `${run}, compared with the baseline` : `${run}, no baseline yet`;
}

/** The names of the two sides, as headings and in a sentence. */
export function sideNames({ against, compared }: Pick<ReviewState, 'against' | 'compared'>): SideNames {
  if (compared === undefined) return SIDES[against];
  const { before, after } = compared;
  return { before, after, onlyBefore: before, onlyAfter: after };
}

export interface SideNames {
  readonly before: string;
  readonly after: string;
  readonly onlyBefore: string;
  readonly onlyAfter: string;
}

const SIDES: Readonly<Record<ReviewState['against'], SideNames>> = {
  baseline: { before: 'Baseline', after: 'This run', onlyBefore: 'the baseline', onlyAfter: 'this run' },
  commit: { before: 'Last commit', after: 'Current', onlyBefore: 'the last commit', onlyAfter: 'the current file' },
  take: { before: 'Previous take', after: 'Current', onlyBefore: 'the previous take', onlyAfter: 'the current take' },
  chosen: { before: 'Before', after: 'After', onlyBefore: 'the earlier one', onlyAfter: 'the later one' },
};

/** The time of day, with the date unless that is today. */
function timeOf(at: number, now: number, locale?: string): string {
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return new Date(at).toLocaleString(
    locale,
    sameDay ? time : { ...time, day: 'numeric', month: 'short', year: 'numeric' },
  );
}

/** A decision, and where the review goes from there. */
export interface Outcome {
  readonly verdict: Decision;
  readonly titles: readonly string[];
  readonly left: readonly ReviewedChange[];
  readonly selected: string | undefined;
  /** The review that is shown instead, because nothing was left in the one before. */
  readonly elsewhere?: ReviewState | undefined;
}

/** The announcement after a decision. */
export function describeOutcome({ verdict, titles, left, selected, elsewhere }: Outcome): string {
  const done = `${titles.length > 3 ? plural(titles.length, 'change') : titles.join(', ')} ${verdict}.`;
  if (elsewhere !== undefined) return `${done} Next: ${elsewhere.caseName}.`;
  const next = left.find(({ id }) => id === selected);
  if (left.length === 0) return `${done} Nothing left to review.`;
  return `${done} ${plural(left.length, 'change')} left${next === undefined ? '' : `, next: ${next.title}`}.`;
}

/** Whether there are differences, all of which the rules ignore. */
export function hasOnlyIgnored({ changes, hidden }: ReviewState): boolean {
  return changes.length === 0 && hidden.length > 0;
}

/** The page's text where no change is left to show. */
export function emptyState(state: ReviewState): { readonly title: string; readonly text: string } {
  const { changes, hidden, kind, compared } = state;
  if (compared !== undefined) return noDifference(state);
  if (kind !== 'run' && hasOnlyIgnored(state)) {
    const what = `${plural(hidden.length, 'difference')} ignored by rules.`;
    return { title: 'No changes to review', text: `${what} Press H to see what is ignored, or R to restore the file.` };
  }
  return { title: 'Nothing left to review', text: [fileOutcome(changes, kind), ...queueOutcome(state)].join(' ') };
}

function noDifference({ hidden, kind }: ReviewState): { readonly title: string; readonly text: string } {
  const what = kind === 'tape' ? 'The two tapes say the same.' : 'The two runs say the same.';
  if (hidden.length === 0) return { title: 'No differences', text: what };
  return {
    title: 'No differences',
    text: `${plural(hidden.length, 'difference')} ignored by rules. Press H to see them.`,
  };
}

function queueOutcome(state: ReviewState): readonly string[] {
  const { total } = state.queue;
  return isReviewOver(state) && total > 1 ? [`All ${total} files are reviewed.`] : [];
}

/** Whether no file of the workspace has a pending change. */
export function isReviewOver({ queue: { othersOpen }, changes }: ReviewState): boolean {
  return othersOpen === 0 && onlyPending(changes).length === 0;
}

function fileOutcome(changes: ReviewState['changes'], kind: ReviewState['kind']): string {
  const rejected = changes.filter(({ decision }) => decision === 'rejected').length;
  if (kind !== 'run') return changes.length === 0 ? 'The file is unchanged.' : 'All changes in this file are decided.';
  if (rejected === 0) return 'The last run matches its baseline.';
  const which = rejected === 1 ? 'the change you rejected' : `the ${rejected} changes you rejected`;
  return `The baseline does not include ${which}. Change the agent or the case, and run it again.`;
}

export function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
