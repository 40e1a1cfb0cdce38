import * as vscode from 'vscode';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import { revealRow } from '../base/revealRow';
import type { CaseTree } from './caseTree';
import type { TreeNode } from './caseTreeNodes';

/** Many events follow the change to another tab. */
const SETTLE_MS = 100;

type FollowingView = Pick<
  vscode.TreeView<TreeNode>,
  'visible' | 'selection' | 'reveal' | 'onDidChangeVisibility' | 'onDidChangeSelection'
>;
type FollowingTree = Pick<CaseTree, 'nodeOfFile' | 'onDidChangeTreeData'>;

/**
 * Selects the row of what the active editor shows. A row that is not listed yet is selected when it is, unless another one was chosen
 * meanwhile.
 */
export function followActiveTab(view: FollowingView, tree: FollowingTree): vscode.Disposable {
  const owned = new DisposableStore();
  let isAwaited = false;
  const soon = owned.add(
    new Debouncer<void>(SETTLE_MS, async () => {
      isAwaited = !(await revealActive(view, tree));
    }),
  );
  const follow = (): void => soon.add('', undefined);
  owned.add(vscode.window.tabGroups.onDidChangeTabs(follow));
  owned.add(vscode.window.tabGroups.onDidChangeTabGroups(follow));
  owned.add(view.onDidChangeVisibility(follow));
  owned.add(
    tree.onDidChangeTreeData(() => {
      if (isAwaited) follow();
    }),
  );
  owned.add(
    view.onDidChangeSelection(() => {
      isAwaited = false;
    }),
  );
  return owned;
}

/** @returns whether there is nothing left to select */
async function revealActive(view: FollowingView, tree: FollowingTree): Promise<boolean> {
  const follows = vscode.workspace.getConfiguration('explorer').get<boolean | string>('autoReveal', true);
  const uri = fileOf(vscode.window.tabGroups.activeTabGroup.activeTab?.input);
  if (!view.visible || follows === false || uri === undefined) return true;
  // What was opened from the tree is selected already, perhaps below another case.
  if (view.selection.some(({ resource }) => resource.with({ fragment: '' }).toString() === uri.toString())) return true;
  return revealRow(view, () => tree.nodeOfFile(uri));
}

function fileOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
