import * as vscode from 'vscode';
import type { Found } from '../../core/model/found';
import { grouped, plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { ContextKey } from '../base/contextKey';
import { DisposableStore } from '../base/disposable';
import { requireTrust } from '../base/trust';
import { askQuery } from './askQuery';
import { type FoundNode, FoundTree } from './foundTree';
import { searchFolders } from './searchFolders';
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
    await this.searchFor(query);
  }

  async searchFor(query: string): Promise<void> {
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
    return searchFolders(this.parts, t('Searching tapes'), async ({ searchId, folders, keys }, signal) => {
      const found: Found[] = [];
      for (const { root, paths } of folders)
        found.push(await this.parts.engine.call('search', { searchId, query, root, paths, keys }, { signal }));
      return joined(found);
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
    limit,
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
