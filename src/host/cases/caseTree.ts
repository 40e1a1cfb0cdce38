import * as vscode from 'vscode';
import { caseFileOf } from '../base/caseUri';
import { ContextKey } from '../base/contextKey';
import { type CaseEntry, tapeUris } from '../stores/caseEntry';
import { pendingChanges } from '../stores/reviewStore';
import type { TapeChange } from '../stores/tapeStore';
import { CaseTreeItems, type CaseTreeStores } from './caseTreeItems';
import { type CaseNode, type FolderNode, matchesFilter, type TapeNode, type TreeNode } from './caseTreeNodes';

/** The delay before tapes are read, so that the first cases are on screen before. */
const FIRST_PAGE_MS = 300;

/** The tree in the sidebar, a view of the stores. A change to one case redraws that case, not the whole tree. */
export class CaseTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #nodes = new Map<string, CaseNode>();
  /** The nodes of tapes that no case uses. They are kept because VS Code redraws nodes by identity. */
  readonly #looseNodes = new Map<string, TapeNode>();
  /** The tapes of each case when its folder was last drawn. */
  readonly #named = new Map<string, string>();
  readonly #items: CaseTreeItems;
  readonly #subscriptions: vscode.Disposable[];
  readonly #filtered = new ContextKey<boolean>('tapedeck.filtered');
  #tapesSoon: ReturnType<typeof setTimeout> | undefined;
  #filter = '';
  /** The content of each folder, computed when needed and cleared with every change. */
  #folders: ReadonlyMap<string, FolderContent> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly stores: CaseTreeStores) {
    this.#items = new CaseTreeItems(stores);
    this.#subscriptions = [
      this.#changed,
      stores.cases.onDidChange((uris) => this.#casesChanged(uris)),
      stores.tapes.onDidChange((change) => this.#tapesChanged(change)),
      stores.pytests.onDidChange(() => this.#changed.fire(undefined)),
      stores.runs.onDidChange((uri) => this.#redraw(uri)),
      stores.reviews.onDidChange((uri) => this.#redraw(uri)),
    ];
  }

  get filter(): string {
    return this.#filter;
  }

  set filter(text: string) {
    this.#filter = text.trim();
    this.#filtered.set(this.#filter !== '');
    this.#redrawAll();
  }

  getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    return this.#items.of(node);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node === undefined) return this.#roots();
    if (node.type === 'folder') return this.#childrenOfFolder(node);
    if (node.type === 'tape') {
      const tests = await this.stores.pytests.testsOf(node.resource);
      return tests.map((test) => ({ type: 'test', resource: test.file, test, tape: node }));
    }
    return node.type === 'case' ? this.#childrenOf(node) : [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (node.type === 'folder') return undefined;
    if (node.type === 'case') return folderOf(node.resource);
    if (node.type === 'test') return node.tape;
    return node.owner ?? (node.type === 'tape' ? folderOf(node.resource) : undefined);
  }

  /** The node of a case. */
  node(uri: vscode.Uri): CaseNode {
    const known = this.#nodes.get(uri.toString());
    if (known) return known;
    const node: CaseNode = { type: 'case', resource: uri };
    this.#nodes.set(uri.toString(), node);
    return node;
  }

  /** The cases in a folder, or in all folders, that match the filter. */
  entries(folder?: vscode.Uri): readonly CaseEntry[] {
    return folder === undefined ? this.#shown() : (this.#content().get(folder.toString())?.entries ?? []);
  }

  dispose(): void {
    clearTimeout(this.#tapesSoon);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** The folders. Cases are listed at once; tapes, of which there may be many more, follow. */
  async #roots(): Promise<TreeNode[]> {
    await this.stores.cases.load();
    if (this.stores.cases.all().length === 0) await this.stores.tapes.load();
    else this.#tapesSoon ??= setTimeout(() => void this.stores.tapes.load(), FIRST_PAGE_MS);
    const folders = [...this.#content().values()].map(({ folder }) => folder);
    return folders.sort((left, right) => left.resource.path.localeCompare(right.resource.path));
  }

  #shown(): readonly CaseEntry[] {
    const all = this.stores.cases.all();
    return this.#filter === '' ? all : all.filter((entry) => matchesFilter(entry, this.#filter));
  }

  #childrenOfFolder({ resource }: FolderNode): TreeNode[] {
    const { entries = [], tapes = [] } = this.#content().get(resource.toString()) ?? {};
    const loose = [...tapes].sort((left, right) => left.path.localeCompare(right.path));
    return [...entries.map((entry) => this.node(entry.uri)), ...loose.map((tape) => this.#looseNode(tape))];
  }

  #looseNode(uri: vscode.Uri): TapeNode {
    const node = this.#looseNodes.get(uri.toString()) ?? { type: 'tape', resource: uri };
    this.#looseNodes.set(uri.toString(), node);
    return node;
  }

  #content(): ReadonlyMap<string, FolderContent> {
    if (this.#folders !== undefined) return this.#folders;
    const found = new Map<string, FolderContent>();
    const at = (uri: vscode.Uri): FolderContent => {
      const folder = folderOf(uri);
      const key = folder.resource.toString();
      const content = found.get(key) ?? { folder, entries: [], tapes: [] };
      found.set(key, content);
      return content;
    };
    for (const entry of this.#shown()) {
      at(entry.file).entries.push(entry);
      this.#named.set(entry.uri.toString(), named(entry));
    }
    for (const uri of this.#looseTapes()) at(uri).tapes.push(uri);
    this.#folders = found;
    return found;
  }

  /** The tapes that no case uses and that are not cases themselves. */
  #looseTapes(): vscode.Uri[] {
    const named = new Set(this.stores.cases.all().flatMap((entry) => [entry.file, ...tapeUris(entry)].map(String)));
    const words = this.#filter.toLowerCase().split(/\s+/);
    const found = (uri: vscode.Uri): boolean => words.every((word) => uri.path.toLowerCase().includes(word));
    return this.stores.tapes.uris().filter((uri) => !named.has(uri.toString()) && found(uri));
  }

  /** The tapes of a case, including its own file if that is also a recording, such as a session. */
  #tapesOf(entry: CaseEntry): vscode.Uri[] {
    const isTape = entry.listed?.id === undefined && this.stores.tapes.get(entry.file) !== undefined;
    const uris = [...tapeUris(entry), ...(isTape ? [entry.file] : [])];
    return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  }

  async #childrenOf(owner: CaseNode): Promise<TreeNode[]> {
    const { resource } = owner;
    const entry = this.stores.cases.get(resource);
    const review = await this.stores.reviews.get(resource);
    const ran = this.stores.runs.get(resource) !== undefined || review?.artifact !== undefined;
    return [
      ...(entry === undefined ? [] : this.#tapesOf(entry)).map((uri) => ({
        type: 'tape' as const,
        resource: uri,
        owner,
      })),
      ...(ran ? [{ type: 'run' as const, resource, owner }] : []),
      ...(pendingChanges(review) > 0 ? [{ type: 'review' as const, resource, owner }] : []),
    ];
  }

  /** Redraws the tree if cases were added or removed or use other tapes, otherwise only the cases themselves. */
  #casesChanged(uris: readonly vscode.Uri[]): void {
    const known = uris.every((uri) => {
      const entry = this.stores.cases.get(uri);
      return this.#nodes.has(uri.toString()) && entry !== undefined && this.#named.get(uri.toString()) === named(entry);
    });
    if (!known || this.#filter !== '') this.#redrawAll();
    else {
      this.#folders = undefined;
      for (const uri of uris) this.#redraw(uri);
    }
  }

  /** Redraws tapes below the cases that use them, or in their folders. */
  #tapesChanged({ uris, listChanged }: TapeChange): void {
    if (listChanged) {
      this.#redrawAll();
      return;
    }
    const changed = new Set(uris.map(String));
    for (const entry of this.stores.cases.all()) {
      if ([entry.file, ...tapeUris(entry)].some((uri) => changed.has(uri.toString()))) this.#redraw(entry.uri);
    }
    for (const key of changed) {
      const loose = this.#looseNodes.get(key);
      if (loose !== undefined) this.#changed.fire(loose);
    }
  }

  #redrawAll(): void {
    this.#folders = undefined;
    this.#changed.fire(undefined);
  }

  #redraw(uri: vscode.Uri): void {
    const node = this.#nodes.get(uri.toString());
    if (node) this.#changed.fire(node);
  }
}

interface FolderContent {
  readonly folder: FolderNode;
  readonly entries: CaseEntry[];
  readonly tapes: vscode.Uri[];
}

function named({ listed }: CaseEntry): string {
  return (listed?.tapes ?? []).join('\n');
}

function folderOf(uri: vscode.Uri): FolderNode {
  return { type: 'folder', resource: vscode.Uri.joinPath(caseFileOf(uri), '..') };
}
