import { editor, languages } from 'monaco-editor/editor';
import 'monaco-editor/features/diffEditor/register';
import type { Change } from '../../src/core/review/changes';
import type { DiffView, DiffViewOptions } from './diffView';
import { jsonTokens } from './jsonTokens';
import { fontOfPage, onPageThemeChange, themeOfPage } from './monacoTheme';
import { startEditorWorker } from './startEditorWorker';

const THEME = 'tapedeck';
/** Milliseconds for one diff; then Monaco shows a coarser one. */
const MAX_COMPUTATION_TIME = 3_000;
/** A worker that is silent for longer than this is not coming back. */
const ANSWER_TIMEOUT_MS = MAX_COMPUTATION_TIME + 7_000;

const OPTIONS: editor.IStandaloneDiffEditorConstructionOptions = {
  automaticLayout: true,
  readOnly: true,
  domReadOnly: true,
  originalEditable: false,
  // A change of white space is a change.
  ignoreTrimWhitespace: false,
  maxComputationTime: MAX_COMPUTATION_TIME,
  useInlineViewWhenSpaceIsLimited: true,
  renderSideBySideInlineBreakpoint: 640,
  hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 4 },
  renderMarginRevertIcon: false,
  renderGutterMenu: false,
  wordWrap: 'on',
  diffWordWrap: 'on',
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  stickyScroll: { enabled: false },
  renderLineHighlight: 'none',
  occurrencesHighlight: 'off',
  selectionHighlight: false,
  contextmenu: false,
  fixedOverflowWidgets: true,
  padding: { top: 4, bottom: 4 },
};

languages.register({ id: 'json' });
languages.setMonarchTokensProvider('json', jsonTokens);

/**
 * Monaco's diff editor in `container`. Rejects when Monaco's worker cannot be started; `onFailure` hears of a worker that
 * fails later. The worker is started before Monaco asks for one, because Monaco would wait for it without end.
 */
export async function createMonacoDiff(container: HTMLElement, options: DiffViewOptions): Promise<DiffView> {
  let started: Worker | undefined = await startEditorWorker(options.workerUrl);
  const watched = (worker: Worker): Worker => {
    worker.addEventListener('error', ({ message }) => options.onFailure(message));
    return worker;
  };
  self.MonacoEnvironment = {
    async getWorker() {
      const worker = started ?? (await startEditorWorker(options.workerUrl));
      started = undefined;
      return watched(worker);
    },
  };
  return new MonacoDiff(container, options.onFailure);
}

class MonacoDiff implements DiffView {
  readonly #editor: editor.IStandaloneDiffEditor;
  readonly #onFailure: (reason: string) => void;
  readonly #stopTheme: () => void;
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, onFailure: (reason: string) => void) {
    applyTheme();
    this.#onFailure = onFailure;
    this.#editor = editor.createDiffEditor(container, { ...OPTIONS, ...fontOfPage(), theme: THEME });
    this.#editor.onDidUpdateDiff(() => clearTimeout(this.#watchdog));
    this.#stopTheme = onPageThemeChange(() => {
      applyTheme();
      this.#editor.updateOptions(fontOfPage());
    });
  }

  show(change: Change): void {
    const previous = this.#editor.getModel();
    const modelOf = (text: string): editor.ITextModel => editor.createModel(text, change.language);
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#onFailure('the comparison did not finish in time'), ANSWER_TIMEOUT_MS);
    this.#editor.setModel({ original: modelOf(change.before), modified: modelOf(change.after) });
    disposeModels(previous);
  }

  setSideBySide(sideBySide: boolean): void {
    this.#editor.updateOptions({ renderSideBySide: sideBySide });
  }

  dispose(): void {
    clearTimeout(this.#watchdog);
    this.#stopTheme();
    const model = this.#editor.getModel();
    this.#editor.dispose();
    disposeModels(model);
  }
}

function applyTheme(): void {
  editor.defineTheme(THEME, themeOfPage());
  editor.setTheme(THEME);
}

function disposeModels(model: editor.IDiffEditorModel | null): void {
  model?.original.dispose();
  model?.modified.dispose();
}
