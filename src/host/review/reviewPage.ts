import type { Uri, Webview } from 'vscode';
import type { ReviewDetails, ReviewSubject } from '../../contracts/engine/review';
import type { ReviewState } from '../../contracts/pages/reviewPanel';
import { deferTexts } from '../../core/review/deferTexts';
import { t } from '../../core/text/l10n';
import { fileName } from '../base/fileName';
import { webviewHtml } from '../base/webview';
import type { Review } from '../stores/reviews/reviewStore';

/** What is the same for all reviews, or about their order. */
export type ReviewSituation = Pick<ReviewState, 'queue' | 'canUndo' | 'stageable' | 'same'>;

/** The state of a review without its place among the others. */
export type ReviewContentState = Omit<ReviewState, keyof ReviewSituation | 'canDecide' | 'caseUri'>;

/** The state of the review of a case's last run. */
export function runReviewState(caseUri: Uri, review: Review | undefined): ReviewContentState {
  const { artifact, baseline, changes = [], hidden = [], measures = [], stamp = '', problem } = review ?? {};
  const caseName = artifact?.case_name ?? fileName(caseUri);
  const notice =
    review === undefined ? t('{0} has not run yet. Replay it to see its changes here.', caseName) : problem;
  return {
    kind: 'run',
    against: 'baseline',
    caseName,
    stamp,
    ranAt: artifact?.started_at_ms ?? 0,
    mode: artifact?.tapedeck?.mode ?? 'run',
    hasBaseline: baseline !== undefined,
    changes: deferTexts(changes),
    hidden,
    notices: [],
    measures,
    notice,
  };
}

/** The state of the review of a file; `content` is null if the file is as in the last commit. */
export function fileReviewState({ kind, path }: ReviewSubject, content: ReviewDetails | null): ReviewContentState {
  // A tape that is decided with the result of its case is called as the case.
  const named = content?.casePath?.replace(/\.toml$/, '') ?? path;
  const file = { caseName: named.slice(named.lastIndexOf('/') + 1), ranAt: 0, mode: '', hasBaseline: true };
  if (content !== null) return { ...file, ...content };
  const nothing = { against: 'commit', stamp: '', changes: [], hidden: [], notices: [], measures: [] } as const;
  return { ...file, ...nothing, kind };
}

/** The page of a review. Besides what every page may do, it runs Monaco. */
export function reviewHtml(webview: Pick<Webview, 'asWebviewUri' | 'cspSource'>, extensionUri: Uri): string {
  return webviewHtml({
    webview,
    extensionUri,
    name: 'review',
    title: t('Review'),
    extraCsp: {
      // Monaco writes the styles of its themes and decorations into <style> elements while it runs.
      'style-src': ["'unsafe-inline'"],
      // Its worker is fetched from the extension and started from a blob: a webview may not start one from elsewhere.
      'worker-src': ['blob:'],
      'connect-src': [webview.cspSource],
    },
  });
}
