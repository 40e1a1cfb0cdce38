import type { Change, ChangeSet } from '../model/change';
import { t } from '../text/l10n';
import { clipSide, type DeferrableChange, deferTexts } from './deferTexts';

/** The most ignored differences that are sent to a page. */
const MAX_HIDDEN = 500;

interface SentChanges {
  readonly changes: readonly DeferrableChange[];
  readonly hidden: readonly Change[];
  readonly notices: readonly string[];
}

/** The part of a comparison that is sent to a page. The page asks for long texts one by one. */
export function sentToPage({ changes, hidden, notices }: ChangeSet): SentChanges {
  const more = t(
    'Only {1} of {0} ignored differences are listed here; `tapedeck diff --all` lists them all.',
    hidden.length,
    MAX_HIDDEN,
  );
  return {
    changes: deferTexts(changes).map(withCountedRepeats),
    hidden: hidden.slice(0, MAX_HIDDEN).map((change) => ({
      ...change,
      before: clipSide(change.before),
      after: clipSide(change.after),
    })),
    notices: hidden.length > MAX_HIDDEN ? [...notices, more] : notices,
  };
}

/** A page shows how often a change repeats, not where; the places would be most of what is sent. */
function withCountedRepeats(change: DeferrableChange): DeferrableChange {
  return { ...change, repeats: change.repeats.map(() => ({ path: [] })) };
}
