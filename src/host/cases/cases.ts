import * as vscode from 'vscode';
import type { ResourceNode } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import type { CaseStore } from '../stores/cases/caseStore';
import { type AgentCases, type CaseRuns, registerCaseCommands } from './caseCommands';
import { registerCaseDecorations } from './caseDecorations';
import { registerCaseDiagnostics } from './caseDiagnostics';
import { registerCaseStatus } from './caseStatus';
import { CaseTree } from './caseTree';
import type { CaseTreeStores } from './caseTreeItems';
import { registerCaseView } from './caseView';
import type { CaseMaking } from './newCase/caseOfRun';

interface CaseFeature extends vscode.Disposable {
  /** The rows that are selected in the tree. */
  selected(): readonly ResourceNode[];
}

/** Registers the view of cases, their language support and their commands. `review` opens the review of a case. */
export function registerCases(parts: {
  readonly stores: CaseTreeStores;
  readonly runs: CaseRuns;
  readonly agents: AgentCases;
  readonly review: (uri: vscode.Uri) => void;
  /** Makes cases from runs; absent if there is no engine. */
  readonly making?: CaseMaking;
  readonly log: Log;
}): CaseFeature {
  const { stores, runs, agents, review, making, log } = parts;
  const owned = new DisposableStore();
  const tree = owned.add(new CaseTree(stores));
  const view = owned.add(registerCaseView(tree));
  owned.add(registerCaseDecorations(stores.states));
  owned.add(registerCaseDiagnostics(stores.cases));
  owned.add(registerWithFirstCase(stores.cases));
  const renamed = new Set<string>();
  owned.add(registerWithFirstToml(stores, renamed));
  owned.add(
    vscode.workspace.onWillRenameFiles((event) => {
      const isComplete = event.files.some(({ oldUri }) => renamed.delete(oldUri.toString()));
      if (isComplete) return;
      event.waitUntil(
        import('./language/fileMoves').then(({ editsForMoves }) => editsForMoves(stores.cases, event.files)),
      );
    }),
  );
  // Loaded when used: both ask several questions, which takes a lot of code.
  const newCase = () => import('./newCase/newCase');
  owned.add(registerCommand('tapedeck.newCase', log, async (argument) => (await newCase()).newCase(argument, stores)));
  owned.add(
    registerCommand('tapedeck.newCaseForTape', log, async (argument) =>
      (await newCase()).newCaseForTape(argument, stores),
    ),
  );
  if (making !== undefined)
    owned.add(
      registerCommand('tapedeck.makeCaseOfRun', log, async (argument) =>
        (await import('./newCase/caseOfRun')).makeCaseOfRun(argument, stores.cases, making),
      ),
    );
  owned.add(registerCaseStatus(stores.cases, stores.states));
  owned.add(registerCaseCommands(stores, tree, runs, agents, review, log));
  return { selected: () => view.selected(), dispose: () => owned.dispose() };
}

/** What compares cases with each other is loaded with the first that is listed. */
function registerWithFirstCase(cases: CaseStore): vscode.Disposable {
  const owned = new DisposableStore();
  const first = cases.onDidChange(async () => {
    first.dispose();
    const { registerSharedTapeDiagnostics } = await import('./sharedTapeDiagnostics');
    owned.add(registerSharedTapeDiagnostics(cases));
  });
  owned.add(first);
  return owned;
}

/** Registers what helps to write cases and `tapedeck.toml`, which is loaded with the first TOML file that is open or listed. */
function registerWithFirstToml(
  { cases, tapes }: Pick<CaseTreeStores, 'cases' | 'tapes'>,
  renamed: Set<string>,
): vscode.Disposable {
  const owned = new DisposableStore();
  let isLoaded = false;
  const load = async (uris: readonly vscode.Uri[]): Promise<void> => {
    if (isLoaded || !uris.some(({ path }) => path.endsWith('.toml'))) return;
    isLoaded = true;
    const { registerCaseLanguage } = await import('./language/caseLanguage');
    owned.add(registerCaseLanguage(cases, tapes, renamed));
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => load([uri])));
  owned.add(cases.onDidChange(load));
  void load(vscode.workspace.textDocuments.map(({ uri }) => uri));
  return owned;
}
