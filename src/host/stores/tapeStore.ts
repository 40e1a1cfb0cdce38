import * as vscode from 'vscode';
import { Debouncer } from '../base/debounce';
import { IGNORED_GLOB } from './caseStore';

export const TAPE_GLOB = '**/*.tape.json';
const SETTLE_MS = 100;

/** Which tape files the workspace has. Their content is read only where it is shown. */
export class TapeStore implements vscode.Disposable {
  readonly #uris = new Map<string, vscode.Uri>();
  readonly #changed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  readonly #settled = new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => this.#changed.fire(uris));
  #watcher: vscode.FileSystemWatcher | undefined;
  #loading: Promise<void> | undefined;

  /** Fires with the tapes that appeared, changed or went away. */
  readonly onDidChange = this.#changed.event;

  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  async reload(): Promise<void> {
    this.#uris.clear();
    this.#loading = this.#discover();
    await this.#loading;
  }

  has(uri: vscode.Uri): boolean {
    return this.#uris.has(uri.toString());
  }

  all(): readonly vscode.Uri[] {
    return [...this.#uris.values()];
  }

  dispose(): void {
    this.#settled.dispose();
    this.#watcher?.dispose();
    this.#changed.dispose();
  }

  async #discover(): Promise<void> {
    this.#watch();
    for (const uri of await vscode.workspace.findFiles(TAPE_GLOB, IGNORED_GLOB)) this.#uris.set(uri.toString(), uri);
  }

  #watch(): void {
    if (this.#watcher) return;
    this.#watcher = vscode.workspace.createFileSystemWatcher(TAPE_GLOB);
    const touch = (uri: vscode.Uri, exists: boolean): void => {
      if (uri.path.includes('/.tapedeck/')) return;
      if (exists) this.#uris.set(uri.toString(), uri);
      else this.#uris.delete(uri.toString());
      this.#settled.add(uri.toString(), uri);
    };
    this.#watcher.onDidCreate((uri) => touch(uri, true));
    this.#watcher.onDidChange((uri) => touch(uri, true));
    this.#watcher.onDidDelete((uri) => touch(uri, false));
  }
}
