import * as vscode from 'vscode';
import { diagnosticOf } from '../base/diagnostics';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';

/** The problems of the cases, in the Problems view and under the text, as one types. */
export function registerCaseDiagnostics(cases: CaseStore): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.cases');
  const subscription = cases.onDidChange((uris) => {
    for (const uri of uris) collection.set(uri, diagnosticsOf(cases.get(uri)));
  });
  return vscode.Disposable.from(collection, subscription);
}

function diagnosticsOf(entry: CaseEntry | undefined): vscode.Diagnostic[] {
  return entry?.problems.map((problem) => diagnosticOf(problem, entry.range(problem.span))) ?? [];
}
