import * as vscode from 'vscode';
import type { Placed } from '../../core/project/listTape';
import type { Problem } from '../../core/text/source';
import { toDiagnostic } from '../base/diagnostics';
import type { ProjectSecrets } from '../stores/projectSecrets';
import type { TapeEntry, TapeStore } from '../stores/tapeStore';
import { TapeQuickFixes } from './tapeQuickFixes';

/** Shows the problems and secrets of the tapes in the Problems view, with their quick fixes. */
export function registerTapeDiagnostics(tapes: TapeStore, secrets: ProjectSecrets): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.tapes');
  const subscription = tapes.onDidChange(({ uris }) => {
    for (const uri of uris) {
      const found = diagnosticsOf(tapes.get(uri));
      // There may be thousands of tapes, so only changes are reported.
      if (found.length > 0 || collection.has(uri)) collection.set(uri, found.length > 0 ? found : undefined);
    }
  });
  const quickFixes = vscode.languages.registerCodeActionsProvider({ scheme: '*' }, new TapeQuickFixes(tapes, secrets), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
  return vscode.Disposable.from(collection, subscription, quickFixes);
}

function diagnosticsOf(tape: TapeEntry | undefined): vscode.Diagnostic[] {
  const { problems = [], secrets = [] } = tape ?? {};
  return [
    ...problems.map((problem) => toDiagnostic(problem, placeOf(problem))),
    ...secrets.map((finding) => {
      const diagnostic = toDiagnostic(finding, placeOf(finding));
      diagnostic.code = finding.rule;
      return diagnostic;
    }),
  ];
}

function placeOf({ from, to }: Placed<Problem>): vscode.Range {
  return new vscode.Range(from.line - 1, from.column - 1, to.line - 1, to.column - 1);
}
