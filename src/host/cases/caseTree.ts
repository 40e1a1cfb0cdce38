import * as vscode from 'vscode';
import { ContextKey } from '../base/contextKey';
import { type CaseEntry, tapeUris } from '../stores/cases/caseEntry';
import { tapesOfCase } from '../stores/cases/tapesOfCase';
import type { TapeChange } from '../stores/tapes/tapeNews';
import { CaseTreeContent } from './caseTreeContent';
import { CaseTreeItems, type CaseTreeStores } from './caseTreeItems';
import { type CaseNode, matchesFilter, type TakeNode, type TapeNode, type TreeNode } from './caseTreeNodes';

/**
 * Notices where the children of a row are asked for while they are being fetched. VS Code drops what the first call finds: where that was
 * the window's and the second one reveals a row, the window shows a folder without its rows until it is told to fetch them again.
 */
class RepeatedFetches<Node> {
  readonly #running = new Map<unknown, { isRepeated: boolean }>();
  readonly #items = new Set<Promise<unknown>>();

  /** @param repeated Called when the fetches of a row are over; undefined stands for the top. */
  constructor(private readonly repeated: (node: Node | undefined) => void) {}

  /** @param version Of the rows: those of another version are fetched anyway. */
  async children(node: Node | undefined, version: unknown, find: () => Promise<Node[]>): Promise<Node[]> {
    const key = node ?? version;
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.isRepeated = true;
      return find();
    }
    const first = { isRepeated: false };
    this.#running.set(key, first);
    try {
      return await find();
    } finally {
      void this.#end(key, node, first);
    }
  }

  item<Item>(fetch: Promise<Item>): Promise<Item> {
    this.#items.add(fetch);
    const over = (): void => void this.#items.delete(fetch);
    fetch.then(over, over);
    return fetch;
  }

  /** A fetch is over with the items of the children, which VS Code asks for next. */
  async #end(key: unknown, node: Node | undefined, first: { readonly isRepeated: boolean }): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await Promise.allSettled(this.#items);
    this.#running.delete(key);
    if (first.isRepeated) this.repeated(node);
  }
}

/** How many cases and tapes the tree shows, and of how many. */
interface TreeCount {
  readonly shown: number;
  readonly all: number;
}

