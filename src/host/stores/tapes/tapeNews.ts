import * as vscode from 'vscode';

export interface TapeChange {
  readonly uris: readonly vscode.Uri[];
  /** Whether a file became a tape, or is no longer one. */
  readonly listChanged: boolean;
}

/** What has changed in the list of tapes, until it is reported: what comes within a moment is one event. */
export class TapeNews implements vscode.Disposable {
  readonly #news = new Map<string, { readonly uri: vscode.Uri; readonly listChanged: boolean }>();
  readonly #reported = new vscode.EventEmitter<TapeChange>();
  #soon: { readonly at: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  readonly onDidReport = this.#reported.event;

  add(uri: vscode.Uri, listChanged: boolean): void {
    const key = uri.toString();
    this.#news.set(key, { uri, listChanged: listChanged || this.#news.get(key)?.listChanged === true });
  }

  reportIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.#soon !== undefined && this.#soon.at <= at) return;
    clearTimeout(this.#soon?.timer);
    this.#soon = { at, timer: setTimeout(() => this.report(), ms) };
  }

  report(): void {
    clearTimeout(this.#soon?.timer);
    this.#soon = undefined;
    const news = [...this.#news.values()];
    this.#news.clear();
    if (news.length === 0) return;
    this.#reported.fire({ uris: news.map(({ uri }) => uri), listChanged: news.some((one) => one.listChanged) });
  }

  dispose(): void {
    clearTimeout(this.#soon?.timer);
    this.#reported.dispose();
  }
}
