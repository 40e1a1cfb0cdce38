import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { registerCommand } from '../base/commands';
import { DIAGNOSTIC_SOURCE } from '../base/diagnostics';
import { DisposableStore } from '../base/disposable';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { tapeIcon } from '../base/tapeIcons';
import type { TapeEntry, TapeStore } from '../stores/tapes/tapeStore';
import type { TranscriptFeature } from './transcript/transcriptEditor';
import { activeTranscript } from './transcript/transcriptTabs';

type Transcripts = Pick<TranscriptFeature, 'tapeIn' | 'onDidRead'>;
type ShownTape = Omit<TapeEntry, 'problems' | 'secrets'>;

/** Shows the format and the problems of the active tape in the status bar. A click shows details. */
export function registerTapeStatus(tapes: TapeStore, transcripts: Transcripts, log: Log): vscode.Disposable {
  const owned = new DisposableStore();
  const status = owned.add(new TapeStatus(tapes, transcripts));
  owned.add(registerCommand('tapedeck.tapeDetails', log, () => status.showDetails()));
  return owned;
}

class TapeStatus implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #shown: ShownTape | undefined;

  constructor(
    private readonly tapes: TapeStore,
    private readonly transcripts: Transcripts,
  ) {
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('tapedeck.tape', vscode.StatusBarAlignment.Right, 90),
    );
    this.#item.name = t('Tapedeck Tape');
    this.#item.command = 'tapedeck.tapeDetails';
    this.#owned.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#update()));
    this.#owned.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#update()));
    this.#owned.add(vscode.window.onDidChangeActiveTextEditor(() => this.#update()));
    this.#owned.add(tapes.onDidChange(() => this.#update()));
    this.#owned.add(transcripts.onDidRead(() => this.#update()));
    this.#owned.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const shown = this.#shown?.uri.toString();
        if (shown !== undefined && uris.some((uri) => uri.toString() === shown)) this.#update();
      }),
    );
    this.#update();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async showDetails(): Promise<void> {
    const tape = this.#shown;
    if (tape === undefined) throw new HumanError(t('No tape is active. Open one in the Tapedeck view.'));
    const chosen = await vscode.window.showQuickPick(detailsOf(tape), {
      title: `${vscode.workspace.asRelativePath(tape.uri)}: ${tape.formatLabel}, ${summary(tape)}`,
      placeHolder: t('Select an action for this tape'),
    });
    if (chosen?.command !== undefined) await vscode.commands.executeCommand(chosen.command, ...chosen.arguments);
  }

  /** Reads no file: a tape outside the workspace is described by its open transcript. */
  #update(): void {
    const transcript = activeTranscript();
    const uri = transcript ?? vscode.window.activeTextEditor?.document.uri;
    const tape = (uri && this.tapes.get(uri)) ?? (transcript && this.transcripts.tapeIn(transcript));
    this.#shown = tape;
    if (tape === undefined) this.#item.hide();
    else this.#show(tape);
  }

  #show(tape: ShownTape): void {
    const { errors, warnings } = countsOf(tape);
    const state = errors > 0 ? `$(error) ${errors}` : warnings > 0 ? `$(warning) ${warnings}` : '$(pass)';
    this.#item.text =
      tape.family === 'unreadable'
        ? `$(${errors > 0 ? 'error' : tapeIcon(tape.family)}) ${tape.formatLabel}`
        : `$(${tapeIcon(tape.family)}) ${tape.formatLabel} · ${tape.interactions} ${state}`;
    this.#item.tooltip = t('{0}\nClick for details', summary(tape));
    this.#item.accessibilityInformation = { label: `${tape.formatLabel}, ${summary(tape)}` };
    this.#item.backgroundColor = errors > 0 ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.show();
  }
}

interface Detail extends vscode.QuickPickItem {
  readonly command?: string;
  readonly arguments: readonly unknown[];
}

function detailsOf({ uri }: ShownTape): Detail[] {
  const problems = problemsOf(uri);
  const isTranscript = activeTranscript()?.toString() === uri.toString();
  return [
    ...(problems.length === 0
      ? []
      : [
          {
            label: t('$(warning) Show Problems'),
            description: `${problems.length}`,
            detail: problems[0]?.message.split('\n')[0] ?? '',
            command: 'workbench.actions.view.problems',
            arguments: [],
          },
        ]),
    isTranscript
      ? { label: t('$(go-to-file) Open as Text'), command: 'tapedeck.openTapeAsText', arguments: [uri] }
      : { label: t('$(comment-discussion) Open as Transcript'), command: 'tapedeck.openTranscript', arguments: [uri] },
    { label: t('$(list-tree) Show in Explorer'), command: 'revealInExplorer', arguments: [uri] },
  ];
}

/** The counts as in the Problems view: of the format, of secrets, and of an orphaned tape. */
function countsOf({ uri }: ShownTape): { readonly errors: number; readonly warnings: number } {
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  const count = (wanted: vscode.DiagnosticSeverity): number =>
    problemsOf(uri).filter(({ severity }) => severity === wanted).length;
  return { errors: count(error), warnings: count(warning) };
}

function problemsOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === DIAGNOSTIC_SOURCE);
}

function summary(tape: ShownTape): string {
  const { errors, warnings } = countsOf(tape);
  const interactions = `${tape.interactions} ${tape.interactions === 1 ? 'interaction' : 'interactions'}`;
  if (errors + warnings === 0) return t('{0}, no problems', interactions);
  return `${interactions}, ${errors + warnings} ${errors + warnings === 1 ? 'problem' : 'problems'}`;
}
