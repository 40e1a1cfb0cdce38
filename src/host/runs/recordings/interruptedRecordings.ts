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
 * Offers to save recordings that were interrupted, or whose run failed, when a trusted project is opened. The engine is only
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
  for (const recordings of questions(await engine.call('interruptedRecordings', { root }))) {
    const chosen = await vscode.window.showWarningMessage(describe(recordings), t(SAVE), t(DISCARD));
    if (chosen === t(SAVE)) await save(engine, folder, recordings);
    else if (chosen === t(DISCARD) && (await confirmDiscard(recordings)))
      for (const { id } of recordings) await engine.call('discardRecording', { root, id });
  }
}

type Recordings = readonly InterruptedRecording[];

/** What is asked about together: one run may have failed with many tests, each of which has a recording. */
function questions(all: Recordings): readonly Recordings[] {
  const interrupted = all.filter(({ failed }) => !failed).map((one) => [one]);
  const failed = all.filter((one) => one.failed);
  return failed.length === 0 ? interrupted : [...interrupted, failed];
}

async function hasJournals(folder: vscode.Uri): Promise<boolean> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, JOURNAL_FOLDER)).then(
    (found) => found,
    // There is no such folder where nothing was ever recorded by a proxy.
    () => [],
  );
  return entries.some(([name]) => name.endsWith('.jsonl'));
}

function describe([first, ...others]: Recordings): string {
  if (first === undefined || others.length > 0)
    return t('{0} were not saved, because their runs failed.', plural(others.length + 1, 'recording'));
  const { tape, since, interactions, failed } = first;
  const values = [oneLine(tape), new Date(since).toLocaleString(), plural(interactions, 'interaction')] as const;
  return failed
    ? t('A recording of {0}, started {1}, was not saved, because its run failed after {2}.', ...values)
    : t('A recording of {0}, started {1}, was interrupted after {2}.', ...values);
}

async function save(engine: Pick<EngineClient, 'call'>, folder: vscode.Uri, recordings: Recordings): Promise<void> {
  let interactions = 0;
  for (const { id } of recordings) interactions = await engine.call('recoverRecording', { root: folder.fsPath, id });
  const [first, ...others] = recordings;
  // Not waited for: the next question is asked although this stays open.
  if (first !== undefined && others.length === 0) void offerTranscript(folder, first, interactions);
  else void vscode.window.showInformationMessage(t('{0} were saved.', plural(recordings.length, 'recording')));
}

async function offerTranscript(
  folder: vscode.Uri,
  { tape }: InterruptedRecording,
  interactions: number,
): Promise<void> {
  const open = t('Open Transcript');
  const saved = t('{0} was saved with {1}.', oneLine(tape), plural(interactions, 'interaction'));
  if ((await vscode.window.showInformationMessage(saved, open)) === open)
    await vscode.commands.executeCommand('tapedeck.openTranscript', vscode.Uri.joinPath(folder, tape));
}

async function confirmDiscard(recordings: Recordings): Promise<boolean> {
  const [first, ...others] = recordings;
  const message =
    first === undefined || others.length > 0
      ? t('Discard {0}?', plural(recordings.length, 'recording'))
      : t('Discard the recording of {0}?', oneLine(first.tape));
  const interactions = recordings.reduce((sum, one) => sum + one.interactions, 0);
  const detail = t('Its {0} will be removed for good.', plural(interactions, 'interaction'));
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, t(DISCARD))) === t(DISCARD);
}
