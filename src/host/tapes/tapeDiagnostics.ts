import * as vscode from 'vscode';
import { applySplices } from '../../core/text/splice';
import { DIAGNOSTIC_SOURCE, diagnosticOf } from '../base/diagnostics';
import { tapeReading } from '../base/tapeReading';
import type { TapeStore } from '../stores/tapeStore';

/** The problems of the tapes in the Problems view, with the repairs that their formats know. */
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
  const repairs = vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new TapeRepairs(tapes), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
  return vscode.Disposable.from(collection, subscription, repairs);
}

class TapeRepairs implements vscode.CodeActionProvider {
  constructor(private readonly tapes: TapeStore) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const ours = diagnostics.filter(({ source }) => source === DIAGNOSTIC_SOURCE);
    if (ours.length === 0 || this.tapes.get(document.uri) === undefined) return [];
    const { detectFormat, textFile } = await tapeReading();
    const file = textFile(document.getText(), document.uri.path);
    const format = detectFormat(file);
    const splices = format?.finalise?.(file) ?? [];
    const migrated = format?.migrate?.(file);
    return [
      ...(splices.length > 0
        ? [repair('Recompute the hashes, ids and counts', document, applySplices(file.text, splices), ours)]
        : []),
      ...(migrated !== undefined ? [repair(`Migrate to the newest ${format?.label}`, document, migrated, ours)] : []),
    ];
  }
}

function repair(
  title: string,
  document: vscode.TextDocument,
  text: string,
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = diagnostics;
  action.edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  action.edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  return action;
}
