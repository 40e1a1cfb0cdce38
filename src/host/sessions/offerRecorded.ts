import * as vscode from 'vscode';
import { lineOf } from '../../core/text/commandLine';
import { plural } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import type { CommandId } from '../base/commands';
import { oneLine } from '../base/confirm';
import { HumanError } from '../base/humanError';
import type { SessionParts } from './sessionParts';
import type { RecordedProgram } from './tapedProgram';
import { transcriptTabs } from './transcriptTabs';

const SAVE = message('Save as Case');
const OPEN = message('Open Transcript');
const DISCARD = message('Discard');

/** Says what was recorded, and offers to make a case of it. Throws a `HumanError` if nothing was. */
export async function offerRecorded(recorded: RecordedProgram, parts: SessionParts): Promise<void> {
  const { tape, closed } = recorded;
  for (const note of closed.notes) parts.log.info(note);
  if (closed.saved === undefined) return announceNothing(recorded);
  const message = [
    t('{0} has {1}.', vscode.workspace.asRelativePath(tape), plural(closed.saved, 'interaction')),
    ...closed.notes,
  ].join(' ');
  const isOneCommand = recorded.words.length > 0;
  if (isOneCommand) parts.last.keep(recorded);
  const isOpen = transcriptTabs(tape).some(({ isActive }) => isActive);
  const offered = [...(isOneCommand ? [t(SAVE)] : []), ...(isOpen ? [] : [t(OPEN)]), t(DISCARD)];
  const chosen = await vscode.window.showInformationMessage(message, ...offered);
  if (chosen === t(SAVE)) await (await import('./saveAsCase')).saveAsCase(recorded, parts);
  if (chosen === t(OPEN)) await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, tape);
  if (chosen === t(DISCARD)) await discard(recorded, parts);
}

function announceNothing({ words, exitCode, closed }: RecordedProgram): void {
  const line = oneLine(lineOf(words));
  if (closed.requests > 0 && closed.notes.length === 0) {
    void vscode.window.showInformationMessage(t('The recording of {0} was discarded.', line));
    return;
  }
  const end =
    exitCode === undefined
      ? t('{0} was stopped or could not be started.', line)
      : t('{0} ended with exit code {1}.', line, exitCode);
  const what = closed.requests === 0 ? t('It sent no requests through Tapedeck.') : t('Nothing was recorded.');
  throw new HumanError([`${end} ${what}`, ...closed.notes].join(' '));
}

/** Deletes the tape, as the Explorer does: that can be undone. */
async function discard(recorded: RecordedProgram, { last }: SessionParts): Promise<void> {
  const { tape } = recorded;
  last.forget(recorded);
  await vscode.window.tabGroups.close(transcriptTabs(tape), true);
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(tape, { ignoreIfNotExists: true });
  await vscode.workspace.applyEdit(edit);
}
