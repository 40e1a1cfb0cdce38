import * as vscode from 'vscode';
import { type Answers, forward, type Handlers, type Served, serve } from '../../../contracts/contract';
import {
  type ReaderPreferences,
  type TranscriptState,
  tapeQueries,
  transcriptPage,
} from '../../../contracts/transcript/transcript';
import { editingCalls } from '../../../contracts/transcript/transcriptEditing';
import type { FixDriftParams, RunProgress, ShownDrift } from '../../../contracts/transcript/transcriptEvents';
import { message, t } from '../../../core/text/l10n';
import { LineIndex } from '../../../core/text/source';
import { loadCore } from '../../../reader/loadCore';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import { driftFixes, fixTitle } from '../../base/driftFixes';
import { TAKE_SCHEME } from '../../base/transcriptViews';
import { webviewChannel, webviewHtml, webviewOptions } from '../../base/webview';
import type { TapeDrift } from '../../stores/cases/driftStore';
import type { HoldStore } from '../../stores/runs/holdStore';
import type { TapeEntry } from '../../stores/tapes/tapeStore';
import { projectPrices, type TapeDocument } from '../tapeDocument';
import { PreviousTotalsWatcher, type ReadPreviousTotals } from './previousTotalsWatcher';
import { SourceSelector, type StartReader } from './sourceSelector';

/** How long a document must be unchanged before the page is sent a new transcript. */
const SETTLE_MS = 50;
/** The key of the reader's last preferences, which apply to all tapes. */
const PREFERENCES_KEY = 'transcript.chosen';

const TAKE_REASON = message('A take is kept as it was recorded. To change it, restore it first.');

/** The page refuses as well; this is for anything else that reaches the host. */
async function refuseTake(): Promise<never> {
  throw new Error(t(TAKE_REASON));
}

type ShownTape = Pick<TapeEntry, 'format' | 'formatLabel' | 'family' | 'interactions'>;

interface PanelParts {
  readonly extensionUri: vscode.Uri;
  readonly memory: vscode.Memento;
  readonly holds: HoldStore | undefined;
  readonly readPreviousTotals: ReadPreviousTotals | undefined;
  readonly startReading: StartReader | undefined;
}

