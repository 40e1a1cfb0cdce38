import * as vscode from 'vscode';
import { fileOf } from '../base/caseUri';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';

/**
 * Calls `replay` when a watched case, or a tape of one, is saved or changes on disk, until it is disposed. Nothing is
 * waited for after a save in the editor: the result is to be there while one still looks at the text.
 */
export function watchReplays(
  cases: CaseStore,
  watched: () => readonly CaseEntry[],
  replay: (entries: readonly CaseEntry[]) => void,
): vscode.Disposable {
  const affected = (changed: vscode.Uri): readonly CaseEntry[] => {
    const key = changed.toString();
    return watched().filter(({ file, listed }) => {
      if (file.toString() === key) return true;
      return (listed?.tapes ?? []).some((tape) => vscode.Uri.joinPath(file, '..', tape).toString() === key);
    });
  };
  const react = async (uri: vscode.Uri): Promise<void> => {
    if (cases.inFile(uri).length > 0) await cases.refresh([fileOf(uri)]);
    const entries = affected(uri);
    if (entries.length > 0) replay(entries);
  };
  return vscode.workspace.onDidSaveTextDocument(({ uri }) => void react(uri));
}
