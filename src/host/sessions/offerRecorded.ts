import * as vscode from 'vscode';
import { lineOf } from '../../core/text/commandLine';
import { plural } from '../../core/text/counts';
import type { CommandId } from '../base/commands';
import { oneLine } from '../base/confirm';
import { HumanError } from '../base/humanError';
import type { SessionParts } from './sessionParts';
import type { RecordedProgram } from './tapedProgram';
import { transcriptTabs } from './transcriptTabs';

const SAVE = 'Save as Case';
const OPEN = 'Open Transcript';
const DISCARD = 'Discard';

/** Says what was recorded, and offers to make a case of it. Throws a `HumanError` where nothing was. */
export async function offerRecorded(recorded: RecordedProgram, parts: SessionParts): Promise<void> {
  const { tape, closed } = recorded;
  for (const note of closed.notes) parts.log.info(note);
  if (closed.saved === undefined) return announceNothing(recorded);
  const message = [
    `${vscode.workspace.asRelativePath(tape)} has ${plural(closed.saved, 'interaction')}.`,
    ...closed.notes,
  ].join(' ');
  const isOneCommand = recorded.words.length > 0;
  const isOpen = transcriptTabs(tape).some(({ isActive }) => isActive);
  const offered = [...(isOneCommand ? [SAVE] : []), ...(isOpen ? [] : [OPEN]), DISCARD];
  const chosen = await vscode.window.showInformationMessage(message, ...offered);
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
  const what = closed.requests === 0 ? 'It sent no requests through Tapedeck.' : 'Nothing was recorded.';
  throw new HumanError([`${line} ${end}. ${what}`, ...closed.notes].join(' '));
}

/** Deletes the tape, as the Explorer does: that can be undone. */
async function discard(tape: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(transcriptTabs(tape), true);
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(tape, { ignoreIfNotExists: true });
  await vscode.workspace.applyEdit(edit);
}
