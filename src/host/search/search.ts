import type * as vscode from 'vscode';
import { type CommandId, registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import type { SearchParts } from './searchParts';
import type { SearchView } from './searchView';

/** Registers the search of all tapes. Its view is created by the first search. */
export function registerSearch(parts: SearchParts): vscode.Disposable {
  const owned = new DisposableStore();
  let view: Promise<SearchView> | undefined;
  const command = (id: CommandId, act: (view: SearchView) => Promise<void>): void => {
    owned.add(
      registerCommand(id, parts.log, async () => {
        view ??= import('./searchView').then((module) => owned.add(new module.SearchView(parts)));
        await act(await view);
      }),
    );
  };
  command('tapedeck.searchTapes', (one) => one.ask());
  command('tapedeck.searchAgain', (one) => one.again());
  command('tapedeck.clearSearch', (one) => one.clear());
  return owned;
}
