import * as vscode from 'vscode';
import { IGNORED_FOLDERS } from '../../core/project/layout';
import { DisposableStore } from '../base/disposable';

const IGNORED_GLOB = `**/{${IGNORED_FOLDERS.join(',')}}/**`;

/** The schemes that VS Code can search. On others (in-memory files in a browser) `findFiles` may never return. */
const SEARCHABLE = new Set(['file', 'vscode-remote', 'vscode-vfs']);

/**
 * Finds the files of the workspace that match `glob`, except those in ignored folders. A file system without search is
 * walked, and `isWanted` is used instead of the glob.
 */
export async function findFiles(glob: string, isWanted: (path: string) => boolean): Promise<readonly vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(folders.map(({ uri }) => findIn(uri, glob, isWanted)));
  return found.flat();
}

/** The same in one folder. */
export async function findIn(
  folder: vscode.Uri,
  glob: string,
  isWanted: (path: string) => boolean,
): Promise<readonly vscode.Uri[]> {
  if (SEARCHABLE.has(folder.scheme)) return search(folder, glob);
  return (await walk(folder)).filter(({ path }) => isWanted(path));
}

/** All files below a folder, except those in ignored folders. */
export async function filesBelow(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  return SEARCHABLE.has(folder.scheme) ? search(folder, '**/*') : walk(folder);
}

/** Whether a file is where cases and tapes are searched for. */
export function isSearched(uri: vscode.Uri): boolean {
  return uri.scheme !== 'git' && !vscode.workspace.asRelativePath(uri, false).split('/').some(isIgnored);
}

async function search(folder: vscode.Uri, glob: string): Promise<readonly vscode.Uri[]> {
  return vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), IGNORED_GLOB);
}

/** The same, without VS Code's search. */
export async function walk(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const found = await Promise.all(
    entries.map(async ([name, type]) => {
      const uri = vscode.Uri.joinPath(folder, name);
      if (type === vscode.FileType.File) return [uri];
      // Links are not followed: they may form a cycle.
      return type === vscode.FileType.Directory && !isIgnored(name) ? walk(uri) : [];
    }),
  );
  return found.flat();
}

function isIgnored(name: string): boolean {
  return (IGNORED_FOLDERS as readonly string[]).includes(name);
}

/**
 * Calls `touched` with each file that matches one of the globs and is created, changed or deleted. VS Code matches a
 * string with the absolute path, so it has to begin with a double star; a `RelativePattern` is relative to its base.
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
