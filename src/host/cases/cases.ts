import type * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import { type AgentCases, type CaseRuns, registerCaseCommands } from './caseCommands';
import { CaseTree } from './caseTree';
import type { CaseTreeStores } from './caseTreeItems';
import { registerCaseView } from './caseView';
import { registerCaseDiagnostics, registerCaseLanguage } from './language/caseLanguage';
import { registerConfigDiagnostics } from './language/configDiagnostics';
import { registerSharedTapeDiagnostics } from './sharedTapeDiagnostics';

/** Registers the view of cases, their language support and their commands. `review` opens the review of a case. */
export function registerCases(parts: {
  readonly stores: CaseTreeStores;
  readonly runs: CaseRuns;
  readonly agents: AgentCases;
  readonly review: (uri: vscode.Uri) => void;
  readonly log: Log;
}): vscode.Disposable {
  const { stores, runs, agents, review, log } = parts;
  const owned = new DisposableStore();
  const tree = owned.add(new CaseTree(stores));
  owned.add(registerCaseView(tree));
  owned.add(registerCaseDiagnostics(stores.cases));
  owned.add(registerConfigDiagnostics(stores.cases));
  owned.add(registerSharedTapeDiagnostics(stores.cases));
  owned.add(registerCaseLanguage(stores.cases, stores.tapes));
  owned.add(registerCaseCommands(stores, tree, runs, agents, review, log));
  return owned;
}
