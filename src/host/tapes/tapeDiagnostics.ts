import * as vscode from 'vscode';
import type { Placed } from '../../core/project/listTape';
import type { Problem } from '../../core/text/source';
import { DIAGNOSTIC_SOURCE, toDiagnostic } from '../base/diagnostics';
import type { ProjectSecrets } from '../stores/tapes/projectSecrets';
import type { TapeEntry, TapeStore } from '../stores/tapes/tapeStore';

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
  const provider: vscode.CodeActionProvider = {
    async provideCodeActions(document, _range, { diagnostics }) {
      const ours = diagnostics.filter(({ source }) => source === DIAGNOSTIC_SOURCE);
      if (ours.length === 0 || tapes.get(document.uri) === undefined) return [];
      const { tapeQuickFixes } = await import('./tapeQuickFixes');
      return tapeQuickFixes(document, ours, secrets);
    },
  };
  const providedCodeActionKinds = [vscode.CodeActionKind.QuickFix];
  const quickFixes = vscode.languages.registerCodeActionsProvider({ scheme: '*' }, provider, {
    providedCodeActionKinds,
  });
  return vscode.Disposable.from(collection, subscription, quickFixes);
}

function diagnosticsOf(tape: TapeEntry | undefined): vscode.Diagnostic[] {
  const { problems = [], secrets = [] } = tape ?? {};
  return [
    ...problems.map((problem) => {
      const diagnostic = toDiagnostic(problem, placeOf(problem));
      if (problem.code !== undefined) diagnostic.code = problem.code;
      return diagnostic;
    }),
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
