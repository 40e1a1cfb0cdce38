import * as vscode from 'vscode';
import type { Handlers, Served } from '../../../contracts/contract';
import { overviewPage, type ShownOverview } from '../../../contracts/pages/overviewPage';
import type { Overview } from '../../../core/search/overview';
import { t } from '../../../core/text/l10n';
import type { CommandId } from '../../base/commands';
import { reportError } from '../../base/humanError';
import { openPage } from '../../base/page';
import { requireTrust } from '../../base/trust';
import { searchFolders } from '../searchFolders';
import type { SearchParts } from '../searchParts';

interface OverviewParts extends SearchParts {
  /** Shows what a query finds. */
  search(query: string): Promise<void>;
}

export function createOverviewPanel(): vscode.WebviewPanel {
  const options = { enableFindWidget: true };
  return vscode.window.createWebviewPanel('tapedeck.overview', '', vscode.ViewColumn.Active, options);
}

/** The page that sums up all tapes. It has them read itself, also after the window was loaded anew. There is one. */
export class OverviewPanel {
  readonly #page: Served<typeof overviewPage>;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly parts: OverviewParts,
    onDidDispose: () => void,
  ) {
    this.#page = openPage({
      panel,
      extensionUri: parts.extensionUri,
      contract: overviewPage,
      handlers: this.#handlers(),
      name: 'overview',
      title: t('Overview of All Tapes'),
      closed: t('the overview was closed'),
    });
    panel.onDidDispose(onDidDispose);
  }

  /** Shows the page, and reads what has changed. */
  async update(): Promise<void> {
    this.panel.reveal();
    await this.#try(() => this.#read());
  }

  #handlers(): Handlers<typeof overviewPage.calls> {
    const open: CommandId = 'tapedeck.openTranscript';
    return {
      read: () => this.#read(),
      search: ({ query }) => this.#try(() => this.parts.search(query)),
      openTape: ({ path }) => this.#try(() => vscode.commands.executeCommand(open, vscode.Uri.file(path))),
    };
  }

  async #read(): Promise<void> {
    this.#page.patch({ shown: await readOverview(this.parts) });
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
