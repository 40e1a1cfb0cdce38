import type * as vscode from 'vscode';

/** Files that are to be read, those that are shown before the others. */
export class ReadingQueue {
  readonly #waiting = new Map<string, vscode.Uri>();
  readonly #shown = new Set<string>();

  get size(): number {
    return this.#waiting.size;
  }

  add(uri: vscode.Uri): void {
    this.#waiting.set(uri.toString(), uri);
  }

  /** Says that a file is on screen. */
  show(uri: vscode.Uri): void {
    this.#shown.add(uri.toString());
  }

  /** Whether a file was shown, which counts once. */
  takeShown(uri: vscode.Uri): boolean {
    return this.#shown.delete(uri.toString());
  }

  remove(uri: vscode.Uri): void {
    this.#waiting.delete(uri.toString());
    this.#shown.delete(uri.toString());
  }

  /** Takes so many of the next files. */
  take(count: number): readonly vscode.Uri[] {
    const taken: vscode.Uri[] = [];
    for (const keys of [this.#shown, this.#waiting.keys()])
      for (const key of keys) {
        if (taken.length >= count) return taken;
        const uri = this.#waiting.get(key);
        if (uri !== undefined) taken.push(uri);
        this.#waiting.delete(key);
      }
    return taken;
  }
}
