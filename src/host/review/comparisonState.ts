import * as vscode from 'vscode';
import type { Comparison } from '../../contracts/engine/comparisons';
import { sampleInPath, takeTime } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { fileName } from '../base/fileName';
import { shownTime } from '../base/shownTime';
import type { ComparedFile, ComparisonAddress } from '../stores/reviews/reviewAddress';
import { gitRefOf } from './gitVersion';
import type { ReviewContentState } from './reviewPage';

/** The state of a comparison, whose changes are only shown. */
export function comparisonState({ before, after }: ComparisonAddress, comparison: Comparison): ReviewContentState {
  const name = shownName(after.uri);
  const isOneFile = before.uri.path === after.uri.path;
  const isWhole = shownName(before.uri) === name && !isOneFile;
  const earlier = sideName(before, isWhole);
  const later = sideName(after, isWhole);
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
      before: earlier === later ? t('{0}, earlier version', earlier) : earlier,
      after: later,
      isCurrent: isCurrent(after),
    },
  };
}

/** Whether it is the current file, so that its transcript can be opened. */
function isCurrent({ uri, revision, take }: ComparedFile): boolean {
  if (take !== undefined || revision !== undefined) return false;
  return uri.scheme === 'file' || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** Such as `a.tape.json`, `a.tape.json in 3f2a1c9`, or `a.tape.json, replaced on 22 Nov 2026 at 14:03`. */
function sideName({ uri, revision = gitRefOf(uri), take }: ComparedFile, isWhole: boolean): string {
  const name = isWhole ? vscode.workspace.asRelativePath(uri) : shownName(uri);
  if (revision === '' || revision === '~') return t('{0} in the index', name);
  if (revision !== undefined) return t('{0} in {1}', name, shownRevision(revision));
  return take === undefined ? name : t('{0}, replaced {1}', name, shownTime(takeTime(take)));
}

/** A commit's first characters, or a name of one such as `HEAD`. */
function shownRevision(revision: string): string {
  return revision.replace(/^([0-9a-f]{7})[0-9a-f]{33,}/, '$1');
}

/** The name of the file or, in a trial, of the sample, because the files of samples have the same name. */
function shownName(uri: vscode.Uri): string {
  const found = sampleInPath(uri.path);
  return found === undefined ? fileName(uri) : t('{0} with {1}, sample {2}', found.caseName, found.model, found.sample);
}
