import { editor, languages } from 'monaco-editor/editor';
import { t } from '../../../src/core/text/l10n';
import 'monaco-editor/features/diffEditor/register';
import type { Change } from '../../../src/core/model/change';
import { type DiffLayout, type DiffView, type DiffViewOptions, hasTwoSides } from './diffView';
import './monacoIcons.css';
import { differsInvisibly } from './changeGist';
import { readableOnDiff } from './contrast';
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

/** Milliseconds for one diff, after which Monaco returns a coarser one. */
const MAX_COMPUTATION_TIME = 3_000;

/** Milliseconds after which a worker that has not responded is considered dead. */
const WORKER_TIMEOUT_MS = MAX_COMPUTATION_TIME + 7_000;

/** The texts of a change in Monaco, with the diff that its worker computes. */
class MonacoComparison {
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

/** Monaco's built-in theme for each class that VS Code puts on a webview's body. */
const BASES: readonly (readonly [bodyClass: string, base: editor.BuiltinTheme])[] = [
  ['vscode-high-contrast-light', 'hc-light'],
  ['vscode-high-contrast', 'hc-black'],
  ['vscode-light', 'vs'],
];

/** The tokens of `JSON_LANGUAGE`, and the property of theme.css with the colour of each. */
const TOKEN_COLORS: readonly (readonly [token: string, property: string])[] = [
  ['string.key.json', '--json-key'],
  ['string.value.json', '--json-string'],
  ['number.json', '--json-number'],
  ['keyword.json', '--json-literal'],
];

/** The page's theme for Monaco. VS Code passes its colours to webviews as `--vscode-*` properties of the root. */
function themeOfPage(): editor.IStandaloneThemeData {
  const { classList } = document.body;
  const base = BASES.find(([bodyClass]) => classList.contains(bodyClass))?.[1] ?? 'vs-dark';
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return { base, inherit: true, rules: [], colors: {} };
  const colors = colorsOf(context, document.documentElement.style);
  // Themes without contrast borders have no line between the texts, without which an empty text cannot be seen.
  const border = colors['diffEditor.border'] ?? colors['editorGroup.border'];
  return {
    base,
    inherit: true,
    rules: tokenRules(context, colors),
    colors: { ...colors, ...(border && { 'diffEditor.border': border }) },
  };
}

/** Colours for JSON that stay readable where a line or a piece of it is marked as removed or added. */
function tokenRules(context: CanvasRenderingContext2D, colors: Record<string, string>): editor.ITokenThemeRule[] {
  const style = getComputedStyle(document.body);
  return TOKEN_COLORS.flatMap(([token, property]) => {
    const color = hexColor(context, style.getPropertyValue(property).trim());
    return color === undefined ? [] : [{ token, foreground: readableOnDiff(color, colors).slice(1) }];
  });
}

function colorsOf(context: CanvasRenderingContext2D, style: CSSStyleDeclaration): Record<string, string> {
  const colors: Record<string, string> = {};
  for (const property of style) {
    const color = property.startsWith('--vscode-') && hexColor(context, style.getPropertyValue(property).trim());
    if (color) colors[colorId(property)] = color;
  }
  return colors;
}

/** `--vscode-diffEditor-insertedLineBackground` → `diffEditor.insertedLineBackground`. */
function colorId(property: string): string {
  return property.slice('--vscode-'.length).replace('-', '.');
}

/** A CSS colour as `#rrggbb` or `#rrggbbaa`, which is all that Monaco's themes take; undefined for other text. */
function hexColor(context: CanvasRenderingContext2D, value: string): string | undefined {
  if (!CSS.supports('color', value)) return undefined;
  context.fillStyle = value;
  const color = context.fillStyle;
  if (color.startsWith('#')) return color;
  const [red, green, blue, alpha] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (red === undefined || green === undefined || blue === undefined || alpha === undefined) return undefined;
  return `#${[red, green, blue, Math.round(alpha * 255)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The user's editor settings that VS Code passes to a page: the font, and whether a screen reader is used. */
function settingsOfPage(): editor.IEditorOptions {
  const style = getComputedStyle(document.documentElement);
  const fontFamily = style.getPropertyValue('--vscode-editor-font-family').trim();
  const fontSize = Number.parseFloat(style.getPropertyValue('--vscode-editor-font-size'));
  const fontWeight = style.getPropertyValue('--vscode-editor-font-weight').trim();
  const screenReader = document.body.classList.contains('vscode-using-screen-reader');
  return {
    accessibilitySupport: screenReader ? 'on' : 'auto',
    ...(fontFamily && { fontFamily }),
    ...(Number.isFinite(fontSize) && { fontSize }),
    ...(fontWeight && { fontWeight }),
  };
}

/** Calls `listener` when VS Code gives the page another theme or other settings. Returns the unsubscriber. */
function onPageChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => observer.disconnect();
}
