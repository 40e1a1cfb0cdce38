import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import type { DriftAction } from '../base/driftMends';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { tapeReading } from '../base/tapeReading';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';
import type { CaseTests } from './caseTests';

/** What mends a drift, from the message of a failed test: record again from there, or declare what may differ. */
export function registerDriftActions(cases: CaseStore, tests: CaseTests, log: Log): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('tapedeck.recordFromHere', log, async (argument) => {
      const { at } = actionOf(argument);
      await tests.run([await entryOf(cases, argument)], 'record', at);
    }),
    registerCommand('tapedeck.addMasks', log, async (argument) => {
      await addMasks(await entryOf(cases, argument), actionOf(argument).masks ?? []);
    }),
  );
}

/** Arguments come from a link, that is from anywhere. */
function actionOf(argument: unknown): Partial<DriftAction> {
  if (typeof argument !== 'object' || argument === null) return {};
  const at =
    'at' in argument && typeof argument.at === 'number' && argument.at >= 0 ? { at: Math.trunc(argument.at) } : {};
  const masks = 'masks' in argument && isTexts(argument.masks) ? { masks: argument.masks } : {};
  return { ...at, ...masks, ...('case' in argument && typeof argument.case === 'string' && { case: argument.case }) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

async function entryOf(cases: CaseStore, argument: unknown): Promise<CaseEntry> {
  await cases.load();
  const { case: named } = actionOf(argument);
  const entry = named === undefined ? undefined : cases.get(vscode.Uri.parse(named));
  if (entry === undefined) throw new HumanError('This case is not in the workspace any more.');
  return entry;
}

/** Writes the masks into the case, as an edit that can be undone, and shows them. */
async function addMasks({ file, name }: CaseEntry, masks: readonly string[]): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const splice = (await tapeReading()).addMasks(document.getText(), masks);
  if (splice === undefined) throw new HumanError(`${name} has these masks already, or is not in order just now.`);
  const edit = new vscode.WorkspaceEdit();
  const place = new vscode.Range(document.positionAt(splice.start), document.positionAt(splice.end));
  edit.replace(file, place, splice.text);
  await vscode.workspace.applyEdit(edit);
  const start = document.positionAt(document.getText().indexOf(splice.text, Math.max(0, splice.start - 1)));
  // Where it is on the screen already: not over the transcript, from which this may have been asked.
  const { viewColumn } = vscode.window.visibleTextEditors.find((editor) => editor.document === document) ?? {};
  const shown = viewColumn === undefined ? {} : { viewColumn };
  await vscode.window.showTextDocument(document, { ...shown, selection: new vscode.Range(start, start) });
}
