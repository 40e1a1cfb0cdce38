import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import { type AgentCases, type CaseRuns, registerCaseCommands } from './caseCommands';
import { CaseTree } from './caseTree';
import type { CaseTreeStores } from './caseTreeItems';
import { registerCaseDiagnostics, registerCaseLanguage } from './language/caseLanguage';
import { registerConfigDiagnostics } from './language/configDiagnostics';
import { registerSharedTapeDiagnostics } from './sharedTapeDiagnostics';

export interface CaseFeature extends vscode.Disposable {
  /** The view of cases and tapes in the sidebar. */
  readonly view: Pick<vscode.TreeView<unknown>, 'badge'>;
}

/** Registers the view of cases, their language support and their commands. `review` opens the review of a case. */
export function registerCases(parts: {
  readonly stores: CaseTreeStores;
  readonly runs: CaseRuns;
  readonly agents: AgentCases;
  readonly review: (uri: vscode.Uri) => void;
  readonly log: Log;
}): CaseFeature {
  const { stores, runs, agents, review, log } = parts;
  const owned = new DisposableStore();
  const tree = owned.add(new CaseTree(stores));
  const options = { treeDataProvider: tree, showCollapseAll: true };
  const view = owned.add(vscode.window.createTreeView('tapedeck.cases', options));
  owned.add(registerCaseDiagnostics(stores.cases));
  owned.add(registerConfigDiagnostics(stores.cases));
  owned.add(registerSharedTapeDiagnostics(stores.cases));
  owned.add(registerCaseLanguage(stores.cases, stores.tapes));
  owned.add(registerCaseCommands(stores, tree, runs, agents, review, log));
  return { view, dispose: () => owned.dispose() };
}
