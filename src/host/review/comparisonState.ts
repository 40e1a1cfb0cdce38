import * as vscode from 'vscode';
import type { Comparison } from '../../protocol/comparisons';
import { fileName } from '../base/fileName';
import { shownTime } from '../base/shownTime';
import type { ComparedFile, ComparisonAddress } from '../stores/reviewAddress';
import type { ReviewContentState } from './reviewPage';

/** The state of a comparison, whose changes are only shown. */
export function comparisonState({ before, after }: ComparisonAddress, comparison: Comparison): ReviewContentState {
  const name = fileName(after.uri);
  const isOneName = fileName(before.uri) === name;
  const isOneFile = before.uri.toString() === after.uri.toString();
  const nameOf = (file: ComparedFile): string => sideName(file, isOneName && !isOneFile);
  return {
    ...comparison,
    against: 'chosen',
    caseName: name,
    stamp: '',
    ranAt: 0,
    mode: '',
    hasBaseline: true,
    changes: comparison.changes.map((change) => ({ ...change, decision: 'open' })),
    compared: {
      before: nameOf(before),
      after: nameOf(after),
      isCurrent: after.take === undefined && after.revision === undefined,
    },
  };
}

/** Such as `a.tape.json`, `a.tape.json in 3f2a1c9`, or `a.tape.json, replaced on 22 Nov 2026 at 14:03`. */
function sideName({ uri, revision, take }: ComparedFile, isWhole: boolean): string {
  const name = isWhole ? vscode.workspace.asRelativePath(uri) : fileName(uri);
  if (revision !== undefined) return `${name} in ${revision.slice(0, 7)}`;
  return take === undefined ? name : `${name}, replaced ${shownTime(timeOf(take))}`;
}

function timeOf(take: string): number {
  return Date.parse(take.replace(/\.json$/, '').replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
}
