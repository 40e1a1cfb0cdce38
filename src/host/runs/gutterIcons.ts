import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { CaseTestItems } from './caseTestItems';

/** VS Code passes on several changes of an item after 200 ms, and draws the gutter 100 ms later. */
const DRAWN_MS = 350;

/**
 * Has the icons in the gutter drawn anew. VS Code draws one again when the result of its item is another, but not when the same result becomes
 * outdated or is current again. It does so for an item that is in another place: so items are moved to the end of their file, and back.
 */
export class GutterIcons implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #waiting = new Map<string, vscode.TestItem>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly items: CaseTestItems) {
    // VS Code ignores a place that was given for a text that has changed since.
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(() => this.#waiting.size > 0 && this.#schedule()));
  }

  /** Redraws the icons of items whose files are open, once nobody types. */
  redraw(items: readonly vscode.TestItem[]): void {
    for (const item of items) this.#waiting.set(item.id, item);
    if (this.#waiting.size > 0) this.#schedule();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#move(), DRAWN_MS);
  }

  #move(): void {
    const lineCounts = new Map(vscode.workspace.textDocuments.map(({ uri, lineCount }) => [uri.toString(), lineCount]));
    const moved = [...this.#waiting.values()].filter(
      ({ uri, range }) => range !== undefined && lineCounts.has(uri?.toString() ?? ''),
    );
    this.#waiting.clear();
    for (const item of moved) {
      const end = (lineCounts.get(item.uri?.toString() ?? '') ?? 1) - 1;
      item.range = new vscode.Range(end, 0, end, 0);
    }
    setTimeout(() => {
      if (!this.#owned.isDisposed) this.items.update(moved.map(({ id }) => vscode.Uri.parse(id)));
    }, DRAWN_MS);
  }
}
