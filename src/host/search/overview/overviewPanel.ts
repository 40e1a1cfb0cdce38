import * as vscode from 'vscode';
import type { Overview } from '../../../core/search/overview';
import { t } from '../../../core/text/l10n';
import {
  OVERVIEW_ASKED,
  type OverviewHost,
  overviewGuards,
  type ShownOverview,
} from '../../../protocol/pages/overviewPage';
import { type Api, RpcPeer } from '../../../protocol/rpc/rpc';
import type { CommandId } from '../../base/commands';
import { reportError } from '../../base/humanError';
import { requireTrust } from '../../base/trust';
import { pageIcon, webviewChannel, webviewHtml, webviewOptions } from '../../base/webview';
import { searchFolders } from '../searchFolders';
import type { SearchParts } from '../searchParts';

export interface OverviewParts extends SearchParts {
  /** Shows what a query finds. */
  search(query: string): Promise<void>;
}

export function createOverviewPanel(): vscode.WebviewPanel {
  const options = { enableFindWidget: true };
  return vscode.window.createWebviewPanel('tapedeck.overview', '', vscode.ViewColumn.Active, options);
}

/** The page that sums up all tapes. It asks for them itself, also after the window was loaded anew. There is one. */
export class OverviewPanel {
  readonly #peer: RpcPeer<OverviewHost, Api>;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly parts: OverviewParts,
    onDidDispose: () => void,
  ) {
    const { extensionUri } = parts;
    const { webview } = panel;
    const title = t('Overview of All Tapes');
    this.#peer = new RpcPeer<OverviewHost, Api>(webviewChannel(webview), overviewGuards, this.#api());
    panel.onDidDispose(() => {
      this.#peer.close(t('the overview was closed'));
      onDidDispose();
    });
    panel.title = title;
    panel.iconPath = pageIcon(extensionUri);
    webview.options = webviewOptions(extensionUri);
    webview.html = webviewHtml({ webview, extensionUri, name: 'overview', title });
  }

  /** Shows the page, which reads what has changed. */
  async update(): Promise<void> {
    this.panel.reveal();
    this.#peer.emit(OVERVIEW_ASKED, undefined);
  }

  #api(): OverviewHost {
    const open: CommandId = 'tapedeck.openTranscript';
    return {
      open: () => readOverview(this.parts),
      search: ({ query }) => this.#try(() => this.parts.search(query)),
      openTape: ({ path }) => this.#try(() => vscode.commands.executeCommand(open, vscode.Uri.file(path))),
    };
  }

  /** A page's action that fails says so as a command does. */
  async #try(action: () => Thenable<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      void reportError(error, this.parts.log);
    }
  }
}

async function readOverview(parts: SearchParts): Promise<ShownOverview> {
  requireTrust();
  const overview = await searchFolders(parts, t('Reading tapes'), (folders, signal) =>
    parts.engine.call('overview', folders, { signal }),
  );
  const paths = namedPaths(overview);
  const names = paths.map((path) => [path, vscode.workspace.asRelativePath(vscode.Uri.file(path))] as const);
  return { overview, now: Date.now(), names: Object.fromEntries(names) };
}

function namedPaths({ dearest, oldest, orphans, secrets, problems, skipped }: Overview): readonly string[] {
  const lists = [dearest, oldest, orphans.first, secrets.first, problems.first, skipped.first];
  return lists.flat().map(({ path }) => path);
}
