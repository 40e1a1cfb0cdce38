import * as vscode from 'vscode';
import { type CommandId, registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import { requireTrust } from '../base/trust';
import type { OverviewPanel } from './overview/overviewPanel';
import type { SearchParts } from './searchParts';
import type { SearchView } from './searchView';

/** Registers the search of all tapes and their overview. Their view and page are created when they are first asked for. */
export function registerSearch(parts: SearchParts): vscode.Disposable {
  const owned = new DisposableStore();
  let loading: Promise<SearchView> | undefined;
  const view = (): Promise<SearchView> => {
    loading ??= import('./searchView').then((module) => owned.add(new module.SearchView(parts)));
    return loading;
  };
  const command = (id: CommandId, act: () => Promise<void>): void => {
    owned.add(registerCommand(id, parts.log, act));
  };
  command('tapedeck.searchTapes', async () => (await view()).ask());
  command('tapedeck.searchAgain', async () => (await view()).again());
  command('tapedeck.clearSearch', async () => (await view()).clear());

  let shown: OverviewPanel | undefined;
  const showOverview = async (restored?: vscode.WebviewPanel): Promise<void> => {
    const { createOverviewPanel, OverviewPanel } = await import('./overview/overviewPanel');
    if (shown !== undefined) {
      restored?.dispose();
      return shown.update();
    }
    const search = async (query: string): Promise<void> => (await view()).searchFor(query);
    shown = new OverviewPanel(restored ?? createOverviewPanel(), { ...parts, search }, () => {
      shown = undefined;
    });
  };
  command('tapedeck.showOverview', () => {
    requireTrust();
    return showOverview();
  });
  owned.add(
    vscode.window.registerWebviewPanelSerializer('tapedeck.overview', {
      deserializeWebviewPanel: (panel) => showOverview(panel),
    }),
  );
  return owned;
}
