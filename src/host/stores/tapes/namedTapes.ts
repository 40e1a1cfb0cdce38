import * as vscode from 'vscode';
import { isTapePath } from '../../../core/project/filePatterns';
import { watchFiles } from '../files/workspaceFiles';

/** The files that something names as tapes, by the name of what does. Those that no glob is certain to match are watched here. */
export class NamedTapes implements vscode.Disposable {
  readonly #named = new Map<string, ReadonlyMap<string, vscode.Uri>>();
  #watchers: vscode.Disposable | undefined;

  constructor(private readonly touched: (uri: vscode.Uri) => void) {}

  /** Returns what is named no longer by this; undefined if nothing has changed. */
  set(by: string, uris: readonly vscode.Uri[]): readonly vscode.Uri[] | undefined {
    const before = this.#named.get(by);
    const named = new Map(uris.map((uri) => [uri.toString(), uri]));
    const gone = [...(before ?? [])].flatMap(([key, uri]) => (named.has(key) ? [] : [uri]));
    if (gone.length === 0 && named.size === (before?.size ?? 0)) return undefined;
    this.#named.set(by, named);
    this.#watch();
    return gone;
  }

  all(): readonly vscode.Uri[] {
    return [...this.#named.values()].flatMap((uris) => [...uris.values()]);
  }

  has(uri: vscode.Uri): boolean {
    const key = uri.toString();
    return [...this.#named.values()].some((uris) => uris.has(key));
  }

  dispose(): void {
    this.#watchers?.dispose();
  }

  #watch(): void {
    const others = this.all().filter(({ path }) => !isTapePath(path));
    const folders = new Map(others.map((uri) => vscode.Uri.joinPath(uri, '..')).map((uri) => [uri.toString(), uri]));
    const isNamed = new Set(others.map(String));
    const patterns = [...folders.values()].map((folder) => new vscode.RelativePattern(folder, '*'));
    this.#watchers?.dispose();
    this.#watchers = watchFiles(patterns, (uri) => isNamed.has(uri.toString()) && this.touched(uri));
  }
}
