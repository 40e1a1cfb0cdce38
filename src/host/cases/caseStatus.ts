import * as vscode from 'vscode';
import { outdatedReason, stateWords } from '../../core/runs/caseState';
import { t } from '../../core/text/l10n';
import { caseIcon } from '../base/caseIcons';
import type { CommandId } from '../base/commands';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStates, KnownCase } from '../stores/cases/caseStates';
import type { CaseStore } from '../stores/cases/caseStore';

/** The cursor may move many times before it rests. */
const SETTLE_MS = 50;

/** Shows the state of the active editor's case in the status bar. A click reviews what is pending, or else replays the case. */
export function registerCaseStatus(cases: CaseStore, states: CaseStates): vscode.Disposable {
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
