import { editor } from 'monaco-editor/editor';
import type { Change } from '../../../src/core/model/change';
import { hasTwoSides } from './diffView';

/** Milliseconds for one diff; then Monaco makes do with a coarser one. */
export const MAX_COMPUTATION_TIME = 3_000;
/** A worker that is silent for longer than this is not coming back. */
const WORKER_TIMEOUT_MS = MAX_COMPUTATION_TIME + 7_000;

/** The texts of a change in Monaco, and what its worker finds to differ in them. */
export class MonacoComparison {
  readonly viewModel: editor.IDiffEditorViewModel;
  readonly hasTwoSides: boolean;
  readonly #change: Change;
  readonly #watchdog: ReturnType<typeof setTimeout>;
  readonly #found: Promise<void>;

  /** `onFailure` is called when the worker does not answer. */
  constructor(diffEditor: editor.IStandaloneDiffEditor, change: Change, onFailure: (reason: string) => void) {
    const { before, after, language } = change;
    // Against nothing, every line would be marked as a difference: then the text is shown against itself.
    this.hasTwoSides = hasTwoSides(change);
    const [original, modified] = this.hasTwoSides ? [before, after] : [before || after, before || after];
    this.#change = change;
    this.viewModel = diffEditor.createViewModel({
      original: editor.createModel(original, language),
      modified: editor.createModel(modified, language),
    });
    this.#watchdog = setTimeout(() => onFailure('its worker does not answer'), WORKER_TIMEOUT_MS);
    this.#found = this.viewModel.waitForDiff().then(() => clearTimeout(this.#watchdog));
  }

  isOf({ before, after, language }: Change): boolean {
    return before === this.#change.before && after === this.#change.after && language === this.#change.language;
  }

  /** Settles when the diff is there, or after so many milliseconds. */
  ready(patience: number): Promise<void> {
    return Promise.race([this.#found, new Promise<void>((resolve) => setTimeout(resolve, patience))]);
  }

  dispose(): void {
    const { original, modified } = this.viewModel.model;
    clearTimeout(this.#watchdog);
    // First, because it calls off the comparison, which would fail without its texts.
    this.viewModel.dispose();
    original.dispose();
    modified.dispose();
  }
}
