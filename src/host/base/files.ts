import * as vscode from 'vscode';

/** Whether there is a file or folder at `uri`. */
export async function fileExists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
