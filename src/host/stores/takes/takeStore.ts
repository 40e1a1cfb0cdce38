import * as vscode from 'vscode';
import type { ListedTake, TakesParams } from '../../../contracts/engine/takes';
import { STATE_FOLDER } from '../../../core/project/layout';
import { relativeCasePath } from '../../base/caseUri';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import { takesFolderOf, takeUri } from '../../base/takeUri';
import { watchFiles } from '../files/workspaceFiles';
import { type ShownTake, takeItem } from './takeItem';

const SETTLE_MS = 100;

/** Lists the takes of a tape. */
type ListTakes = (params: TakesParams) => Promise<readonly ListedTake[]>;

/**
 * The takes that tapes have replaced. Whether a tape has any follows from the names in one folder, which is listed when the first
 * tape of that folder is drawn; the takes themselves are read when they are shown.
 */
export class TakeStore implements vscode.Disposable {
  /** The tapes with takes, by the folder of the takes. */
  readonly #folders = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<readonly vscode.Uri[] | undefined>());
  #isWatching = false;

  /** Fires with the tapes whose takes were added or removed; undefined if it may be any. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly listTakes: ListTakes) {
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.touch()));
  }

  /** Whether a tape has takes. */
  async has(tape: vscode.Uri): Promise<boolean> {
    const folder = this.#canList ? takesFolderOf(tape) : undefined;
    if (folder === undefined) return false;
    this.#watch();
    const parent = vscode.Uri.joinPath(folder, '..');
    const key = parent.toString();
    const names = this.#folders.get(key) ?? foldersIn(parent);
    this.#folders.set(key, names);
    return (await names).has(folder.path.slice(folder.path.lastIndexOf('/') + 1));
  }

  /** The takes of a tape, the latest first. `cases` are the URIs of the cases that use it, whose last runs may belong to a take. */
  async list(tape: vscode.Uri, cases: readonly vscode.Uri[]): Promise<readonly ShownTake[]> {
    const root = vscode.workspace.getWorkspaceFolder(tape)?.uri;
    if (root === undefined || !this.#canList) return [];
    const path = vscode.workspace.asRelativePath(tape, false);
    const listed = await this.listTakes({ root: root.fsPath, path, cases: cases.map(relativeCasePath) });
    return listed.map((take) => ({ take, resource: takeUri({ tape, take: take.take }) }));
  }

  /** The row of a take. */
  item(take: ShownTake): vscode.TreeItem {
    return takeItem(take);
  }

  /** Clears the cache. Call it when takes of these tapes, or of any, may have been added or removed. */
  touch(tapes?: readonly vscode.Uri[]): void {
    this.#folders.clear();
    this.#changed.fire(tapes);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  get #canList(): boolean {
    return vscode.workspace.isTrusted;
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const soon = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (files) => this.touch(tapesOf(files))));
    const globs = [`**/${STATE_FOLDER}/takes/**`, `**/${STATE_FOLDER}`];
    this.#owned.add(watchFiles(globs, (file) => soon.add(file.toString(), file)));
  }
}

/** The tapes that these takes belong to; undefined if a file is not a take, such as a folder that was removed. */
function tapesOf(files: readonly vscode.Uri[]): readonly vscode.Uri[] | undefined {
  const tapes = files.map((file) => {
    const [, root = '', path] = /^(.*?)\/\.tapedeck\/takes\/(.+)\/[^/]+Z\.json$/.exec(file.path) ?? [];
    return path === undefined ? undefined : file.with({ path: `${root}/${path}` });
  });
  return tapes.includes(undefined) ? undefined : tapes.filter((tape) => tape !== undefined);
}

/** The names of the folders in a folder, without links, which may lead anywhere. */
async function foldersIn(folder: vscode.Uri): Promise<ReadonlySet<string>> {
  try {
    // VS Code logs an error for a folder that cannot be listed, and most do not exist.
    await vscode.workspace.fs.stat(folder);
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return new Set(entries.flatMap(([name, type]) => (type === vscode.FileType.Directory ? [name] : [])));
  } catch {
    // No tape of this folder was ever replaced, or it cannot be read.
    return new Set();
  }
}
