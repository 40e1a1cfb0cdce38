import type { Uri } from 'vscode';
import { deferTexts } from '../../core/review/deferTexts';
import type { FileReviewContent } from '../../protocol/reviewQueue';
import type { Review } from '../stores/reviewStore';
import type { OwnState } from './reviewSource';

/** What the review of a case's last run shows. */
export function runState(caseUri: Uri, review: Review | undefined): OwnState {
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
export function fileState(path: string, content: FileReviewContent | null): OwnState {
  const file = { caseName: path.slice(path.lastIndexOf('/') + 1), ranAt: 0, mode: '', hasBaseline: true };
  if (content !== null) return { ...file, ...content };
  const nothing = { against: 'commit', stamp: '', changes: [], hidden: [], notices: [], measures: [] } as const;
  return { ...file, ...nothing, kind: path.endsWith('.baseline.json') ? 'baseline' : 'tape' };
}

export function fileName({ path }: { readonly path: string }): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
