import * as vscode from 'vscode';

/** The settings that turn off what Tapedeck shows in an editor. */
type Switch = 'codeLens.enabled' | 'inlayHints.enabled' | 'gutter.enabled';

/** Whether something is shown in a file, by the settings of its folder. */
export function isEnabled(name: Switch, scope: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('tapedeck', scope).get<unknown>(name) !== false;
}

export function onDidChangeSwitch(name: Switch, changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`tapedeck.${name}`)) changed();
  });
}
