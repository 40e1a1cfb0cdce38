import { editor, languages } from 'monaco-editor/editor';
import 'monaco-editor/features/diffEditor/register';
import type { Change } from '../../../src/core/model/change';
import { type DiffLayout, type DiffView, type DiffViewOptions, INLINE_BELOW } from './diffView';
import { MAX_COMPUTATION_TIME, MonacoComparison } from './monacoComparison';
import './monacoIcons.css';
import { onPageChange, settingsOfPage, themeOfPage } from './monacoTheme';
import { startEditorWorker } from './startEditorWorker';

/** Enough of JSON to colour it. Monaco's own JSON language comes with a second worker of a megabyte. */
export const JSON_LANGUAGE: languages.IMonarchLanguage = {
  tokenPostfix: '.json',
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
      [/"(?:[^"\\]|\\.)*"/, 'string.value'],
      [/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/[{}[\],:]/, 'delimiter'],
    ],
  },
};

const THEME = 'tapedeck';
/** Milliseconds until the texts are shown without the diff, if that is not there yet. */
const DIFF_WAIT_MS = 150;

/** Monaco forgets them with every update of other options that comes without them. */
const LABELS = { originalAriaLabel: 'Before', modifiedAriaLabel: 'Now' };

const OPTIONS: editor.IStandaloneDiffEditorConstructionOptions = {
  automaticLayout: true,
  readOnly: true,
  domReadOnly: true,
  originalEditable: false,
  // A change of white space is a change.
  ignoreTrimWhitespace: false,
  maxComputationTime: MAX_COMPUTATION_TIME,
  useInlineViewWhenSpaceIsLimited: true,
  renderSideBySideInlineBreakpoint: INLINE_BELOW,
  enableSplitViewResizing: false,
  ...LABELS,
  hideUnchangedRegions: { contextLineCount: 3, minimumLineCount: 4 },
  renderOverviewRuler: false,
  overviewRulerLanes: 0,
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  tabFocusMode: true,
  renderMarginRevertIcon: false,
  renderGutterMenu: false,
  lineNumbersMinChars: 3,
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
};

languages.register({ id: 'json' });
languages.setMonarchTokensProvider('json', JSON_LANGUAGE);

/**
 * Monaco's diff editor in `container`. Rejects when Monaco's worker cannot be started; `onFailure` hears of a worker that
 * fails later. The worker is started before Monaco asks for one, because Monaco would wait for it without end.
 */
export async function createMonacoDiff(container: HTMLElement, options: DiffViewOptions): Promise<DiffView> {
  const started = [await startEditorWorker(options.workerUrl)];
  const watched = (worker: Worker): Worker => {
    worker.addEventListener('error', ({ message }) => options.onFailure(`its worker failed (${message})`));
    return worker;
  };
  self.MonacoEnvironment = {
    async getWorker() {
      try {
        // Monaco lets an idle worker go, and asks for another one later.
        return watched(started.pop() ?? (await startEditorWorker(options.workerUrl)));
      } catch (error) {
        options.onFailure(error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  };
  return new MonacoDiff(container, options.onFailure, started);
}

class MonacoDiff implements DiffView {
  readonly #editor: editor.IStandaloneDiffEditor;
  readonly #onFailure: (reason: string) => void;
  readonly #stopFollowing: () => void;
  /** Workers that Monaco has not asked for yet; those it has, it ends itself. */
  readonly #unclaimed: Worker[];
  #layout: DiffLayout = { sideBySide: true, folded: true };
  #shown: MonacoComparison | undefined;
  #coming: MonacoComparison | undefined;

  constructor(container: HTMLElement, onFailure: (reason: string) => void, unclaimed: Worker[]) {
    applyTheme();
    this.#onFailure = onFailure;
    this.#unclaimed = unclaimed;
    this.#editor = editor.createDiffEditor(container, { ...OPTIONS, ...settingsOfPage(), theme: THEME });
    this.#stopFollowing = onPageChange(() => {
      applyTheme();
      this.#editor.updateOptions({ ...LABELS, ...settingsOfPage() });
    });
  }

  show(change: Change, layout: DiffLayout): void {
    this.#layout = layout;
    const overtaken = this.#coming;
    if (overtaken?.isOf(change)) return;
    this.#coming = undefined;
    if (this.#shown?.isOf(change)) this.#lay();
    else this.#announce(new MonacoComparison(this.#editor, change, this.#onFailure));
    // After the new one has been made: without any text, Monaco would end its worker.
    overtaken?.dispose();
  }

  dispose(): void {
    this.#stopFollowing();
    this.#editor.dispose();
    this.#coming?.dispose();
    this.#shown?.dispose();
    this.#coming = undefined;
    for (const worker of this.#unclaimed.splice(0)) worker.terminate();
  }

  /** Shows texts together with their diff where that is there soon, so that nothing jumps. */
  #announce(comparison: MonacoComparison): void {
    this.#coming = comparison;
    void comparison.ready(DIFF_WAIT_MS).then(() => {
      if (this.#coming === comparison) this.#put(comparison);
    });
  }

  #put(comparison: MonacoComparison): void {
    const previous = this.#shown;
    this.#shown = comparison;
    this.#coming = undefined;
    this.#lay();
    this.#editor.setModel(comparison.viewModel);
    previous?.dispose();
  }

  #lay(): void {
    const { sideBySide, folded } = this.#layout;
    this.#editor.updateOptions({
      ...LABELS,
      renderSideBySide: sideBySide,
      hideUnchangedRegions: { enabled: folded },
      // Of a text that is only shown, inline view would number every line twice.
      lineNumbers: this.#shown?.hasTwoSides ? 'on' : 'off',
      padding: { top: this.#shown?.hasTwoSides ? 0 : 6 },
    });
  }
}

function applyTheme(): void {
  editor.defineTheme(THEME, themeOfPage());
  editor.setTheme(THEME);
}
