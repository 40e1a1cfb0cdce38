import type { NamedChange, ReviewedChange } from '../../../src/contracts/engine/review';
import type { ReviewState } from '../../../src/contracts/pages/reviewPanel';
import type { Decision } from '../../../src/core/review/decisions';
import { counted, grouped } from '../../../src/core/text/counts';
import { joinedByCommas } from '../../../src/core/text/joinedByCommas';
import { currentTranslation, message, t } from '../../../src/core/text/l10n';
import { onlyPending } from './reviewView';

/** A run by its time: compared with the baseline, and where there is none. */
type RunWords = readonly [compared: string, alone: string];

const RUNS: Readonly<Record<string, RunWords>> = {
  replay: [message('Replay from {0}, compared with the baseline'), message('Replay from {0}, no baseline yet')],
  record: [
    message('Re-recording from {0}, compared with the baseline'),
    message('Re-recording from {0}, no baseline yet'),
  ],
  live: [message('Live run from {0}, compared with the baseline'), message('Live run from {0}, no baseline yet')],
  scripted: [
    message('Scripted run from {0}, compared with the baseline'),
    message('Scripted run from {0}, no baseline yet'),
  ],
};
const OTHER_RUN: RunWords = [
  message('Run from {0}, compared with the baseline'),
  message('Run from {0}, no baseline yet'),
];

/** "2 changes in refund_question"; the name alone where no change is pending, because the page has a text for that. */
export function headline({ caseName, hasBaseline, changes }: ReviewState): string {
  const pending = onlyPending(changes).length;
  if (pending > 0 && !hasBaseline) return t('First run of {0}', caseName);
  return pending === 0 ? caseName : counted(pending, '{0} change in {1}', '{0} changes in {1}', caseName);
}

/** "Replay from 22:14, compared with the baseline · 1 rejected". `now` is in milliseconds; times are local. */
export function summary(state: ReviewState, now: number, locale?: string): string {
  const decided = (['accepted', 'rejected'] as const).flatMap((verdict) => {
    const number = state.changes.filter(({ decision }) => decision === verdict).length;
    return number === 0 ? [] : [t(DECIDED[verdict], grouped(number))];
  });
  return [comparisonOf(state, now, locale), ...decided].join(' · ');
}

const DECIDED = { accepted: message('{0} accepted'), rejected: message('{0} rejected') } as const;

function comparisonOf(state: ReviewState, now: number, locale?: string): string {
  if (state.compared !== undefined) return t('{0}, compared with {1}', state.compared.after, state.compared.before);
  if (state.casePath !== undefined)
    return state.against === 'take'
      ? t('Tape and result, compared with the previous take and the baseline')
      : t('Tape and result, compared with the last commit and the baseline');
  if (state.against === 'take') return t('Compared with the previous take');
  if (state.against === 'commit') return t('Compared with the last commit');
  const [compared, alone] = RUNS[state.mode] ?? OTHER_RUN;
  return t(state.hasBaseline ? compared : alone, timeOf(state.ranAt, now, locale));
}

/** The names of the two sides, and the labels of something that is only on one of them. */
export function sideNames({ against, compared }: Pick<ReviewState, 'against' | 'compared'>): SideNames {
  if (compared === undefined) return sidesOf(against);
  const { before, after } = compared;
  return { before, after, onlyBefore: t('Only in {0}', before), onlyAfter: t('Only in {0}', after) };
}

export interface SideNames {
  readonly before: string;
  readonly after: string;
  readonly onlyBefore: string;
  readonly onlyAfter: string;
}

/** Messages. */
const SIDES: Readonly<Record<ReviewState['against'], SideNames>> = {
  baseline: {
    before: message('Baseline'),
    after: message('This run'),
    onlyBefore: message('Only in the baseline'),
    onlyAfter: message('Only in this run'),
  },
  commit: {
    before: message('Last commit'),
    after: message('Current'),
    onlyBefore: message('Only in the last commit'),
    onlyAfter: message('Only in the current file'),
  },
  take: {
    before: message('Previous take'),
    after: message('Current'),
    onlyBefore: message('Only in the previous take'),
    onlyAfter: message('Only in the current take'),
  },
  chosen: {
    before: message('Before'),
    after: message('After'),
    onlyBefore: message('Only in the earlier one'),
    onlyAfter: message('Only in the later one'),
  },
};

