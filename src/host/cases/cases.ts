import type * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
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
  // Loaded when used: both ask several questions, which takes a lot of code.
  const newCase = () => import('./newCase/newCase');
  owned.add(registerCommand('tapedeck.newCase', log, async (argument) => (await newCase()).newCase(argument, stores)));
  owned.add(
    registerCommand('tapedeck.newCaseForTape', log, async (argument) =>
      (await newCase()).newCaseForTape(argument, stores),
    ),
  );
  owned.add(registerCaseCommands(stores, tree, runs, agents, review, log));
  return owned;
}
