import * as vscode from 'vscode';
import type { Severity } from '../../core/text/source';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';

const SEVERITY: Record<Severity, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** The problems of the cases, in the Problems view and under the text, as one types. */
export function registerCaseDiagnostics(cases: CaseStore): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck');
  const subscription = cases.onDidChange((uris) => {
    for (const uri of uris) collection.set(uri, diagnosticsOf(cases.get(uri)));
  });
  return vscode.Disposable.from(collection, subscription);
}

function diagnosticsOf(entry: CaseEntry | undefined): vscode.Diagnostic[] {
  return (entry?.problems ?? []).map(({ message, fix, severity, span }) => {
    const text = fix === undefined ? message : `${message}\n${fix}`;
    const diagnostic = new vscode.Diagnostic(
      entry?.range(span) ?? new vscode.Range(0, 0, 0, 0),
      text,
      SEVERITY[severity],
    );
    diagnostic.source = 'Tapedeck';
    return diagnostic;
  });
}
