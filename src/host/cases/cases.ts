import * as vscode from 'vscode';
import { outdatedReason, stateWords } from '../../core/runs/caseState';
import { t } from '../../core/text/l10n';
import { caseIcon } from '../base/caseIcons';
import { caseFileOf } from '../base/caseUri';
import type { ResourceNode } from '../base/commandArguments';
import { type CommandId, registerCommand } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import { Debouncer } from '../base/debounce';
import { toDiagnostic } from '../base/diagnostics';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStates, KnownCase } from '../stores/cases/caseStates';
import type { CaseStore } from '../stores/cases/caseStore';
import { type AgentCases, type CaseRuns, registerCaseCommands } from './caseCommands';
import { registerCaseDecorations } from './caseDecorations';
import { CaseTree } from './caseTree';
import type { CaseTreeStores } from './caseTreeItems';
import type { TreeNode } from './caseTreeNodes';
import { followActiveTab } from './followActiveTab';
import type { CaseMaking } from './newCase/caseOfRun';

interface CaseFeature extends vscode.Disposable {
  /** The rows that are selected in the tree. */
  selected(): readonly ResourceNode[];
}

/** Registers the view of cases, their language support and their commands. `review` opens the review of a case. */
export function registerCases(parts: {
  readonly stores: CaseTreeStores;
  readonly runs: CaseRuns;
  readonly agents: AgentCases;
  readonly review: (uri: vscode.Uri) => void;
  /** Makes cases from runs; absent if there is no engine. */
  readonly making?: CaseMaking;
  readonly log: Log;
}): CaseFeature {
  const { stores, runs, agents, review, making, log } = parts;
  const owned = new DisposableStore();
  const tree = owned.add(new CaseTree(stores));
  const view = owned.add(registerCaseView(tree));
  owned.add(registerCaseDecorations(stores.states));
  owned.add(registerCaseDiagnostics(stores.cases));
  owned.add(registerWithFirstCase(stores.cases));
  const renamed = new Set<string>();
  owned.add(registerWithFirstToml(stores, renamed));
  owned.add(
    vscode.workspace.onWillRenameFiles((event) => {
      const isComplete = event.files.some(({ oldUri }) => renamed.delete(oldUri.toString()));
      if (isComplete) return;
      event.waitUntil(
        import('./language/fileMoves').then(({ editsForMoves }) => editsForMoves(stores.cases, event.files)),
      );
    }),
  );
  // Loaded when used: both ask several questions, which takes a lot of code.
  const newCase = () => import('./newCase/newCase');
  owned.add(registerCommand('tapedeck.newCase', log, async (argument) => (await newCase()).newCase(argument, stores)));
  owned.add(
    registerCommand('tapedeck.newCaseForTape', log, async (argument) =>
      (await newCase()).newCaseForTape(argument, stores),
    ),
  );
  if (making !== undefined)
    owned.add(
      registerCommand('tapedeck.makeCaseOfRun', log, async (argument) =>
        (await import('./newCase/caseOfRun')).makeCaseOfRun(argument, stores.cases, making),
      ),
    );
  owned.add(registerCaseStatus(stores.cases, stores.states));
  owned.add(registerCaseCommands(stores, tree, runs, agents, review, log));
  return { selected: () => view.selected(), dispose: () => owned.dispose() };
}

/** What compares cases with each other is loaded with the first that is listed. */
function registerWithFirstCase(cases: CaseStore): vscode.Disposable {
  const owned = new DisposableStore();
  const first = cases.onDidChange(async () => {
    first.dispose();
    const { registerSharedTapeDiagnostics } = await import('./sharedTapeDiagnostics');
    owned.add(registerSharedTapeDiagnostics(cases));
  });
  owned.add(first);
  return owned;
}

/** Registers what helps to write cases and `tapedeck.toml`, which is loaded with the first TOML file that is open or listed. */
function registerWithFirstToml(
  { cases, tapes }: Pick<CaseTreeStores, 'cases' | 'tapes'>,
  renamed: Set<string>,
): vscode.Disposable {
  const owned = new DisposableStore();
  let isLoaded = false;
  const load = async (uris: readonly vscode.Uri[]): Promise<void> => {
    if (isLoaded || !uris.some(({ path }) => path.endsWith('.toml'))) return;
    isLoaded = true;
    const { registerCaseLanguage } = await import('./language/caseLanguage');
    owned.add(registerCaseLanguage(cases, tapes, renamed));
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => load([uri])));
  owned.add(cases.onDidChange(load));
  void load(vscode.workspace.textDocuments.map(({ uri }) => uri));
  return owned;
}

/** Shows the problems of the cases in the Problems view and in the text. */
function registerCaseDiagnostics(cases: CaseStore): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.cases');
  const subscription = cases.onDidChange((uris) => {
    const files = new Map(uris.map((uri) => [caseFileOf(uri).toString(), caseFileOf(uri)]));
    for (const file of files.values()) {
      const found = cases.inFile(file).flatMap(caseDiagnostics);
      // There may be thousands of cases, so only changes are reported.
      if (found.length > 0 || collection.has(file)) collection.set(file, found.length > 0 ? found : undefined);
    }
  });
  return vscode.Disposable.from(collection, subscription);
}

