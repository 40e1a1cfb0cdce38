import { editor, languages } from 'monaco-editor/editor';
import { t } from '../../../src/core/text/l10n';
import 'monaco-editor/features/diffEditor/register';
import type { Change } from '../../../src/core/model/change';
import type { DiffLayout, DiffView, DiffViewOptions } from './diffView';
import { MAX_COMPUTATION_TIME, MonacoComparison } from './monacoComparison';
import './monacoIcons.css';
import { onPageChange, settingsOfPage, themeOfPage } from './monacoTheme';
import { startEditorWorker } from './startEditorWorker';

/** Enough of JSON to colour it. Monaco's own JSON language would need a second worker of a megabyte. */
const JSON_LANGUAGE: languages.IMonarchLanguage = {
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
/** Milliseconds after which the texts are shown without their diff. */
const DIFF_WAIT_MS = 150;

/** Part of every update of options: Monaco resets them otherwise. */
const LABELS = { originalAriaLabel: t('Before'), modifiedAriaLabel: t('After') };

const OPTIONS: editor.IStandaloneDiffEditorConstructionOptions = {
  automaticLayout: true,
  readOnly: true,
  domReadOnly: true,
  originalEditable: false,
  // A change of white space counts.
  ignoreTrimWhitespace: false,
  maxComputationTime: MAX_COMPUTATION_TIME,
  // The button on the page decides; Monaco would also drop its labels.
  useInlineViewWhenSpaceIsLimited: false,
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
 * Creates Monaco's diff editor in `container`. Rejects when its worker cannot be started; `onFailure` is called when a worker
 * fails later. The worker is started before Monaco requests one, because Monaco would wait for it forever.
 */
export async function createMonacoDiff(container: HTMLElement, options: DiffViewOptions): Promise<DiffView> {
  const started = [await startEditorWorker(options.workerUrl)];
  const watched = (worker: Worker): Worker => {
    worker.addEventListener('error', ({ message }) => options.onFailure(t('its worker failed ({0})', message)));
    return worker;
  };
  self.MonacoEnvironment = {
    async getWorker() {
      try {
        // Monaco ends an idle worker, and requests another one later.
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
  /** Workers that Monaco has not requested yet. It ends those that it has. */
  readonly #unclaimed: Worker[];
  #layout: DiffLayout = { sideBySide: true, folded: true };
  #shown: MonacoComparison | undefined;
  #pending: MonacoComparison | undefined;

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
    const replaced = this.#pending;
    if (replaced?.isOf(change)) return;
    this.#pending = undefined;
    if (this.#shown?.isOf(change)) this.#applyLayout();
    else this.#showWhenReady(new MonacoComparison(this.#editor, change, this.#onFailure));
    // After the new one was made: Monaco ends its worker when there is no text.
    replaced?.dispose();
  }

  dispose(): void {
    this.#stopFollowing();
    this.#editor.dispose();
    this.#pending?.dispose();
    this.#shown?.dispose();
    this.#pending = undefined;
    for (const worker of this.#unclaimed.splice(0)) worker.terminate();
  }

  /** Shows texts together with their diff if that is there soon, so that the lines do not jump. */
  #showWhenReady(comparison: MonacoComparison): void {
    this.#pending = comparison;
    void comparison.ready(DIFF_WAIT_MS).then(() => {
      if (this.#pending === comparison) this.#showNow(comparison);
    });
  }

  #showNow(comparison: MonacoComparison): void {
    const previous = this.#shown;
    this.#shown = comparison;
    this.#pending = undefined;
    this.#applyLayout();
    this.#editor.setModel(comparison.viewModel);
    previous?.dispose();
  }

  #applyLayout(): void {
    const { sideBySide, folded } = this.#layout;
    this.#editor.updateOptions({
      ...LABELS,
      renderSideBySide: sideBySide,
      hideUnchangedRegions: { enabled: folded },
      // Inline view would number every line of a single text twice.
      lineNumbers: this.#shown?.hasTwoSides ? 'on' : 'off',
      padding: { top: this.#shown?.hasTwoSides ? 0 : 6 },
      renderWhitespace: this.#shown?.isInvisible ? 'all' : 'selection',
    });
  }
}

function applyTheme(): void {
  editor.defineTheme(THEME, themeOfPage());
  editor.setTheme(THEME);
}
