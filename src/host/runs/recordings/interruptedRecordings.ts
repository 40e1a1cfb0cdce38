import * as vscode from 'vscode';
import type { InterruptedRecording } from '../../../contracts/engine/interruptedRecordings';
import { JOURNAL_FOLDER } from '../../../core/project/layout';
import { plural } from '../../../core/text/counts';
import { message, t } from '../../../core/text/l10n';
import { oneLine } from '../../base/confirm';
import { DisposableStore } from '../../base/disposable';
import { reportError } from '../../base/humanError';
import type { Log } from '../../base/log';
import type { EngineClient } from '../../engine/engineClient';

const SAVE = message('Save');
const DISCARD = message('Discard');

/**
 * Offers to save recordings of `exec` and `serve` that were interrupted, when a trusted project is opened. The engine is only
 * started for a project that has journals of recordings.
 */
export function registerInterruptedRecordings(engine: Pick<EngineClient, 'call'>, log: Log): vscode.Disposable {
  const owned = new DisposableStore();
  const offerIn = (folders: readonly vscode.WorkspaceFolder[]): void => {
    if (!vscode.workspace.isTrusted) return;
    for (const { uri } of folders) offer(engine, uri).catch((error: unknown) => void reportError(error, log));
  };
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => offerIn(vscode.workspace.workspaceFolders ?? [])));
  owned.add(vscode.workspace.onDidChangeWorkspaceFolders(({ added }) => offerIn(added)));
  offerIn(vscode.workspace.workspaceFolders ?? []);
  return owned;
}

async function offer(engine: Pick<EngineClient, 'call'>, folder: vscode.Uri): Promise<void> {
  if (folder.scheme !== 'file' || !(await hasJournals(folder))) return;
  const root = folder.fsPath;
  for (const recording of await engine.call('interruptedRecordings', { root })) {
    const chosen = await vscode.window.showWarningMessage(describe(recording), t(SAVE), t(DISCARD));
    if (chosen === t(SAVE)) await save(engine, folder, recording);
    else if (chosen === t(DISCARD) && (await confirmDiscard(recording)))
      await engine.call('discardRecording', { root, id: recording.id });
  }
}

async function hasJournals(folder: vscode.Uri): Promise<boolean> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, JOURNAL_FOLDER)).then(
    (found) => found,
    // There is no such folder where nothing was ever recorded by a proxy.
    () => [],
  );
  return entries.some(([name]) => name.endsWith('.jsonl'));
}

function describe({ tape, since, interactions }: InterruptedRecording): string {
  const begun = new Date(since).toLocaleString();
  return t(
    'A recording of {0}, started {1}, was interrupted after {2}.',
    oneLine(tape),
    begun,
    plural(interactions, 'interaction'),
  );
}

async function save(
  engine: Pick<EngineClient, 'call'>,
  folder: vscode.Uri,
  { id, tape }: InterruptedRecording,
): Promise<void> {
  const count = await engine.call('recoverRecording', { root: folder.fsPath, id });
  const open = t('Open Transcript');
  const chosen = await vscode.window.showInformationMessage(
    t('{0} was saved with {1}.', oneLine(tape), plural(count, 'interaction')),
    open,
  );
  if (chosen === open)
    await vscode.commands.executeCommand('tapedeck.openTranscript', vscode.Uri.joinPath(folder, tape));
}

async function confirmDiscard({ tape, interactions }: InterruptedRecording): Promise<boolean> {
  const message = t('Discard the recording of {0}?', oneLine(tape));
  const detail = t('Its {0} will be removed for good.', plural(interactions, 'interaction'));
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, t(DISCARD))) === t(DISCARD);
}
