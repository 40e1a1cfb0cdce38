import * as vscode from 'vscode';
import { sampleInPath, takeTime } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import type { Comparison } from '../../protocol/comparisons';
import { fileName } from '../base/fileName';
import { shownTime } from '../base/shownTime';
import type { ComparedFile, ComparisonAddress } from '../stores/reviewAddress';
import type { ReviewContentState } from './reviewPage';

/** The state of a comparison, whose changes are only shown. */
export function comparisonState({ before, after }: ComparisonAddress, comparison: Comparison): ReviewContentState {
  const name = shownName(after.uri);
  const isOneName = shownName(before.uri) === name;
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
  const name = isWhole ? vscode.workspace.asRelativePath(uri) : shownName(uri);
  if (revision !== undefined) return `${name} in ${revision.slice(0, 7)}`;
  return take === undefined ? name : t('{0}, replaced {1}', name, shownTime(takeTime(take)));
}

/** The name of the file or, of a trial, which sample it is: its files are all called the same. */
function shownName(uri: vscode.Uri): string {
  const found = sampleInPath(uri.path);
  return found === undefined ? fileName(uri) : t('{0} with {1}, sample {2}', found.caseName, found.model, found.sample);
}
