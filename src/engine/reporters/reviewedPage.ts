import type { ReviewAgainst } from '../../contracts/engine/review';
import { type ClippedChange, clipChange, withoutTexts } from '../../core/export/clipChange';
import { PAGE_START } from '../../core/export/htmlPage';
import { type PageReview, REVIEW_PAGE_LIMITS } from '../../core/export/reviewHtml';
import type { Change } from '../../core/model/change';
import { withDecisions } from '../../core/review/decisions';
import type { Recorder } from '../recording/recorder';
import type { ListedReview } from '../review/subject';
import { kindText } from './checkReport';

/** How much of the texts of all changes is kept in memory for a page, in UTF-16 units: more than it has room for. */
const KEPT_TEXTS = 8_000_000;

/** Keeps of each change what a page may show, without secrets. A text is hidden before it is cut. */
export function keptForPage(recorder: Recorder): (change: Change) => ClippedChange {
  let kept = 0;
  return (change) => {
    if (kept > KEPT_TEXTS) return withoutTexts(recorder.value({ ...change, before: '', after: '' }));
    const clipped = clipChange(recorder.value(change), REVIEW_PAGE_LIMITS.text);
    const { before, after } = clipped.media ?? {};
    kept += clipped.before.length + clipped.after.length + (before?.base64 ?? '').length + (after?.base64 ?? '').length;
    return clipped;
  };
}

const SIDES: Readonly<Record<ReviewAgainst, string>> = {
  baseline: 'the baseline',
  commit: 'the last commit',
  take: 'the previous take',
};

/** A review as a page shows it. `earlier` is the side that all of them are compared with, where it is not their usual one. */
export function pageReview(review: ListedReview, earlier?: string): PageReview {
  const { path, kind, against, changes, hidden, notices, pending, decisions, measures = [] } = review;
  const side = kind === 'run' ? SIDES.baseline : (earlier ?? SIDES[against]);
  return {
    path,
    kind: kindText(review),
    against: side,
    changes: withDecisions(changes, pending, decisions),
    hidden,
    notices,
    measures,
  };
}

/** Whether a text is a page that was exported before, which a new one may replace. */
export function isExportedPage(beginning: string): boolean {
  return beginning.startsWith(`${PAGE_START}<meta name="generator" content="Tapedeck">`);
}
