import { editor } from 'monaco-editor/editor';
import type { Change } from '../../../src/core/model/change';
import { differsInvisibly } from './changeGist';
import { hasTwoSides } from './diffView';

/** Milliseconds for one diff, after which Monaco returns a coarser one. */
export const MAX_COMPUTATION_TIME = 3_000;
/** Milliseconds after which a worker that has not responded is considered dead. */
const WORKER_TIMEOUT_MS = MAX_COMPUTATION_TIME + 7_000;

/** The texts of a change in Monaco, with the diff that its worker computes. */
export class MonacoComparison {
  readonly viewModel: editor.IDiffEditorViewModel;
  readonly hasTwoSides: boolean;
  /** Whether the texts differ in white space alone, which has to be shown then. */
  readonly isInvisible: boolean;
  readonly #change: Change;
  readonly #watchdog: ReturnType<typeof setTimeout>;
  readonly #found: Promise<void>;

  /** `onFailure` is called when the worker does not respond. */
  constructor(diffEditor: editor.IStandaloneDiffEditor, change: Change, onFailure: (reason: string) => void) {
    const { before, after, language } = change;
    // Compared with an empty text, every line would be marked: a single text is compared with itself.
    this.hasTwoSides = hasTwoSides(change);
    this.isInvisible = this.hasTwoSides && differsInvisibly(before, after);
    const only = before || after;
    const original = this.hasTwoSides ? before : only;
    const modified = this.hasTwoSides ? after : only;
    this.#change = change;
    this.viewModel = diffEditor.createViewModel({
      original: editor.createModel(original, language),
      modified: editor.createModel(modified, language),
    });
    this.#watchdog = setTimeout(() => onFailure('its worker does not respond'), WORKER_TIMEOUT_MS);
    this.#found = this.viewModel.waitForDiff().then(() => clearTimeout(this.#watchdog));
  }

  isOf({ before, after, language }: Change): boolean {
    return before === this.#change.before && after === this.#change.after && language === this.#change.language;
  }

  /** Settles when the diff is there, or after a timeout in milliseconds. */
  ready(timeoutMs: number): Promise<void> {
    return Promise.race([this.#found, new Promise<void>((resolve) => setTimeout(resolve, timeoutMs))]);
  }

  dispose(): void {
    const { original, modified } = this.viewModel.model;
    clearTimeout(this.#watchdog);
    // First: this cancels the comparison, which would fail without its texts.
    this.viewModel.dispose();
    original.dispose();
    modified.dispose();
  }
}
