import * as vscode from 'vscode';

/** The tabs in which a tape is open as a transcript. */
export function transcriptTabs(tape: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === tape.toString());
}