function sidesOf(against: ReviewState['against']): SideNames {
  const { before, after, onlyBefore, onlyAfter } = SIDES[against];
  return { before: t(before), after: t(after), onlyBefore: t(onlyBefore), onlyAfter: t(onlyAfter) };
}

/** The time of day, with the date unless that is today. */
function timeOf(at: number, now: number, locale?: string): string {
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  const { language } = currentTranslation();
  return new Date(at).toLocaleString(
    // English has several ways to write a time: the machine's is used.
    locale ?? (language === 'en' ? undefined : language),
    sameDay ? time : { ...time, day: 'numeric', month: 'short', year: 'numeric' },
  );
}

/** A decision, and where the review goes from there. */
interface Outcome {
  readonly verdict: Decision;
  readonly titles: readonly string[];
  /** The changes that were decided as well, because they belong to these. */
  readonly belonging: readonly NamedChange[];
  readonly left: readonly ReviewedChange[];
  readonly selected: string | undefined;
  /** The review that is shown instead, because nothing was left in the one before. */
  readonly elsewhere?: ReviewState | undefined;
}

/** The announcement after a decision. */
export function describeOutcome({ verdict, titles, belonging, left, selected, elsewhere }: Outcome): string {
  const all = [...titles, ...belonging.map(({ title }) => title)];
  const what = all.length > 3 ? counted(all.length, '{0} change', '{0} changes') : joinedByCommas(all);
  const done = verdict === 'accepted' ? t('Accepted: {0}.', what) : t('Rejected: {0}.', what);
  const why = belonging.length > 0 ? t('They belong together: the file cannot be written with only some of them.') : '';
  return [done, why, nextStep(left, selected, elsewhere)].filter((sentence) => sentence !== '').join(' ');
}

function nextStep(left: Outcome['left'], selected: string | undefined, elsewhere: ReviewState | undefined): string {
  if (elsewhere !== undefined) return t('Next: {0}.', elsewhere.caseName);
  if (left.length === 0) return t('Nothing left to review.');
  const next = left.find(({ id }) => id === selected);
  return next === undefined
    ? counted(left.length, '{0} change left.', '{0} changes left.')
    : counted(left.length, '{0} change left, next: {1}.', '{0} changes left, next: {1}.', next.title);
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
    const text = counted(
      hidden.length,
      '{0} difference ignored by rules. Press H to see what is ignored, or R to restore the file.',
      '{0} differences ignored by rules. Press H to see what is ignored, or R to restore the file.',
    );
    return { title: t('No changes to review'), text };
  }
  return { title: t('Nothing left to review'), text: [fileOutcome(changes, kind), ...queueOutcome(state)].join(' ') };
}

function noDifference({ hidden, kind }: ReviewState): { readonly title: string; readonly text: string } {
  const title = t('No differences');
  const what = kind === 'tape' ? t('The two tapes say the same.') : t('The two runs say the same.');
  if (hidden.length === 0) return { title, text: what };
  const text = counted(
    hidden.length,
    '{0} difference ignored by rules. Press H to see them.',
    '{0} differences ignored by rules. Press H to see them.',
  );
  return { title, text };
}

function queueOutcome(state: ReviewState): readonly string[] {
  const { total } = state.queue;
  return isReviewOver(state) && total > 1 ? [t('All {0} files are reviewed.', grouped(total))] : [];
}

/** Whether no file of the workspace has a pending change. */
export function isReviewOver({ queue: { othersOpen }, changes }: ReviewState): boolean {
  return othersOpen === 0 && onlyPending(changes).length === 0;
}

function fileOutcome(changes: ReviewState['changes'], kind: ReviewState['kind']): string {
  const rejected = changes.filter(({ decision }) => decision === 'rejected').length;
  if (kind !== 'run')
    return changes.length === 0 ? t('The file is unchanged.') : t('All changes in this file are decided.');
  if (rejected === 0) return t('The last run matches its baseline.');
  return counted(
    rejected,
    'The baseline does not include the change you rejected. Change the agent or the case, and run it again.',
    'The baseline does not include the {0} changes you rejected. Change the agent or the case, and run it again.',
  );
}
