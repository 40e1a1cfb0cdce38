import * as vscode from 'vscode';
import { fileOf } from '../base/caseUri';
import { diagnosticOf } from '../base/diagnostics';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';

/** The problems of the cases, in the Problems view and under the text, as one types. */
export function registerCaseDiagnostics(cases: CaseStore): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.cases');
  const subscription = cases.onDidChange((uris) => {
    const files = new Map(uris.map((uri) => [fileOf(uri).toString(), fileOf(uri)]));
    for (const file of files.values()) collection.set(file, cases.inFile(file).flatMap(diagnosticsOf));
  });
  return vscode.Disposable.from(collection, subscription);
}

function diagnosticsOf({ problems, range }: CaseEntry): vscode.Diagnostic[] {
  return problems.map((problem) => diagnosticOf(problem, range(problem.span)));
}
