import * as vscode from 'vscode';
import { isTapePath } from '../../../core/project/filePatterns';
import { type FoundFiles, findIn, together } from '../files/workspaceFiles';

/** The globs of `tapedeck.tapes` for each folder of the workspace. */
export function tapePlaces(): readonly vscode.RelativePattern[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const globs = vscode.workspace.getConfiguration('tapedeck', folder.uri).get<unknown>('tapes');
    return Array.isArray(globs)
      ? globs.filter((glob) => typeof glob === 'string').map((glob) => new vscode.RelativePattern(folder, glob))
      : [];
  });
}

/** So many tapes are listed of each place. */
const MOST_TAPES = 20_000;

/** The files at these places. */
export async function findTapes(places: readonly vscode.RelativePattern[], most = MOST_TAPES): Promise<FoundFiles> {
  return together(await Promise.all(places.map(({ baseUri, pattern }) => findIn(baseUri, pattern, isTapePath, most))));
}