/** The tree in the sidebar, a view of the stores. A change to one case redraws that case, not the whole tree. */
export class CaseTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly #nodes = new Map<string, CaseNode>();
  /** The nodes of tapes that no case uses. They are kept because VS Code redraws nodes by identity. */
  readonly #looseNodes = new Map<string, TapeNode>();
  /** The tapes of each case when its folder was last drawn. */
  readonly #named = new Map<string, string>();
  readonly #items: CaseTreeItems;
  readonly #fetches = new RepeatedFetches<TreeNode>((node) => this.#changed.fire(node));
  readonly #subscriptions: vscode.Disposable[];
  readonly #filtered = new ContextKey<boolean>('tapedeck.filtered');
  /** Until then, an empty list does not mean that there is nothing. */
  readonly #listed = new ContextKey<boolean>('tapedeck.casesListed');
  #filter = '';
  /** Computed when needed, and cleared when something comes or goes. */
  #content: CaseTreeContent | undefined;
  /** Another one whenever all is redrawn. */
  #version = {};

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly stores: CaseTreeStores) {
    this.#items = new CaseTreeItems(stores, { of: () => this.#contents(), isFiltered: () => this.#filter !== '' });
    this.#subscriptions = [
      this.#changed,
      stores.cases.onDidChange((uris) => this.#casesChanged(uris)),
      stores.tapes.onDidChange((change) => this.#tapesChanged(change)),
      stores.tapeTests.onDidChange(() => this.#changed.fire(undefined)),
      stores.states.onDidChange((uris) => this.#redraw(uris)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('explorer.compactFolders')) this.#redrawAll();
      }),
    ];
    const takes = stores.takes?.onDidChange((uris) =>
      uris === undefined ? this.#changed.fire(undefined) : this.#tapesChanged({ uris, listChanged: false }),
    );
    if (takes !== undefined) this.#subscriptions.push(takes);
  }

  get filter(): string {
    return this.#filter;
  }

  set filter(text: string) {
    this.#filter = text.trim();
    this.#filtered.set(this.#filter !== '');
    this.#redrawAll();
  }

  get count(): TreeCount {
    const all = this.stores.cases.all().length + this.#looseTapes('').length;
    return { shown: this.#shown().length + this.#looseTapes(this.#filter).length, all };
  }

  /** The folders of the workspace of which not all files are looked at, and how many tapes are not read until they are shown. */
  get cut(): { readonly cases: readonly string[]; readonly tapes: readonly string[]; readonly unread: number } {
    const { folders, unread } = this.stores.tapes.omitted;
    return { cases: this.stores.cases.cut, tapes: folders, unread };
  }

  getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    return this.#fetches.item(this.#items.of(node));
  }

  getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return this.#fetches.children(node, this.#version, () => this.#children(node));
  }

  async #children(node?: TreeNode): Promise<TreeNode[]> {
    if (node === undefined) return this.#roots();
    if (node.type === 'folder') return [...this.#contents().children(node)];
    if (node.type === 'tape') {
      const tests = await this.stores.tapeTests.testsOf(node.resource);
      const shown = tests.map((test) => ({ type: 'test' as const, resource: test.file, test, tape: node }));
      return [...shown, ...(await this.#takesOf(node))];
    }
    return node.type === 'case' ? this.#childrenOf(node) : [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (node.type === 'test' || node.type === 'take') return node.tape;
    if ('owner' in node && node.owner !== undefined) return node.owner;
    return node.type === 'folder' || node.type === 'case' || node.type === 'tape'
      ? this.#contents().parentOf(node)
      : undefined;
  }

  /** The node of a case. */
  node(uri: vscode.Uri): CaseNode {
    const known = this.#nodes.get(uri.toString());
    if (known) return known;
    const node: CaseNode = { type: 'case', resource: uri };
    this.#nodes.set(uri.toString(), node);
    return node;
  }

  /** The node that shows a file: its first case, itself as a tape, or below the first case that uses it. */
  nodeOfFile(file: vscode.Uri): TreeNode | undefined {
    const shown = (entry: CaseEntry | undefined) => entry && this.#contents().has(entry.uri) && this.node(entry.uri);
    const own = shown(this.stores.cases.inFile(file)[0]);
    if (own) return own;
    if (this.#contents().has(file)) return this.#looseNode(file);
    const key = file.toString();
    const user = this.#shown().find((entry) => tapeUris(entry).some((uri) => uri.toString() === key));
    const owner = shown(user);
    return owner ? { type: 'tape', resource: file, owner } : undefined;
  }

  /** The cases in a folder or below it, or in all folders, that match the filter. */
  entries(folder?: vscode.Uri): readonly CaseEntry[] {
    if (folder === undefined) return this.#shown();
    const prefix = `${folder.toString().replace(/\/$/, '')}/`;
    return this.#shown().filter(({ file }) => file.toString().startsWith(prefix));
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #roots(): Promise<TreeNode[]> {
    await Promise.all([this.stores.cases.load(), this.stores.tapes.load()]);
    this.#listed.set(true);
    return [...this.#contents().roots];
  }

  #shown(): readonly CaseEntry[] {
    const all = this.stores.cases.all();
    return this.#filter === '' ? all : all.filter((entry) => matchesFilter(entry, this.#filter));
  }

  #looseNode(uri: vscode.Uri): TapeNode {
    const node = this.#looseNodes.get(uri.toString()) ?? { type: 'tape', resource: uri };
    this.#looseNodes.set(uri.toString(), node);
    return node;
  }

  #contents(): CaseTreeContent {
    if (this.#content !== undefined) return this.#content;
    const entries = this.#shown();
    for (const entry of entries) this.#named.set(entry.uri.toString(), named(entry));
    const tapes = this.#looseTapes(this.#filter).map((uri) => this.#looseNode(uri));
    this.#content = new CaseTreeContent(
      entries.map((entry) => this.node(entry.uri)),
      tapes,
    );
    return this.#content;
  }

  /** The tapes that no case uses and that are not cases themselves. */
  #looseTapes(filter: string): vscode.Uri[] {
    const used = new Set(this.stores.cases.all().flatMap((entry) => [entry.file, ...tapeUris(entry)].map(String)));
    const words = filter === '' ? [] : filter.toLowerCase().split(/\s+/);
    const found = (uri: vscode.Uri): boolean => words.every((word) => uri.path.toLowerCase().includes(word));
    return this.stores.tapes.uris().filter((uri) => !used.has(uri.toString()) && found(uri));
  }

  async #childrenOf(owner: CaseNode): Promise<TreeNode[]> {
    const { resource } = owner;
    const entry = this.stores.cases.get(resource);
    const { state, run } = await this.stores.states.get(resource);
    const ran = state.type === 'running' || run !== undefined;
    return [
      ...(entry === undefined ? [] : tapesOfCase(entry, this.stores.tapes)).map((uri) => ({
        type: 'tape' as const,
        resource: uri,
        owner,
      })),
      ...(ran ? [{ type: 'run' as const, resource, owner }] : []),
      ...(state.pending > 0 ? [{ type: 'review' as const, resource, owner }] : []),
    ];
  }

  async #takesOf(tape: TapeNode): Promise<readonly TakeNode[]> {
    const { takes, cases } = this.stores;
    if (!(await takes?.has(tape.resource))) return [];
    const key = tape.resource.toString();
    const users = cases.all().filter((entry) => tapeUris(entry).some((uri) => uri.toString() === key));
    const shown = await takes?.list(
      tape.resource,
      users.map(({ uri }) => uri),
    );
    return (shown ?? []).map((take) => ({ type: 'take', ...take, tape }));
  }

  /** Redraws the tree if cases were added or removed or use other tapes, otherwise only the cases themselves. */
  #casesChanged(uris: readonly vscode.Uri[]): void {
    const known = uris.every((uri) => {
      const entry = this.stores.cases.get(uri);
      return this.#nodes.has(uri.toString()) && entry !== undefined && this.#named.get(uri.toString()) === named(entry);
    });
    if (!known || this.#filter !== '') this.#redrawAll();
    else this.#redraw(uris);
  }

  /** Redraws tapes below the cases that use them, or in their folders. */
  #tapesChanged({ uris, listChanged }: TapeChange): void {
    if (listChanged) {
      this.#redrawAll();
      return;
    }
    const changed = new Set(uris.map(String));
    const users = this.stores.cases
      .all()
      .filter((entry) => [entry.file, ...tapeUris(entry)].some((uri) => changed.has(uri.toString())));
    const loose = [...changed].flatMap((key) => this.#looseNodes.get(key) ?? []);
    this.#fire([...loose, ...users.flatMap(({ uri }) => this.#nodes.get(uri.toString()) ?? [])]);
  }

  #redrawAll(): void {
    this.#content = undefined;
    this.#version = {};
    this.#changed.fire(undefined);
  }

  #redraw(uris: readonly vscode.Uri[]): void {
    this.#fire(uris.flatMap((uri) => this.#nodes.get(uri.toString()) ?? []));
  }

  #fire(nodes: TreeNode[]): void {
    if (nodes.length > 0) this.#changed.fire(nodes);
  }
}

function named({ listed }: CaseEntry): string {
  return (listed?.tapes ?? []).join('\n');
}
