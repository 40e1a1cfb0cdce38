import type { Uri, Webview } from 'vscode';
import { deferTexts } from '../../core/review/deferTexts';
import type { FileReviewState } from '../../protocol/review';
import type { ReviewState } from '../../protocol/reviewPanel';
import { fileName } from '../base/fileName';
import { webviewHtml } from '../base/webview';
import type { Review } from '../stores/reviewStore';

/** What a review says by itself; its place among the others is not its own. */
export type ReviewContentState = Omit<ReviewState, 'queue' | 'canDecide' | 'caseUri'>;

/** What the review of a case's last run shows. */
export function runReviewState(caseUri: Uri, review: Review | undefined): ReviewContentState {
  const { artifact, baseline, changes = [], hidden = [], measures = [], stamp = '', problem } = review ?? {};
  const caseName = artifact?.case_name ?? fileName(caseUri);
  const notice =
    review === undefined ? `${caseName} has not run yet. Replay it, and what changed shows up here.` : problem;
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
    ...(notice !== undefined && { notice }),
  };
}

/** What the review of a file shows; null where it is as in the last commit. */
export function fileReviewState(path: string, content: FileReviewState | null): ReviewContentState {
  const file = { caseName: path.slice(path.lastIndexOf('/') + 1), ranAt: 0, mode: '', hasBaseline: true };
  if (content !== null) return { ...file, ...content };
  const nothing = { against: 'commit', stamp: '', changes: [], hidden: [], notices: [], measures: [] } as const;
  return { ...file, ...nothing, kind: path.endsWith('.baseline.json') ? 'baseline' : 'tape' };
}

/** The page of a review. Besides what every page may do, it runs Monaco. */
export function reviewHtml(webview: Pick<Webview, 'asWebviewUri' | 'cspSource'>, extensionUri: Uri): string {
  return webviewHtml({
    webview,
    extensionUri,
    name: 'review',
    title: 'Review',
    extraCsp: {
      // Monaco writes the styles of its themes and decorations into <style> elements while it runs.
      'style-src': ["'unsafe-inline'"],
      // Its worker is fetched from the extension and started from a blob: a webview may not start one from elsewhere.
      'worker-src': ['blob:'],
      'connect-src': [webview.cspSource],
    },
  });
}
