import * as vscode from 'vscode';
import type { SearchParams } from '../../contracts/engine/search';
import { grouped } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { withCancellableProgress } from '../base/progress';
import type { SearchParts } from './searchParts';

/** The folders of the workspace that have tapes, with what an engine needs to look at them. */
interface SearchFolders extends Pick<SearchParams, 'searchId' | 'keys'> {
  readonly folders: readonly Pick<SearchParams, 'root' | 'paths'>[];
}

/** Has the engine look at all tapes, with a notification that tells how far it is, and cancels it. */
export async function searchFolders<T>(
  { engine, tapes, storedKeys }: SearchParts,
  title: string,
  look: (folders: SearchFolders, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const searchId = crypto.randomUUID();
  return withCancellableProgress(title, async (progress, signal) => {
    const told = engine.onSearchEvent(({ searchId: id, done, of }) => {
      if (id === searchId) progress.report({ message: t('{0} of {1}', grouped(done), grouped(of)) });
    });
    try {
      await tapes.load();
      const uris = tapes.uris().filter(({ scheme }) => scheme === 'file');
      const keys = await storedKeys();
      const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => {
        const own = uris.filter((one) => vscode.workspace.getWorkspaceFolder(one)?.uri.toString() === uri.toString());
        return { root: uri.fsPath, paths: own.map(({ fsPath }) => fsPath) };
      });
      return await look({ searchId, folders: folders.filter(({ paths }) => paths.length > 0), keys }, signal);
    } finally {
      told.dispose();
    }
  });
}
