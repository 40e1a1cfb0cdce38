import * as vscode from 'vscode';
import { IGNORED_FOLDERS } from '../../core/project/layout';

const IGNORED_GLOB = `**/{${IGNORED_FOLDERS.join(',')}}/**`;

/** The file systems that VS Code can search. On any other `findFiles` may never answer, as on one in memory in the browser. */
const SEARCHABLE = new Set(['file', 'vscode-remote', 'vscode-vfs']);

/**
 * The files of the workspace that match `glob`, without those in folders that are never searched. A file system that has
 * no search is walked, and there `isWanted` decides by a file's path.
 */
export async function findFiles(glob: string, isWanted: (path: string) => boolean): Promise<readonly vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    folders.map(async ({ uri }) =>
      SEARCHABLE.has(uri.scheme)
        ? vscode.workspace.findFiles(new vscode.RelativePattern(uri, glob), IGNORED_GLOB)
        : (await filesBelow(uri)).filter(({ path }) => isWanted(path)),
    ),
  );
  return found.flat();
}

async function filesBelow(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const found = await Promise.all(
    entries.map(async ([name, type]) => {
      const uri = vscode.Uri.joinPath(folder, name);
      if (type === vscode.FileType.File) return [uri];
      // Links are not followed: one may lead back up.
      return type === vscode.FileType.Directory && !isIgnored(name) ? filesBelow(uri) : [];
    }),
  );
  return found.flat();
}

function isIgnored(name: string): boolean {
  return (IGNORED_FOLDERS as readonly string[]).includes(name);
}
