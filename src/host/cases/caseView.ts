import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import type { ResourceNode } from '../base/commandArguments';
import { ContextKey } from '../base/contextKey';
import { DisposableStore } from '../base/disposable';
import type { CaseTree } from './caseTree';
import type { TreeNode } from './caseTreeNodes';
import { followActiveTab } from './followActiveTab';

/** The rows that are recordings, of which two can be compared. */
const RECORDINGS: ReadonlySet<TreeNode['type']> = new Set(['tape', 'take', 'run']);

interface CaseView extends vscode.Disposable {
  /** The selected rows. */
  selected(): readonly ResourceNode[];
}

/** Shows the tree in the sidebar. It names its filter, and selects what the active editor shows, as the explorer does. */
export function registerCaseView(tree: CaseTree): CaseView {
  const owned = new DisposableStore();
  const options = { treeDataProvider: tree, showCollapseAll: true, canSelectMany: true };
  const view = owned.add(vscode.window.createTreeView('tapedeck.cases', options));
  owned.add(
    tree.onDidChangeTreeData(() => {
      const message = messageOf(tree);
      if (message !== (view.message ?? '')) view.message = message;
    }),
  );
  const isTakeSelected = new ContextKey<boolean>('tapedeck.takeSelected');
  const isPairSelected = new ContextKey<boolean>('tapedeck.pairSelected');
  owned.add(
    view.onDidChangeSelection(({ selection }) => {
      isTakeSelected.set(selection.some(({ type }) => type === 'take'));
      isPairSelected.set(selection.length === 2 && selection.every(({ type }) => RECORDINGS.has(type)));
    }),
  );
  owned.add(followActiveTab(view, tree));
  return { selected: () => view.selection, dispose: () => owned.dispose() };
}

/** What the filter is, and how much it leaves; the button that clears it is above. And what is not listed in a large workspace. */
function messageOf(tree: CaseTree): string {
  const { cases, tapes, unread } = tree.cut;
  const lines = [
    ...(tree.filter === '' ? [] : [filterMessage(tree)]),
    ...(tapes.length === 0
      ? []
      : [t('Not all tapes of {0} are listed. To list fewer, change the setting tapedeck.tapes.', names(tapes))]),
    ...(unread === 0
      ? []
      : [
          t(
            '{0} files are not read, nor their problems listed, until they are shown or the list is refreshed.',
            unread.toLocaleString('en'),
          ),
        ]),
    ...(cases.length === 0
      ? []
      : [
          t(
            'Not all files of {0} are searched for cases. To leave folders out, use the setting files.exclude.',
            names(cases),
          ),
        ]),
  ];
  return lines.join(' ');
}

function filterMessage({ filter, count: { shown, all } }: CaseTree): string {
  return t('Filter “{0}”: {1} of {2}', filter, shown.toLocaleString('en'), all.toLocaleString('en'));
}

function names(folders: readonly string[]): string {
  return folders.map((name) => `“${name}”`).join(', ');
}