/** An editor of a tape: the page and its connection to the document. */
export class TranscriptPanel implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #source: SourceSelector;
  readonly #page: Served<typeof transcriptPage>;
  readonly #debouncedSend: Debouncer<TapeDocument>;
  readonly #previousTotals: PreviousTotalsWatcher | undefined;
  readonly #read = this.#owned.add(new vscode.EventEmitter<void>());
  readonly onDidRead = this.#read.event;
  #shown: ShownTape | undefined;
  #sentVersion = -1;
  #isOpen = false;
  #focus: number | undefined;
  #editing: Promise<Answers<typeof editingCalls>> | undefined;
  #drifts: readonly TapeDrift[] = [];

  constructor(
    readonly document: TapeDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly parts: PanelParts,
  ) {
    const { extensionUri, memory, readPreviousTotals, startReading } = parts;
    const { webview } = panel;
    this.#source = this.#owned.add(new SourceSelector(document, () => projectPrices(document.uri), startReading));
    this.#page = serve(transcriptPage, webviewChannel(webview), this.#handlers());
    this.#owned.add({ dispose: () => this.#page.close(t('the transcript was closed')) });
    this.#debouncedSend = this.#owned.add(new Debouncer(SETTLE_MS, () => void this.#send()));
    this.#owned.add(document.onDidChange(() => this.#onChange()));
    if (readPreviousTotals !== undefined) {
      this.#previousTotals = this.#owned.add(
        new PreviousTotalsWatcher(document, readPreviousTotals, (previousTotals) =>
          this.#page.patch({ previousTotals }),
        ),
      );
    }
    // VS Code destroys a hidden page. The next one calls `open` again.
    this.#owned.add(panel.onDidChangeViewState(() => panel.visible || this.#leave()));
    webview.options = webviewOptions(extensionUri);
    webview.html = webviewHtml({
      webview,
      extensionUri,
      name: 'transcript',
      title: t('Transcript of {0}', this.#source.name),
      begin: JSON.stringify(memory.get<ReaderPreferences>(PREFERENCES_KEY, {})),
    });
  }

  /** The tape that the page shows; undefined until it has been read, and for a file that is not a tape. */
  get shown(): ShownTape | undefined {
    return this.#shown;
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** Shows an interaction as soon as the page is ready. */
  focus(interaction: number): void {
    this.#focus = interaction;
    if (this.#isOpen) this.#sendFocus();
  }

  /** Opens the help of the page. */
  showHelp(): void {
    this.#page.emit('help', undefined);
  }

  /** Has the page open the transcript as text, at what is being read. Returns false if there is no page yet. */
  readAsText(): boolean {
    if (this.#isOpen) this.#page.emit('text', undefined);
    return this.#isOpen;
  }

  /** Asks the page to fork the tape at the current interaction. Returns false if there is no page yet. */
  fork(): boolean {
    if (this.#isOpen) this.#page.emit('fork', undefined);
    return this.#isOpen;
  }

  /** Shows the progress of a run with the tape; undefined when the run has ended. */
  showRunProgress(playing: RunProgress | undefined): void {
    this.#page.patch({ playing: playing ?? null });
  }

  /** Shows the drifts between the last runs and the tape. */
  showDrifts(drifts: readonly TapeDrift[] = []): void {
    this.#drifts = drifts;
    void this.#sendDrifts();
  }

  /** Shows the breakpoints of the tape, and what is held of it. */
  showHolds(): void {
    const { holds } = this.parts;
    if (holds) this.#page.patch({ holds: holds.shown(this.document.uri) });
  }

  dispose(): void {
    this.#leave();
    this.#owned.dispose();
  }

  #handlers(): Handlers<typeof transcriptPage.calls> {
    const { memory } = this.parts;
    const isTake = this.document.uri.scheme === TAKE_SCHEME;
    return {
      open: () => this.#open(),
      ...forward(tapeQueries, () => this.#source.current()),
      ...(isTake && { readOnlyReason: async () => t(TAKE_REASON) }),
      revealSource: async ({ interaction }) => revealOffset(this.document, await this.#startOf(interaction)),
      revealLine: ({ line }) => revealLine(this.document, line),
      openAsText: () => openTextEditor(this.document.uri, this.panel.viewColumn),
      describeFormat: async () =>
        void (await vscode.commands.executeCommand('tapedeck.describeFormat', this.document.uri)),
      openLink: ({ url }) => openLink(url),
      review: async () => void (await vscode.commands.executeCommand('tapedeck.openAsReview', this.document.uri)),
      remember: async (chosen) =>
        memory.update(PREFERENCES_KEY, { ...memory.get<ReaderPreferences>(PREFERENCES_KEY), ...chosen }),
      ...forward(editingCalls, () => this.#loadEditing()),
      ...(isTake && { edit: refuseTake, redact: refuseTake }),
      fixDrift: (params) => fixDrift(this.#drifts, params),
      toggleBreakpoint: async ({ interaction }) => this.parts.holds?.toggle(this.document.uri, interaction),
      releaseHeld: async (params) => this.parts.holds?.requests?.release(params),
    };
  }

  #loadEditing(): Promise<Answers<typeof editingCalls>> {
    this.#editing ??= import('./tapeEditing').then(({ tapeEditing }) => tapeEditing(this.document, this.parts.holds));
    return this.#editing;
  }

  async #open(): Promise<void> {
    this.#isOpen = true;
    this.#sendFocus();
    this.showHolds();
    this.#previousTotals?.refresh();
    await this.#sendTranscript();
  }

  /** Shows the beginning of the transcript, and then the rest. */
  async #sendTranscript(): Promise<void> {
    const { version } = this.document;
    this.#sentVersion = version;
    const transcript = await (await this.#source.current()).state(undefined);
    this.#shown = shownIn(transcript);
    this.#page.patch({ transcript });
    this.#read.fire();
    setTimeout(() => void this.#grow(() => this.#isOpen && version === this.document.version), 0);
  }

  async #grow(isWanted: () => boolean): Promise<void> {
    try {
      const source = await this.#source.current();
      const { readToEnd } = await import('../../../reader/tapeSource');
      await readToEnd(source, isWanted, (growth) => this.#page.emit('grew', growth));
    } catch (error) {
      if (!isWanted()) return;
      const message = error instanceof Error ? error.message : String(error);
      this.#page.patch({ transcript: { type: 'unreadable', message } });
    }
  }

  /** The next page asks anew for what is much. */
  #leave(): void {
    if (this.#isOpen) this.#page.patch({ transcript: undefined });
    this.#isOpen = false;
    this.#source.rest();
  }

  #onChange(): void {
    if (this.document.version !== this.#sentVersion) this.#debouncedSend.add('document', this.document);
  }

  async #startOf(interaction: number): Promise<number> {
    return (await (await this.#source.current()).span({ interaction })).start;
  }

  async #send(): Promise<void> {
    if (!this.#isOpen || this.document.version === this.#sentVersion) return;
    await this.#sendTranscript();
  }

  async #sendDrifts(): Promise<void> {
    const sent = this.#drifts;
    const drifts = await Promise.all(sent.map(toShownDrift));
    if (sent === this.#drifts) this.#page.patch({ drifts });
  }

  #sendFocus(): void {
    if (this.#focus === undefined) return;
    this.#page.emit('focus', { interaction: this.#focus });
    this.#focus = undefined;
  }
}

function shownIn(state: TranscriptState): ShownTape | undefined {
  if (state.type !== 'transcript') return undefined;
  const { format, formatLabel, family, length } = state.transcript;
  return { format, formatLabel, family, interactions: length };
}

/** A drift as the page shows it. */
async function toShownDrift({ caseUri, caseName, failure }: TapeDrift): Promise<ShownDrift> {
  const { message, expected, actual, miss } = failure;
  const { diffText } = await loadCore();
  return {
    interaction: miss.nearest ?? Math.max(0, Math.min(miss.at, miss.recorded - 1)),
    caseName,
    line: miss.line,
    message,
    diff: expected === undefined || actual === undefined ? [] : diffText(expected, actual),
    fixes: driftFixes(miss, caseUri).map(fixTitle),
  };
}

/** Runs one of the fixes that the page was shown. */
async function fixDrift(drifts: readonly TapeDrift[], { drift, fix }: FixDriftParams): Promise<void> {
  const found = drifts[drift];
  const wanted = found && driftFixes(found.failure.miss, found.caseUri)[fix];
  if (wanted === undefined)
    throw new Error(t('This drift no longer exists: the case has run again. Look at the drifts of the new run.'));
  await vscode.commands.executeCommand(wanted.command, wanted.argument);
}

/** Shows an offset of a tape's text in its visible text editor, or in a new one beside the transcript. */
async function revealOffset(document: TapeDocument, offset: number): Promise<void> {
  const { text } = document;
  if (text !== undefined) return reveal(document, text.positionAt(offset));
  const { line, column } = new LineIndex((await document.file()).text).position(offset);
  await reveal(document, new vscode.Position(line - 1, column - 1));
}

/** Shows a line, from 1, of a tape in a text editor. */
async function revealLine(document: TapeDocument, line: number): Promise<void> {
  await reveal(document, new vscode.Position(Math.max(0, line - 1), 0));
}

async function openTextEditor(uri: vscode.Uri, viewColumn = vscode.ViewColumn.Active): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { viewColumn });
}

async function reveal({ uri, text }: TapeDocument, position: vscode.Position): Promise<void> {
  if (/\.(gz|eval)$/.test(uri.path))
    throw new Error(
      t('This tape is compressed, so it cannot be shown as text. Use "Open Transcript as Text" instead.'),
    );
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document === text);
  const selection = new vscode.Range(position, position);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Beside;
  if (text === undefined) {
    // VS Code shows the text of a very large file, but does not share it with extensions.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { viewColumn, selection });
    return;
  }
  const range = text.validateRange(selection);
  const editor = await vscode.window.showTextDocument(text, { viewColumn, selection: range });
  editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
}

/**
 * Opens a link of recorded content in the browser, after the user has confirmed its address: its text comes from the
 * model and may be misleading. Expects a link that passed `isExternalLink`.
 */
async function openLink(link: string): Promise<void> {
  const { href, host } = new URL(link);
  const open = t('Open');
  const chosen = await vscode.window.showInformationMessage(
    host === '' ? t('Open this address?') : t('Open a page on {0}?', host),
    { modal: true, detail: t('{0}\n\nThe link comes from the recording.', href) },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
}
