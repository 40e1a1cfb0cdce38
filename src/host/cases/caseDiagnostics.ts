import * as vscode from 'vscode';
import { caseFileOf } from '../base/caseUri';
import { toDiagnostic } from '../base/diagnostics';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStore } from '../stores/cases/caseStore';

/** Shows the problems of the cases in the Problems view and in the text. */
export function registerCaseDiagnostics(cases: CaseStore): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.cases');
  const subscription = cases.onDidChange((uris) => {
    const files = new Map(uris.map((uri) => [caseFileOf(uri).toString(), caseFileOf(uri)]));
    for (const file of files.values()) {
      const found = cases.inFile(file).flatMap(caseDiagnostics);
      // There may be thousands of cases, so only changes are reported.
      if (found.length > 0 || collection.has(file)) collection.set(file, found.length > 0 ? found : undefined);
    }
  });
  return vscode.Disposable.from(collection, subscription);
}

function caseDiagnostics({ problems, range }: CaseEntry): vscode.Diagnostic[] {
  return problems.map((problem) => toDiagnostic(problem, range(problem.span)));
}
