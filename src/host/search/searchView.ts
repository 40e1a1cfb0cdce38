import * as vscode from 'vscode';
import type { Found, FoundInteraction, FoundTape } from '../../core/model/found';
import { foundFacts, foundName } from '../../core/search/foundWords';
import { isQueryProblem, parseQuery } from '../../core/search/parseQuery';
import { QUERY_EXAMPLE, SEARCH_FIELDS } from '../../core/search/query';
import { grouped, plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import type { CommandId } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import { DisposableStore } from '../base/disposable';
import { requireTrust } from '../base/trust';
import { searchFolders } from './searchFolders';
import type { SearchParts } from './searchParts';

type FoundNode =
  | { readonly type: 'foundTape'; readonly resource: vscode.Uri; readonly tape: FoundTape }
  | {
      readonly type: 'foundInteraction';
      readonly parent: FoundNode;
      readonly resource: vscode.Uri;
      readonly found: FoundInteraction;
    };

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

/** A suggestion while a query is typed: to search, or a completion. */
interface Offer extends vscode.QuickPickItem {
  /** The query with it. */
  readonly query: string;
  readonly isSearch: boolean;
}

/** Asks what to search for, and completes the fields of a query; undefined if it is dismissed. */
function askQuery(last: string): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<Offer>();
  picker.title = t('Search All Tapes');
  picker.placeholder = QUERY_EXAMPLE;
  picker.value = last;
  const offer = (): void => {
    picker.items = offers(picker.value);
  };
  offer();
  return new Promise((resolve) => {
    picker.onDidChangeValue(offer);
    picker.onDidAccept(() => {
      const [chosen] = picker.activeItems;
      if (chosen === undefined) return;
      if (!chosen.isSearch) {
        picker.value = chosen.query;
        offer();
        return;
      }
      // The list may lag behind the last letters that were typed.
      const { value } = picker;
      if (isQueryProblem(parseQuery(value))) return;
      resolve(value);
      picker.hide();
    });
    picker.onDidHide(() => {
      picker.dispose();
      resolve(undefined);
    });
    picker.show();
  });
}

/** The search, or what is wrong with the query; then the completions of the current word. */
function offers(value: string): Offer[] {
  const [, before = '', typed = ''] = /^(.*?)(\S*)$/s.exec(value) ?? [];
  const query = parseQuery(value);
  const problem = isQueryProblem(query) ? query.message : undefined;
  const search: Offer = {
    label: problem === undefined ? `$(search) ${t('Search for {0}', value.trim())}` : `$(warning) ${problem}`,
    query: value,
    isSearch: true,
    alwaysShow: true,
  };
  const fields = SEARCH_FIELDS.filter(({ name }) => name.startsWith(typed.toLowerCase())).map(
    ({ name, example, about }): Offer => ({
      label: `${name}:`,
      description: `${example}   ${t(about)}`,
      query: `${before}${name}:`,
      isSearch: false,
      alwaysShow: true,
    }),
  );
  return value.trim() === '' ? fields : [search, ...fields];
}

/** The most interactions that are shown at once; beyond that, only the tapes. */
const EXPANDED = 200;

/** The results of a search: tapes, and below them their interactions. */
class FoundTree implements vscode.TreeDataProvider<FoundNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #tapes: readonly FoundNode[] = [];
  #areExpanded = true;

  show({ tapes }: Pick<Found, 'tapes'>): void {
    const count = tapes.reduce((sum, { interactions }) => sum + interactions.length, 0);
    this.#areExpanded = count <= EXPANDED;
    this.#tapes = tapes.map((tape) => ({ type: 'foundTape', resource: vscode.Uri.file(tape.path), tape }));
    this.#changed.fire(undefined);
  }

  get first(): FoundNode | undefined {
    return this.#tapes[0];
  }

  getChildren(node?: FoundNode): FoundNode[] {
    if (node === undefined) return [...this.#tapes];
    if (node.type !== 'foundTape') return [];
    const { resource, tape } = node;
    return tape.interactions.map((found) => ({ type: 'foundInteraction', parent: node, resource, found }));
  }

  getParent(node: FoundNode): FoundNode | undefined {
    return node.type === 'foundInteraction' ? node.parent : undefined;
  }

  getTreeItem(node: FoundNode): vscode.TreeItem {
    return node.type === 'foundTape'
      ? tapeItem(node.resource, node.tape, this.#areExpanded)
      : interactionItem(node.resource, node.found);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function tapeItem(uri: vscode.Uri, { format, interactions, hasMore }: FoundTape, isExpanded: boolean): vscode.TreeItem {
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const below = isExpanded ? Expanded : Collapsed;
  const item = new vscode.TreeItem(uri, interactions.length === 0 ? None : below);
  const path = vscode.workspace.asRelativePath(uri);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const count = hasMore ? `${interactions.length}+` : String(interactions.length);
  item.id = uri.toString();
  item.label = name;
  item.description = [...(interactions.length > 0 ? [count] : []), path.slice(0, -name.length - 1)]
    .filter((text) => text !== '')
    .join(' · ');
  item.iconPath = vscode.ThemeIcon.File;
  item.tooltip = `${path}\n${format}`;
  if (interactions.length === 0) item.command = opening(uri);
  return item;
}

function interactionItem(uri: vscode.Uri, found: FoundInteraction): vscode.TreeItem {
  const { index, excerpt, isFailed } = found;
  const name = `#${index + 1} ${foundName(found)}`;
  const facts = foundFacts(found, Date.now());
  const item = new vscode.TreeItem(
    excerpt === undefined ? name : { label: excerpt.text, highlights: [[excerpt.start, excerpt.end]] },
  );
  item.id = `${uri.toString()}#${index}`;
  item.description = excerpt === undefined ? facts : [name, facts].filter((text) => text !== '').join(' · ');
  item.iconPath = new vscode.ThemeIcon(isFailed ? 'error' : 'comment');
  item.tooltip = [excerpt?.text ?? '', name, facts].filter((text) => text !== '').join('\n');
  item.accessibilityInformation = {
    label: [name, excerpt?.text ?? '', facts].filter((text) => text !== '').join(', '),
  };
  item.command = opening(uri, index);
  return item;
}

function opening(uri: vscode.Uri, interaction?: number): vscode.Command {
  const command: CommandId = 'tapedeck.openTranscript';
  return {
    title: t('Open as Transcript'),
    command,
    arguments: [uri, ...(interaction === undefined ? [] : [interaction])],
  };
}
