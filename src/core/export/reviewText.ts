import type { Change, ChangeSet } from '../model/change';
import { DECISION_COUNTS, DECISION_WORDS, type DecidedChange } from '../review/decisions';
import { endsEarly } from '../review/recordedSteps';
import { grouped } from '../text/counts';
import { escapeInvisible } from '../text/escapeInvisible';
import { t } from '../text/l10n';
import { PLAIN_STYLE } from '../text/textStyle';
import { changesText } from './changesText';

/** A review with all of its texts. */
interface WrittenReview extends ChangeSet {
  /** The name of the case or the file. */
  readonly name: string;
  /** Such as "Compared with the last commit". */
  readonly compared: string;
  /** Whether two recordings are only compared, so that nothing is decided on any change. */
  readonly isComparison?: boolean;
  readonly changes: readonly DecidedChange[];
}

/** A review in plain text: as `diff` prints its changes, with what was decided on each, and with nothing left out. */
export function reviewText({ name, compared, isComparison = false, ...set }: WrittenReview): string {
  const decided = isComparison ? [] : set.changes;
  const words = new Map(decided.map(({ id, decision }) => [id, t(DECISION_WORDS[decision])]));
  const counts = (['open', 'accepted', 'rejected'] as const).flatMap((each) => {
    const count = decided.filter(({ decision }) => decision === each).length;
    return count === 0 ? [] : [t(DECISION_COUNTS[each], grouped(count))];
  });
  const changes = changesText({ ...set, changes: set.changes.map(withSteps) }, PLAIN_STYLE, {
    all: true,
    note: ({ id }) => words.get(id) ?? '',
    maxLines: Number.POSITIVE_INFINITY,
  });
  const title = isComparison
    ? t('Comparison of {0}', escapeInvisible(name))
    : t('Review of {0}', escapeInvisible(name));
  return `${title}\n${[compared, ...counts].join(' · ')}\n\n${changes}`;
}

/** A recording that is new or gone as a whole as what the agent did, which the page shows; then the file, where that is cut short. */
function withSteps(change: Change): Change {
  const { recording = [], kind } = change;
  if (recording.length === 0) return change;
  const side = kind === 'removed' ? 'before' : 'after';
  const steps = recording.map(({ title, text }) => `${title}\n${text}`).join('\n\n');
  return { ...change, [side]: endsEarly(recording) ? `${steps}\n\n${t('All of it')}\n${change[side]}` : steps };
}
