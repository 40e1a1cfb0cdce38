import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';

/**
 * Calls `touched` with each file that one of the globs fits and that comes, changes or goes. VS Code compares a plain text
 * with the absolute path, so it begins with a double star; a `RelativePattern` is compared with the path from its base.
 */
export function watchFiles(
  globs: readonly vscode.GlobPattern[],
  touched: (file: vscode.Uri) => void,
): vscode.Disposable {
  const owned = new DisposableStore();
  for (const glob of globs) {
    const watcher = owned.add(vscode.workspace.createFileSystemWatcher(glob));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) owned.add(event(touched));
  }
  return owned;
}
