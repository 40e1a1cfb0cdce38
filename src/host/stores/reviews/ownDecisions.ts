import * as vscode from 'vscode';
import { TrackedState } from '../../../core/project/trackedState';
import { DisposableStore } from '../../base/disposable';
import { watchFiles } from '../files/workspaceFiles';
import { headAndIndex } from './reviewQueue';

/** Lists what git tracks in the state of the project at an absolute path. Rejects if that cannot be known. */
export type ListTracked = (root: string) => Promise<readonly string[]>;

/**
 * Which decision files count: those that git does not track. The engine asks git once, when there is a decision, and again
 * when git's index changes. Where no engine may run, as in Restricted Mode, no decision counts.
 */
export class OwnDecisions implements vscode.Disposable {
  readonly #known = new Map<string, Promise<TrackedState | undefined>>();
  readonly #watched = new Set<string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned = new DisposableStore();

  /** Fires with the project whose decisions may count now, or no longer. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly list: ListTracked) {
    this.#owned.add(this.#changed);
    this.#owned.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        for (const root of this.#known.keys()) this.#forget(vscode.Uri.parse(root));
      }),
    );
  }

  /** Whether the decisions in a file count, by its path from the root. Never rejects. */
  async count(root: vscode.Uri, path: string): Promise<boolean> {
    const key = root.toString();
    const tracked = this.#known.get(key) ?? this.#follow(root);
    this.#known.set(key, tracked);
    return (await tracked)?.holds(path) === false;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #follow(root: vscode.Uri): Promise<TrackedState | undefined> {
    if (root.scheme !== 'file') return undefined;
    await this.#watch(root);
    return this.list(root.fsPath).then(
      (paths) => new TrackedState(paths),
      () => undefined,
    );
  }

  async #watch(root: vscode.Uri): Promise<void> {
    const key = root.toString();
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    this.#owned.add(watchFiles(await headAndIndex(root), () => this.#forget(root)));
  }

  #forget(root: vscode.Uri): void {
    if (this.#known.delete(root.toString())) this.#changed.fire(root);
  }
}
