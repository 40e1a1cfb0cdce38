import * as vscode from 'vscode';
import type { ReaderStart } from '../../../contracts/reader/reader';
import { t } from '../../../core/text/l10n';
import { requireTapeUri } from '../../base/commandArguments';
import { registerCommand } from '../../base/commands';
import { DisposableStore } from '../../base/disposable';
import { HumanError } from '../../base/humanError';
import type { Log } from '../../base/log';
import { OPTIONAL_VIEW_TYPE, PACKED_VIEW_TYPE, TRANSCRIPT_VIEW_TYPE } from '../../base/transcriptViews';
import type { DriftStore } from '../../stores/cases/driftStore';
import type { RunProgressStore } from '../../stores/cases/runProgressStore';
import type { HoldStore } from '../../stores/runs/holdStore';
import type { TapeEntry } from '../../stores/tapes/tapeStore';
import { PackedEditor } from '../packed/packedEditor';
import { interactionAtPosition, type TapeDocument, textTape } from '../tapeDocument';
import type { ReadPreviousTotals } from './previousTotalsWatcher';
import { registerTapeLinks } from './tapeLinks';
import type { ThreadSource } from './threadSource';
import type { ShownTapes } from './transcriptPages';
import { TranscriptPanel } from './transcriptPanel';
import { activeTextUri, activeTranscript, openAsText, openAsTranscript } from './transcriptTabs';

export interface TranscriptFeature extends vscode.Disposable {
  /** Opens a tape as a transcript, at an interaction (from 0) if one is named. */
  openAt(uri: vscode.Uri, interaction?: number): Promise<void>;
  /** The tape of an open transcript, as far as it has been read. */
  tapeIn(uri: vscode.Uri): Omit<TapeEntry, 'problems' | 'secrets'> | undefined;
  readonly onDidRead: vscode.Event<void>;
}

/** The part of the extension's context that transcripts use. */
type TranscriptContext = Pick<
  vscode.ExtensionContext,
  'extensionUri' | 'globalState' | 'storageUri' | 'globalStorageUri'
>;

export interface TranscriptParts {
  readonly context: TranscriptContext;
  readonly log: Log;
  /** The progress of runs; absent if nothing can run. */
  readonly playing?: RunProgressStore;
  /** The drifts of the last runs; absent if nothing can run. */
  readonly drifts?: DriftStore;
  /** Breakpoints and held requests; absent if nothing can run. */
  readonly holds?: HoldStore;
  /** Reads the totals of tapes before they changed; absent without git. */
  readonly readPreviousTotals?: ReadPreviousTotals;
  /** Starts a thread with a script that reads a large tape; absent if there are no threads. */
  readonly startReading?: (script: string, start: ReaderStart) => ThreadSource;
}

/** Registers the transcript editor and its commands. */
export function registerTranscriptEditor(parts: TranscriptParts): TranscriptFeature {
  const owned = new DisposableStore();
  const editors = owned.add(new TranscriptEditors(parts));
  owned.add(registerEditorProviders(editors, parts.context));
  owned.add(registerTranscriptCommands(editors, parts.log));
  owned.add(registerTapeLinks((uri, interaction) => editors.openAt(uri, interaction), parts.log));
  return {
    openAt: (uri, interaction) => editors.openAt(uri, interaction),
    tapeIn: (uri) => editors.tapeIn(uri),
    onDidRead: editors.onDidRead,
    dispose: () => owned.dispose(),
  };
}

function registerEditorProviders(
  editors: TranscriptEditors,
  { storageUri, globalStorageUri }: TranscriptContext,
): vscode.Disposable {
  const owned = new DisposableStore();
  const several = { supportsMultipleEditorsPerDocument: true };
  for (const viewType of [TRANSCRIPT_VIEW_TYPE, OPTIONAL_VIEW_TYPE]) {
    owned.add(vscode.window.registerCustomEditorProvider(viewType, editors, several));
  }
  const folder = storageUri ?? globalStorageUri;
  const packed = owned.add(new PackedEditor((document, panel) => editors.show(document, panel), folder));
  owned.add(vscode.window.registerCustomEditorProvider(PACKED_VIEW_TYPE, packed, several));
  return owned;
}

function registerTranscriptCommands(editors: TranscriptEditors, log: Log): vscode.Disposable {
  const exporter = new TranscriptExporter((uri) => editors.panelOf(uri)?.document.file());
  const active = (): vscode.Uri | undefined => activeTranscript() ?? activeTextUri();
  return vscode.Disposable.from(
    exporter,
    registerCommand('tapedeck.openTranscript', log, async (argument, interaction) => {
      const uri = requireTapeUri(argument, activeTextUri());
      await editors.openAt(uri, typeof interaction === 'number' ? interaction : await interactionAtCursor(uri));
    }),
    registerCommand('tapedeck.openTapeAsText', log, (argument) =>
      openAsText(requireTapeUri(argument, activeTranscript())),
    ),
    registerCommand('tapedeck.openTranscriptAsText', log, async (argument, interaction) => {
      if (argument.type === 'none' && editors.active()?.readAsText()) return;
      const at = typeof interaction === 'number' ? interaction : 0;
      await exporter.openAsText(requireTapeUri(argument, active()), at);
    }),
    registerCommand('tapedeck.forkFromHere', log, () => {
      if (!editors.active()?.fork())
        throw new HumanError(t('Open the transcript of a tape, and select an interaction.'));
    }),
    registerCommand('tapedeck.showTranscriptHelp', log, () => editors.active()?.showHelp()),
    registerCommand('tapedeck.exportTranscript', log, (argument) =>
      exporter.exportPage(requireTapeUri(argument, active())),
    ),
  );
}