function caseDiagnostics({ problems, range }: CaseEntry): vscode.Diagnostic[] {
  return problems.map((problem) => toDiagnostic(problem, range(problem.span)));
}

/** The cursor may move many times before it rests. */
const SETTLE_MS = 50;

/** Shows the state of the active editor's case in the status bar. A click reviews what is pending, or else replays the case. */
function registerCaseStatus(cases: CaseStore, states: CaseStates): vscode.Disposable {
  const owned = new DisposableStore();
  const item = owned.add(vscode.window.createStatusBarItem('tapedeck.case', vscode.StatusBarAlignment.Right, 91));
  item.name = t('Tapedeck Case');
  let shown: CaseEntry | undefined;
  const update = async (): Promise<void> => {
    const entry = await activeCase(cases);
    shown = entry;
    if (entry === undefined) item.hide();
    else show(item, entry, await states.get(entry.uri));
  };
  const soon = owned.add(new Debouncer<string>(SETTLE_MS, () => void update()));
  const touch = (): void => soon.add('', '');
  owned.add(vscode.window.onDidChangeActiveTextEditor(touch));
  owned.add(vscode.window.onDidChangeTextEditorSelection(touch));
  owned.add(cases.onDidChange(touch));
  owned.add(
    states.onDidChange((uris) => {
      const key = shown?.uri.toString();
      if (key !== undefined && uris.some((uri) => uri.toString() === key)) touch();
    }),
  );
  touch();
  return owned;
}

/** The case at the cursor of the active editor. Only known cases: nothing is read for the status bar. */
async function activeCase(cases: CaseStore): Promise<CaseEntry | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { line } = editor.selection.active;
  const entries = cases.inFile(editor.document.uri);
  return entries.findLast(({ headLine }) => headLine <= line) ?? entries[0];
}

function show(item: vscode.StatusBarItem, { uri, name }: CaseEntry, { state, run }: KnownCase): void {
  const words = stateWords(state);
  item.text = `$(${caseIcon(state).id}) ${words[0]?.toUpperCase()}${words.slice(1)}`;
  const toReview = state.pending > 0;
  const lines = [name, run?.compared, outdatedReason(state), toReview ? t('Click to review') : t('Click to replay')];
  item.tooltip = lines.filter((line) => line !== undefined).join('\n');
  item.accessibilityInformation = { label: t('case {0}, {1}', name, words), role: 'button' };
  const command: CommandId = toReview ? 'tapedeck.reviewCase' : 'tapedeck.replayCase';
  item.command = { title: toReview ? t('Review') : t('Replay'), command, arguments: [uri] };
  item.show();
}

/** The rows that are recordings, of which two can be compared. */
const RECORDINGS: ReadonlySet<TreeNode['type']> = new Set(['tape', 'take', 'run']);

interface CaseView extends vscode.Disposable {
  /** The selected rows. */
  selected(): readonly ResourceNode[];
}

/** Shows the tree in the sidebar. It names its filter, and selects what the active editor shows, as the explorer does. */
function registerCaseView(tree: CaseTree): CaseView {
  const owned = new DisposableStore();
  const options = { treeDataProvider: tree, showCollapseAll: true, canSelectMany: true };
  const view = owned.add(vscode.window.createTreeView('tapedeck.cases', options));
  owned.add(
    tree.onDidChangeTreeData(() => {
      const message = messageOf(tree);
      if (message !== (view.message ?? '')) view.message = message;
    }),
  );
  const isTakeSelected = new ContextKey<boolean>('tapedeck.takeSelected');
  const isPairSelected = new ContextKey<boolean>('tapedeck.pairSelected');
  owned.add(
    view.onDidChangeSelection(({ selection }) => {
      isTakeSelected.set(selection.some(({ type }) => type === 'take'));
      isPairSelected.set(selection.length === 2 && selection.every(({ type }) => RECORDINGS.has(type)));
    }),
  );
  owned.add(followActiveTab(view, tree));
  return { selected: () => view.selection, dispose: () => owned.dispose() };
}

/** What the filter is, and how much it leaves; the button that clears it is above. And what is not listed in a large workspace. */
function messageOf(tree: CaseTree): string {
  const { cases, tapes, unread } = tree.cut;
  const lines = [
    ...(tree.filter === '' ? [] : [filterMessage(tree)]),
    ...(tapes.length === 0
      ? []
      : [t('Not all tapes of {0} are listed. To list fewer, change the setting tapedeck.tapes.', names(tapes))]),
    ...(unread === 0
      ? []
      : [
          t(
            '{0} files are not read, nor their problems listed, until they are shown or the list is refreshed.',
            unread.toLocaleString('en'),
          ),
        ]),
    ...(cases.length === 0
      ? []
      : [
          t(
            'Not all files of {0} are searched for cases. To leave folders out, use the setting files.exclude.',
            names(cases),
          ),
        ]),
  ];
  return lines.join(' ');
}

function filterMessage({ filter, count: { shown, all } }: CaseTree): string {
  return t('Filter “{0}”: {1} of {2}', filter, shown.toLocaleString('en'), all.toLocaleString('en'));
}

function names(folders: readonly string[]): string {
  return folders.map((name) => `“${name}”`).join(', ');
}
