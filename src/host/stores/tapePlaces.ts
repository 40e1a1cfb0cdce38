import * as vscode from 'vscode';
import { isTapePath } from '../../core/project/filePatterns';
import { isText } from '../../protocol/guards';
import { findIn } from './workspaceFiles';

/** The globs of `tapedeck.tapes` for each folder of the workspace. */
export function tapePlaces(): readonly vscode.RelativePattern[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const globs = vscode.workspace.getConfiguration('tapedeck', folder.uri).get<unknown>('tapes');
    return Array.isArray(globs) ? globs.filter(isText).map((glob) => new vscode.RelativePattern(folder, glob)) : [];
  });
}

/** The files at these places. */
export async function findTapes(places: readonly vscode.RelativePattern[]): Promise<readonly vscode.Uri[]> {
  const found = await Promise.all(places.map(({ baseUri, pattern }) => findIn(baseUri, pattern, isTapePath)));
  return [...new Map(found.flat().map((uri) => [uri.toString(), uri])).values()];
}
