import type * as vscode from 'vscode';

/** So many files are read that nobody has asked for. */
const MOST_UNASKED = 10_000;

/** Files that are to be read, those that are shown before the others. Of very many, the others wait until they are shown. */
export class ReadingQueue {
  readonly #waiting = new Map<string, vscode.Uri>();
  readonly #shown = new Set<string>();
  #unasked: number;

  constructor(private readonly most = MOST_UNASKED) {
    this.#unasked = most;
  }

  /** How many are to be read now. */
  get size(): number {
    return this.#unasked > 0 ? this.#waiting.size : [...this.#shown].filter((key) => this.#waiting.has(key)).length;
  }

  /** How many wait until they are shown. */
  get left(): number {
    return this.#unasked > 0 ? 0 : this.#waiting.size;
  }

  /** Has as many read again, beginning with those that wait. */
  refill(): void {
    this.#unasked = this.most;
  }

  add(uri: vscode.Uri): void {
    this.#waiting.set(uri.toString(), uri);
  }

  /** Takes a file back that was taken, and not read. */
  putBack(uri: vscode.Uri): void {
    this.add(uri);
    this.#unasked += 1;
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
    const takeFrom = (keys: Iterable<string>, most: number): void => {
      for (const key of keys) {
        if (taken.length >= most) return;
        const uri = this.#waiting.get(key);
        if (uri !== undefined) taken.push(uri);
        this.#waiting.delete(key);
      }
    };
    takeFrom(this.#shown, count);
    const shown = taken.length;
    takeFrom(this.#waiting.keys(), Math.min(count, shown + this.#unasked));
    this.#unasked -= taken.length - shown;
    return taken;
  }
}
