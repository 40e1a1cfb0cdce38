import * as vscode from 'vscode';
import { diagnosticOf } from '../base/diagnostics';
import type { TapeStore } from '../stores/tapeStore';
import { TapeRepairs } from './tapeRepairs';
import { TapeSecrets } from './tapeSecrets';

/** The problems of the tapes and the secrets in them, in the Problems view, with the repairs that there are. */
export function registerTapeDiagnostics(tapes: TapeStore): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.tapes');
  const subscription = tapes.onDidChange(({ uris }) => {
    for (const uri of uris) {
      const problems = tapes.get(uri)?.problems ?? [];
      collection.set(
        uri,
        problems.map((problem) => diagnosticOf(problem, problem.range)),
      );
    }
  });
  const repairs = vscode.languages.registerCodeActionsProvider({ scheme: '*' }, new TapeRepairs(tapes), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
  return vscode.Disposable.from(collection, subscription, repairs, new TapeSecrets(tapes));
}
