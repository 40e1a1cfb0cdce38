import * as vscode from 'vscode';
import { IGNORED_FOLDERS } from '../../../core/project/layout';
import { DisposableStore } from '../../base/disposable';

const IGNORED_GLOB = `**/{${IGNORED_FOLDERS.join(',')}}/**`;

/** The schemes that VS Code can search. On others (in-memory files in a browser) `findFiles` may never return. */
const SEARCHABLE = new Set(['file', 'vscode-remote', 'vscode-vfs']);

/** So many files are looked at where nothing says otherwise. */
const MOST_FILES = 20_000;

/** Files that were found. */
export interface FoundFiles {
  readonly files: readonly vscode.Uri[];
  /** The names of the folders of the workspace in which there are more than are looked at. */
  readonly cut: readonly string[];
}

/**
 * Finds the files of the workspace that match `glob`, except those in ignored folders, up to so many of each folder. A file system
 * without search is walked, and `isWanted` is used instead of the glob.
 */
export async function findFiles(
  glob: string,
  isWanted: (path: string) => boolean,
  most = MOST_FILES,
): Promise<FoundFiles> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return together(await Promise.all(folders.map(({ uri }) => findIn(uri, glob, isWanted, most))));
}

/** The same in one folder. */
export async function findIn(
  folder: vscode.Uri,
  glob: string,
  isWanted: (path: string) => boolean,
  most = MOST_FILES,
): Promise<FoundFiles> {
  const found = SEARCHABLE.has(folder.scheme)
    ? await search(folder, glob, most + 1)
    : (await walk(folder)).filter(({ path }) => isWanted(path));
  if (found.length <= most) return { files: found, cut: [] };
  return { files: found.slice(0, most), cut: [vscode.workspace.getWorkspaceFolder(folder)?.name ?? folder.path] };
}

export function together(found: readonly FoundFiles[]): FoundFiles {
  const files = new Map(found.flatMap((one) => one.files.map((uri) => [uri.toString(), uri])));
  return { files: [...files.values()], cut: [...new Set(found.flatMap(({ cut }) => cut))] };
}

/** All files below a folder, except those in ignored folders. */
export async function filesBelow(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  return SEARCHABLE.has(folder.scheme) ? search(folder, '**/*') : walk(folder);
}

/** Whether a file is where cases and tapes are searched for. */
export function isSearched(uri: vscode.Uri): boolean {
  return uri.scheme !== 'git' && !vscode.workspace.asRelativePath(uri, false).split('/').some(isIgnored);
}

async function search(folder: vscode.Uri, glob: string, most?: number): Promise<readonly vscode.Uri[]> {
  return vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), IGNORED_GLOB, most);
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