class TranscriptEditors implements vscode.CustomTextEditorProvider, vscode.Disposable {
  readonly #panels = new Set<TranscriptPanel>();
  /** The interaction to show first in editors that are being opened, by the URI of their tape. */
  readonly #wanted = new Map<string, number>();
  readonly #read = new vscode.EventEmitter<void>();
  readonly onDidRead = this.#read.event;
  readonly #follow: vscode.Disposable;

  constructor(private readonly parts: TranscriptParts) {
    const { playing, drifts, holds } = parts;
    const follow = (
      store: RunProgressStore | DriftStore | HoldStore | undefined,
      update: (panel: TranscriptPanel) => void,
    ) =>
      store?.onDidChange((tape) => {
        for (const panel of this.#panels) if (panel.document.uri.toString() === tape.toString()) update(panel);
      });
    this.#follow = vscode.Disposable.from(
      ...[
        follow(playing, (panel) => panel.showRunProgress(playing?.get(panel.document.uri))),
        follow(drifts, (panel) => panel.showDrifts(drifts?.get(panel.document.uri))),
        follow(holds, (panel) => panel.showHolds()),
      ].filter((subscription) => subscription !== undefined),
    );
  }

  async openAt(uri: vscode.Uri, interaction: number | undefined): Promise<void> {
    const key = uri.toString();
    if (interaction !== undefined) this.#wanted.set(key, interaction);
    try {
      await openAsTranscript(uri);
      this.#deliver(key);
    } finally {
      this.#wanted.delete(key);
    }
  }

  tapeIn(uri: vscode.Uri): ReturnType<TranscriptFeature['tapeIn']> {
    const shown = this.panelOf(uri)?.shown;
    return shown && { uri, ...shown };
  }

  active(): TranscriptPanel | undefined {
    return [...this.#panels].find(({ isActive }) => isActive);
  }

  panelOf(uri: vscode.Uri): TranscriptPanel | undefined {
    return [...this.#panels].find((panel) => panel.document.uri.toString() === uri.toString());
  }

  resolveCustomTextEditor(document: vscode.TextDocument, webviewPanel: vscode.WebviewPanel): void {
    this.show(textTape(document), webviewPanel);
  }

  show(document: TapeDocument, webviewPanel: vscode.WebviewPanel): void {
    const { context, log, playing, drifts, holds, readPreviousTotals, startReading } = this.parts;
    const previousTotals: ReadPreviousTotals | undefined =
      readPreviousTotals &&
      (async (uri) => {
        try {
          return await readPreviousTotals(uri);
        } catch (error) {
          log.info(`${uri.path} is shown without its previous totals: ${error}`);
          return null;
        }
      });
    const { extensionUri, globalState } = context;
    const script = vscode.Uri.joinPath(extensionUri, 'dist', 'tapeReader.js').fsPath;
    const start = startReading && ((begin: ReaderStart) => startReading(script, begin));
    const panel = new TranscriptPanel(document, webviewPanel, {
      extensionUri,
      memory: globalState,
      holds,
      readPreviousTotals: previousTotals,
      startReading: start,
    });
    this.#panels.add(panel);
    panel.showRunProgress(playing?.get(document.uri));
    panel.showDrifts(drifts?.get(document.uri));
    panel.onDidRead(() => this.#read.fire());
    webviewPanel.onDidDispose(() => {
      this.#panels.delete(panel);
      panel.dispose();
    });
    this.#deliver(document.uri.toString());
  }

  dispose(): void {
    this.#follow.dispose();
    this.#read.dispose();
    for (const panel of this.#panels) panel.dispose();
    this.#panels.clear();
  }

  /** Shows the wanted interaction in the active editor of the tape, or in any other if none is active yet. */
  #deliver(key: string): void {
    const interaction = this.#wanted.get(key);
    const candidates = [...this.#panels].filter(({ document }) => document.uri.toString() === key);
    const panel = candidates.find(({ isActive }) => isActive) ?? candidates.at(-1);
    if (interaction === undefined || panel === undefined) return;
    this.#wanted.delete(key);
    panel.focus(interaction);
  }
}

/** The interaction at the cursor, if the tape's text is active and the cursor is not at its start. */
async function interactionAtCursor(uri: vscode.Uri): Promise<number | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString()) return undefined;
  const { active } = editor.selection;
  return active.line === 0 && active.character === 0 ? undefined : interactionAtPosition(editor.document, active);
}

/** The scheme of transcripts as text: read-only documents that follow their tapes. */
const SCHEME = 'tapedeck-transcript';

/** Shows transcripts as text, which screen readers can read line by line, and exports them as web pages. */
class TranscriptExporter implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #owned: vscode.Disposable;

  constructor(private readonly shown: ShownTapes) {
    const follow = (tape: vscode.Uri): void => this.#changed.fire(textUri(tape));
    this.#owned = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => follow(document.uri)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => follow(uri)),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.#pages()).textOf(vscode.Uri.parse(uri.query, true), this.shown);
  }

  /** @param interaction The interaction to show first, from 0. */
  async openAsText(tape: vscode.Uri, interaction: number): Promise<void> {
    const { requireTape, showInteraction } = await this.#pages();
    await requireTape(tape, this.shown);
    // Changes of packed tapes fire no event of VS Code.
    this.#changed.fire(textUri(tape));
    const document = await vscode.workspace.openTextDocument(textUri(tape));
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    if (interaction > 0) showInteraction(editor, interaction);
  }

  async exportPage(tape: vscode.Uri): Promise<void> {
    await (await this.#pages()).exportPage(tape, this.shown);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }

  /** Loaded when used: the transcript itself needs nothing of it. */
  #pages(): Promise<typeof import('./transcriptPages')> {
    return import('./transcriptPages');
  }
}

function textUri(tape: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `${tape.path}.txt`, query: tape.toString() });
}
