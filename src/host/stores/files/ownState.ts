import * as vscode from 'vscode';
import { mayTrackState, TrackedState } from '../../../core/project/trackedState';
import { DisposableStore } from '../../base/disposable';
import { gitFolder, headAndIndex } from './gitFolder';
import { watchFiles } from './workspaceFiles';

/** Lists what git tracks in the state of the project at an absolute path. Rejects if that cannot be known. */
export type ListTracked = (root: string) => Promise<readonly string[]>;

/**
 * What in the projects' `.tapedeck` is their user's own: what git does not track, and no link leads to. Whether git may track
 * something there is seen in its index. Only then is it asked, by the engine; where no engine may run, as in Restricted Mode, nothing
 * is the user's own then. Nor is anything where there is no disk.
 */
export class OwnState implements vscode.Disposable {
  readonly #known = new Map<string, Promise<TrackedState | undefined>>();
  readonly #folders = new Map<string, Promise<boolean>>();
  readonly #watched = new Set<string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned = new DisposableStore();

  /** Fires with the project of which something may be the user's own now, or no longer. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly list: ListTracked) {
    this.#owned.add(this.#changed);
    this.#owned.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        for (const root of this.#known.keys()) this.#forget(vscode.Uri.parse(root));
      }),
    );
  }

  /** Whether the file at a path from the root is the user's own. Never rejects. */
  async owns(root: vscode.Uri, path: string): Promise<boolean> {
    if (root.scheme !== 'file' || (await hasLink(root, path, this.#folders))) return false;
    const key = root.toString();
    const tracked = this.#known.get(key) ?? this.#follow(root);
    this.#known.set(key, tracked);
    return (await tracked)?.holds(path) === false;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Undefined where it cannot be known. */
  async #follow(root: vscode.Uri): Promise<TrackedState | undefined> {
    await this.#watch(root);
    try {
      return new TrackedState((await mayTrack(root)) ? await this.list(root.fsPath) : []);
    } catch {
      return undefined;
    }
  }

  async #watch(root: vscode.Uri): Promise<void> {
    const key = root.toString();
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    this.#owned.add(watchFiles(await headAndIndex(root), () => this.#forget(root)));
  }

  #forget(root: vscode.Uri): void {
    this.#folders.clear();
    if (this.#known.delete(root.toString())) this.#changed.fire(root);
  }
}

async function mayTrack(root: vscode.Uri): Promise<boolean> {
  const index = vscode.Uri.joinPath(await gitFolder(root), 'index');
  try {
    return mayTrackState(await vscode.workspace.fs.readFile(index));
  } catch (error) {
    // Nothing was ever added, or there is no repository.
    return !(error instanceof vscode.FileSystemError && error.code === 'FileNotFound');
  }
}

/** Whether a file in the project's own folder, or a folder on the way to it, is a link. `known` keeps what is known of folders. */
export async function hasLink(
  root: vscode.Uri,
  path: string,
  known = new Map<string, Promise<boolean>>(),
): Promise<boolean> {
  const parts = path.split('/');
  for (let end = 1; end < parts.length; end += 1) {
    const folder = vscode.Uri.joinPath(root, ...parts.slice(0, end));
    const key = folder.toString();
    const found = known.get(key) ?? isLink(folder);
    known.set(key, found);
    if (await found) return true;
  }
  return isLink(vscode.Uri.joinPath(root, path));
}

async function isLink(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.SymbolicLink) !== 0;
  } catch {
    // It is not there.
    return false;
  }
}
