import * as vscode from 'vscode';
import { loadCore } from '../../reader/loadCore';
import type { CommandArgument } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReviewCalls } from '../engine/engineReviews';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';
import { subjectOf } from '../stores/reviewAddress';
import type { ReviewStore } from '../stores/reviewStore';
import type { CaseTests } from './caseTests';

/** The commands that fix a drift, from the message of a failed test: record again from there, or mask what varies. */
export function registerDriftCommands(cases: CaseStore, tests: CaseTests, log: Log): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('tapedeck.recordFromHere', log, async (argument) => {
      const at = argument.type === 'drift' ? argument.drift.at : undefined;
      await tests.run([await entryOf(cases, argument)], 'record', at);
    }),
    registerCommand('tapedeck.addMasks', log, async (argument) => {
      const masks = argument.type === 'drift' ? argument.drift.masks : undefined;
      await addMasks(await entryOf(cases, argument), masks ?? []);
    }),
  );
}

async function entryOf(cases: CaseStore, argument: CommandArgument): Promise<CaseEntry> {
  await cases.load();
  const entry = argument.type === 'drift' ? cases.get(vscode.Uri.parse(argument.drift.case)) : undefined;
  if (entry === undefined) throw new HumanError('This case is no longer in the workspace.');
  return entry;
}

/** Writes the masks into the case, as an edit that can be undone, and shows them. */
async function addMasks({ file, name }: CaseEntry, masks: readonly string[]): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const splice = (await loadCore()).addMasks(document.getText(), masks);
  if (splice === undefined)
    throw new HumanError(
      `${name} already has these masks, or its file has errors. Fix any errors shown in the Problems view first.`,
    );
  const edit = new vscode.WorkspaceEdit();
  const place = new vscode.Range(document.positionAt(splice.start), document.positionAt(splice.end));
  edit.replace(file, place, splice.text);
  await vscode.workspace.applyEdit(edit);
  const start = document.positionAt(document.getText().indexOf(splice.text, Math.max(0, splice.start - 1)));
  // In its visible editor, if any, so that it does not cover the transcript from which the command may have been run.
  const { viewColumn } = vscode.window.visibleTextEditors.find((editor) => editor.document === document) ?? {};
  const shown = viewColumn === undefined ? {} : { viewColumn };
  await vscode.window.showTextDocument(document, { ...shown, selection: new vscode.Range(start, start) });
}

/** Registers the command in the peek view of a failed case that accepts the difference into the baseline. */
export function registerAcceptDifference(
  store: ReviewStore,
  reviews: Pick<ReviewCalls, 'decide'>,
  log: Log,
): vscode.Disposable {
  return registerCommand('tapedeck.acceptBaseline', log, async (argument) => {
    if (argument.type !== 'failedTest' || argument.failure.message === undefined)
      throw new HumanError(
        'No difference is selected. Accept one in the result of a failed case, in the Test Explorer.',
      );
    const { testId, message } = argument.failure;
    const caseUri = vscode.Uri.parse(testId, true);
    const review = await store.get(caseUri);
    const { expectedOutput: before, actualOutput: after } = message;
    const changes = (review?.changes ?? [])
      .filter((one) => one.before === before && one.after === after)
      .map(({ id }) => id);
    if (review === undefined || changes.length === 0)
      throw new HumanError('This difference no longer exists: it was accepted, or the case has run again.');
    try {
      const subject = subjectOf({ about: 'run', uri: caseUri });
      await reviews.decide({ ...subject, verdict: 'accepted', changes, stamp: review.stamp });
    } finally {
      store.refresh(caseUri);
    }
  });
}
