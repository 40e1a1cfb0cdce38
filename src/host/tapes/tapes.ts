import * as vscode from 'vscode';
import { isTapePath } from '../../core/project/filePatterns';
import type { Placed } from '../../core/project/listTape';
import { t } from '../../core/text/l10n';
import type { Problem } from '../../core/text/source';
import { loadCore } from '../../reader/loadCore';
import { registerCommand } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import { Debouncer } from '../base/debounce';
import { DIAGNOSTIC_SOURCE, toDiagnostic } from '../base/diagnostics';
import { DisposableStore } from '../base/disposable';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { tapeIcon } from '../base/tapeIcons';
import type { ProjectSecrets } from '../stores/tapes/projectSecrets';
import type { TapeEntry, TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';
import { registerTranscriptEditor, type TranscriptFeature, type TranscriptParts } from './transcript/transcriptEditor';
import { activeTranscript } from './transcript/transcriptTabs';

interface TapeParts extends TranscriptParts {
  readonly tapes: TapeStore;
  readonly secrets: ProjectSecrets;
  readonly tapeTests: TapeTestStore;
}

/** Registers the transcript editor, and the problems and status of tapes. */
export function registerTapes({ tapes, secrets, tapeTests, ...parts }: TapeParts): vscode.Disposable {
  const owned = new DisposableStore();
  const transcripts = owned.add(registerTranscriptEditor(parts));
  owned.add(registerTapeDiagnostics(tapes, secrets));
  owned.add(registerOpenTapes(tapes, tapeTests));
  owned.add(
    registerCommand('tapedeck.describeFormat', parts.log, async (argument) => {
      const { describeFormat } = await import('./describeFormat');
      await describeFormat(
        argument.type === 'uri' ? argument.uri : argument.type === 'node' ? argument.node.resource : undefined,
      );
    }),
  );
  owned.add(registerTapeStatus(tapes, transcripts, parts.log));
  return owned;
}

/** Shows the problems and secrets of the tapes in the Problems view, with their quick fixes. */
function registerTapeDiagnostics(tapes: TapeStore, secrets: ProjectSecrets): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.tapes');
  const subscription = tapes.onDidChange(({ uris }) => {
    for (const uri of uris) {
      const found = diagnosticsOf(tapes.get(uri));
      // There may be thousands of tapes, so only changes are reported.
      if (found.length > 0 || collection.has(uri)) collection.set(uri, found.length > 0 ? found : undefined);
    }
  });
  const provider: vscode.CodeActionProvider = {
    async provideCodeActions(document, _range, { diagnostics }) {
      const ours = diagnostics.filter(({ source }) => source === DIAGNOSTIC_SOURCE);
      if (ours.length === 0 || tapes.get(document.uri) === undefined) return [];
      const { tapeQuickFixes } = await import('./tapeQuickFixes');
      return tapeQuickFixes(document, ours, secrets);
    },
  };
  const providedCodeActionKinds = [vscode.CodeActionKind.QuickFix];
  const quickFixes = vscode.languages.registerCodeActionsProvider({ scheme: '*' }, provider, {
    providedCodeActionKinds,
  });
  return vscode.Disposable.from(collection, subscription, quickFixes);
}

function diagnosticsOf(tape: TapeEntry | undefined): vscode.Diagnostic[] {
  const { problems = [], secrets = [] } = tape ?? {};
  return [
    ...problems.map((problem) => {
      const diagnostic = toDiagnostic(problem, placeOf(problem));
      if (problem.code !== undefined) diagnostic.code = problem.code;
      return diagnostic;
    }),
    ...secrets.map((finding) => {
      const diagnostic = toDiagnostic(finding, placeOf(finding));
      diagnostic.code = finding.rule;
      return diagnostic;
    }),
  ];
}

function placeOf({ from, to }: Placed<Problem>): vscode.Range {
  return new vscode.Range(from.line - 1, from.column - 1, to.line - 1, to.column - 1);
}

/** A longer text is a tape only if it is listed as one: to find out, it would have to be read. */
const MAX_READ = 5_000_000;

const SETTLE_MS = 50;

/**
 * Sets the `when` clause keys of the buttons in the title bar: the paths of the open files that are tapes, and of those
 * that a test uses.
 */
function registerOpenTapes(tapes: TapeStore, tests: TapeTestStore): vscode.Disposable {
  const owned = new DisposableStore();
  const openTapes = new ContextKey<readonly string[]>('tapedeck.openTapes');
  const testedTapes = new ContextKey<readonly string[]>('tapedeck.openTestedTapes');
  const hasTest = async (uri: vscode.Uri): Promise<boolean> =>
    mayHaveTest(tapes.get(uri)) && (await tests.testsOf(uri)).length > 0;
  const update = async (): Promise<void> => {
    const open = await Promise.all(openFiles().map(async (uri) => ((await isTape(tapes, uri)) ? [uri] : [])));
    openTapes.set(open.flat().flatMap(resourcePaths));
    const tested = await Promise.all(open.flat().map(async (uri) => ((await hasTest(uri)) ? [uri] : [])));
    testedTapes.set(tested.flat().flatMap(resourcePaths));
  };
  const soon = owned.add(new Debouncer(SETTLE_MS, () => void update()));
  const touch = (): void => soon.add('', undefined);
  owned.add(vscode.window.tabGroups.onDidChangeTabs(touch));
  owned.add(vscode.workspace.onDidOpenTextDocument(touch));
  owned.add(tapes.onDidChange(touch));
  owned.add(tests.onDidChange(touch));
  touch();
  return owned;
}

function mayHaveTest(tape: TapeEntry | undefined): boolean {
  return tape?.tested !== undefined || tape?.test !== undefined;
}

/** What `resourcePath` may be for a file: a window that is connected to another computer writes paths as its own does. */
function resourcePaths({ fsPath, path }: vscode.Uri): readonly string[] {
  return [...new Set([fsPath, path, path.replaceAll('/', '\\')])];
}

function openFiles(): readonly vscode.Uri[] {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = inputs.flatMap((input) =>
    input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [],
  );
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

/** Whether a file is a listed tape, or is named like one and has the content of one. */
async function isTape(tapes: TapeStore, uri: vscode.Uri): Promise<boolean> {
  if (tapes.get(uri) !== undefined) return true;
  if (!isTapePath(uri.path)) return false;
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  const text = document?.getText();
  if (text === undefined || text.length > MAX_READ) return false;
  const { detectFormat, tapeFileFromText } = await loadCore();
  return detectFormat(tapeFileFromText(text, uri.path)) !== undefined;
}

type Transcripts = Pick<TranscriptFeature, 'tapeIn' | 'onDidRead'>;

type ShownTape = Omit<TapeEntry, 'problems' | 'secrets'>;

/** Shows the format and the problems of the active tape in the status bar. A click shows details. */
function registerTapeStatus(tapes: TapeStore, transcripts: Transcripts, log: Log): vscode.Disposable {
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
