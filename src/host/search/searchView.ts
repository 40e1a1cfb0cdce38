import * as vscode from 'vscode';
import type { Found } from '../../core/model/found';
import { grouped, plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { ContextKey } from '../base/contextKey';
import { DisposableStore } from '../base/disposable';
import { withCancellableProgress } from '../base/progress';
import { requireTrust } from '../base/trust';
import { askQuery } from './askQuery';
import { type FoundNode, FoundTree } from './foundTree';
import type { SearchParts } from './searchParts';

/** The view of the last search's results. */
export class SearchView implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #isSearched = new ContextKey<boolean>('tapedeck.searched');
  readonly #tree = this.#owned.add(new FoundTree());
  readonly #view: vscode.TreeView<FoundNode>;
  #query = '';

  constructor(private readonly parts: SearchParts) {
    this.#view = this.#owned.add(
      vscode.window.createTreeView('tapedeck.found', { treeDataProvider: this.#tree, showCollapseAll: true }),
    );
  }

  async ask(): Promise<void> {
    requireTrust();
    const query = await askQuery(this.#query);
    if (query === undefined) return;
    this.#query = query;
    await this.again();
  }

  /** Repeats the last search. */
  async again(): Promise<void> {
    requireTrust();
    if (this.#query === '') return this.ask();
    this.#show(this.#query, await this.#find(this.#query));
    await vscode.commands.executeCommand('tapedeck.found.focus');
    const { first } = this.#tree;
    if (first !== undefined) await this.#view.reveal(first, { focus: true, select: true });
  }

  async clear(): Promise<void> {
    this.#query = '';
    this.#tree.show({ tapes: [] });
    this.#isSearched.set(false);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #find(query: string): Promise<Found> {
    const { engine, tapes, storedKeys } = this.parts;
    const searchId = crypto.randomUUID();
    return withCancellableProgress(t('Searching tapes'), async (progress, signal) => {
      const told = engine.onSearchEvent(({ searchId: id, done, of }) => {
        if (id === searchId) progress.report({ message: t('{0} of {1}', grouped(done), grouped(of)) });
      });
      try {
        await tapes.load();
        const uris = tapes.uris().filter(({ scheme }) => scheme === 'file');
        const keys = await storedKeys();
        const found: Found[] = [];
        for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
          const own = uris.filter((one) => vscode.workspace.getWorkspaceFolder(one)?.uri.toString() === uri.toString());
          const params = { searchId, query, root: uri.fsPath, paths: own.map(({ fsPath }) => fsPath), keys };
          if (own.length > 0) found.push(await engine.call('search', params, { signal }));
        }
        return joined(found);
      } finally {
        told.dispose();
      }
    });
  }

  #show(query: string, found: Found): void {
    this.#tree.show(found);
    this.#isSearched.set(true);
    this.#view.description = query;
    this.#view.message = messageOf(found);
  }
}

function joined(found: readonly Found[]): Found {
  const limit = found.find((one) => one.limit !== undefined)?.limit;
  return {
    tapes: found.flatMap(({ tapes }) => tapes),
    searched: found.reduce((sum, { searched }) => sum + searched, 0),
    ...(limit !== undefined && { limit }),
    skipped: found.flatMap(({ skipped }) => skipped),
  };
}

function messageOf({ tapes, searched, limit, skipped }: Found): string {
  const interactions = tapes.reduce((sum, tape) => sum + tape.interactions.length, 0);
  const counts =
    tapes.length === 0
      ? t('Nothing was found in {0}.', plural(searched, 'tape'))
      : t('{0} in {1} of {2}', plural(interactions, 'interaction'), grouped(tapes.length), plural(searched, 'tape'));
  const ended =
    limit === undefined ? [] : [t('The search stopped at {0} interactions: narrow it to see others.', grouped(limit))];
  const left =
    skipped.length === 0
      ? []
      : [
          t(
            'Not searched: {0}',
            skipped
              .map(({ path, reason }) => `${path} (${reason})`)
              .slice(0, 3)
              .join(', '),
          ),
        ];
  return [counts, ...ended, ...left].join('\n');
}
