import * as vscode from 'vscode';
import type { ReplayMiss } from '../../../core/model/run';
import { t } from '../../../core/text/l10n';
import type { CommandArgument, DriftCommandArgument } from '../../base/commandArguments';
import { HumanError } from '../../base/humanError';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStates } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { CaseTests } from '../testExplorer/caseTests';
import { announceDrift } from './driftNotice';
import { writeMasks } from './maskEdits';

/** The case that a command fixes, with where it drifted. Rejects with a `HumanError` if it did not. */
export async function driftedCase(
  cases: CaseStore,
  states: CaseStates,
  argument: CommandArgument,
): Promise<Omit<DriftCommandArgument, 'case'> & { readonly entry: CaseEntry }> {
  await cases.load();
  const id = argument.type === 'drift' ? argument.drift.case : undefined;
  const uri = vscode.Uri.parse(id ?? (argument.type === 'failedTest' ? argument.failure.testId : ''));
  const entry = cases.get(uri);
  if (entry === undefined) throw new HumanError(t('This case is no longer in the workspace.'));
  if (argument.type === 'drift') return { ...argument.drift, entry };
  const miss = await lastMiss(states, uri);
  if (miss === undefined)
    throw new HumanError(t('This drift no longer exists: the case has run again. Look at its new result.'));
  return { entry, at: miss.at, masks: miss.masks };
}

/** The request without a recording in the last run of a case, also of one before the window was loaded. */
export async function lastMiss(states: CaseStates, uri: vscode.Uri): Promise<ReplayMiss | undefined> {
  const { run } = await states.get(uri);
  return run?.failures.find(({ miss }) => miss !== undefined)?.miss;
}

/** Writes the masks into the case, as an edit that can be undone, shows them, and replays the case with them. */
export async function maskAndReplay(entry: CaseEntry, masks: readonly string[], tests: CaseTests): Promise<void> {
  const written = await writeMasks([{ entry, masks }]);
  if (written === undefined) throw new HumanError(t('{0} cannot be edited.', entry.name));
  await showMask(written.place);
  const [result] = await tests.run([entry], 'replay');
  if (result !== undefined) await announceDrift(result);
}

/** With as much of what is above it as there is room for: the message that was acted on, in a peek view, has taken it. */
async function showMask({ uri, range }: vscode.Location): Promise<void> {
  await vscode.commands.executeCommand('editor.closeTestPeek');
  // In its visible editor, if any, so that it does not cover the transcript from which the command may have been run.
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const column = shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn };
  const editor = await vscode.window.showTextDocument(uri, { ...column, preserveFocus: true });
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(new vscode.Range(0, 0, 0, 0));
  editor.revealRange(range);
}
