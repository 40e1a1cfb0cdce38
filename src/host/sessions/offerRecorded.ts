import * as vscode from 'vscode';
import { lineOf } from '../../core/text/commandLine';
import type { CommandId } from '../base/commands';
import { oneLine } from '../base/confirm';
import { HumanError } from '../base/humanError';
import type { SessionParts } from './sessionParts';
import type { RecordedProgram } from './tapedProgram';

const SAVE = 'Save as Case';
const OPEN = 'Open Transcript';
const DISCARD = 'Discard';

/** Says what was recorded, and offers to make a case of it. Throws a `HumanError` where nothing was. */
export async function offerRecorded(recorded: RecordedProgram, parts: SessionParts): Promise<void> {
  const { tape, closed } = recorded;
  for (const note of closed.notes) parts.log.info(note);
  if (closed.saved === undefined) return announceNothing(recorded);
  const count = `${closed.saved} interaction${closed.saved === 1 ? '' : 's'}`;
  const message = [`${vscode.workspace.asRelativePath(tape)} has ${count}.`, ...closed.notes].join(' ');
  const chosen = await vscode.window.showInformationMessage(message, SAVE, OPEN, DISCARD);
  if (chosen === SAVE) await (await import('./saveAsCase')).saveAsCase(recorded, parts);
  if (chosen === OPEN) await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, tape);
  if (chosen === DISCARD) await discard(tape);
}

function announceNothing({ words, exitCode, closed }: RecordedProgram): void {
  const line = oneLine(lineOf(words));
  if (closed.requests > 0 && closed.notes.length === 0) {
    void vscode.window.showInformationMessage(`The recording of ${line} was discarded.`);
    return;
  }
  const end = exitCode === undefined ? 'was stopped or could not be started' : `ended with exit code ${exitCode}`;
  const what = closed.requests === 0 ? 'It made no request that reached the tape.' : 'Nothing was recorded.';
  throw new HumanError([`${line} ${end}. ${what}`, ...closed.notes].join(' '));
}

/** Deletes the tape, as the Explorer does: that can be undone. */
async function discard(tape: vscode.Uri): Promise<void> {
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === tape.toString());
  await vscode.window.tabGroups.close(open, true);
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(tape, { ignoreIfNotExists: true });
  await vscode.workspace.applyEdit(edit);
}
