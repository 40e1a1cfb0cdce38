import * as vscode from 'vscode';
import { caseFileOf } from '../../base/caseUri';
import { DisposableStore } from '../../base/disposable';
import type { CaseTestItems } from './caseTestItems';

/** How long nobody must have typed. */
const SETTLE_MS = 350;
/** The extension host passes changes of items on after 200 ms, and the window draws the gutter 100 ms after it has received them. */
const PASSED_ON_MS = 250;
const DRAWN_MS = 150;

/**
 * Has the icons in the gutter drawn anew. VS Code draws one again when the result of its item is another, but not when the same result becomes
 * outdated or is current again. It does so for an item that had no place: so items lose their places, and are given them back.
 */
export class GutterIcons implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly items: CaseTestItems) {
    // VS Code ignores a place that was given for a text that has changed since.
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(() => this.#waiting.size > 0 && this.#schedule()));
  }

  /** Redraws the icons of items whose files are open, once nobody types. */
  redraw(items: readonly vscode.TestItem[]): void {
    for (const { id } of items) this.#waiting.add(id);
    if (this.#waiting.size > 0) this.#schedule();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#redraw(), SETTLE_MS);
  }

  async #redraw(): Promise<void> {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const drawn = [...this.#waiting]
      .map((id) => vscode.Uri.parse(id))
      .filter((uri) => open.has(caseFileOf(uri).toString()) && this.items.of(uri)?.range !== undefined);
    this.#waiting.clear();
    if (drawn.length === 0) return;
    this.items.displace(drawn);
    await pause(PASSED_ON_MS);
    await windowAnswers();
    await pause(DRAWN_MS);
    await windowAnswers();
    if (!this.#owned.isDisposed) this.items.update(drawn);
  }
}

/** Resolves when the window has done what it was sent before; it may be slow. */
async function windowAnswers(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'tapedeck.gutterDrawn', true);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
