import * as vscode from 'vscode';
import { baselinePath, relativePath } from '../../core/project/layout';
import { listed } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import { loadCore } from '../../reader/loadCore';
import { BACK } from '../base/askSteps';
import type { CommandId } from '../base/commands';
import { oneLine } from '../base/confirm';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import type { CaseEntry } from '../stores/cases/caseEntry';
import { type CaseFolder, caseFileName, caseFolder, folderForCases, freeName } from '../stores/cases/caseFolder';
import { askCaseName, createCaseFile, readTapedPrompt } from '../stores/cases/newCaseFile';
import { programName } from './programName';
import type { SessionParts } from './sessionParts';
import type { RecordedProgram } from './tapedProgram';

const UNDO = message('Undo');

/** Writes a case that replays what was recorded, replays it, and makes that run its baseline. Asks for the name first. */
export async function saveAsCase(recorded: RecordedProgram, { stores, last }: SessionParts): Promise<void> {
  const place = await caseFolder(await folderForCases(recorded.folder.uri, stores.cases));
  const file = vscode.Uri.joinPath(place.folder, caseFileName(await askName(recorded, place)));
  await createCaseFile(file, await textOf(file, recorded));
  last.forget(recorded);
  await stores.cases.refresh([file]);
  await vscode.window.showTextDocument(file, { preview: false });
  const [entry] = stores.cases.inFile(file);
  if (entry === undefined) throw new HumanError(t('{0} is not a case.', vscode.workspace.asRelativePath(file)));
  await vscode.commands.executeCommand('tapedeck.replayCase' satisfies CommandId, entry.uri);
  const run = stores.runs.get(entry.uri);
  const isGreen = run?.type === 'finished' && run.result.status === 'passed';
  if (isGreen) await vscode.commands.executeCommand('tapedeck.createBaseline' satisfies CommandId, entry.uri);
  const untaped = run?.type === 'finished' ? (run.result.untapedServers ?? []) : [];
  await announce(entry, isGreen, untaped);
}

/** The same of the last recording that is no case yet. */
export async function saveLastRecording(parts: SessionParts): Promise<void> {
  const recorded = parts.last.get();
  if (recorded === undefined || !(await fileExists(recorded.tape)))
    throw new HumanError(t('There is no recording to make a case of. Record a command first.'));
  await saveAsCase(recorded, parts);
}

async function askName({ words }: RecordedProgram, place: CaseFolder): Promise<string> {
  const at = { title: t('Save as Case'), step: 1, totalSteps: 1 };
  const answer = await askCaseName(at, place, freeName(programName(words), place.taken));
  if (answer === BACK) throw new vscode.CancellationError();
  return answer;
}

async function textOf(file: vscode.Uri, { folder, words, tape }: RecordedProgram): Promise<string> {
  const { newCaseText } = await loadCore();
  const home = vscode.Uri.joinPath(file, '..').path;
  const cwd = relativePath(home, `${folder.uri.path}/.`).replace(/\/\.$/, '');
  const taped = await readTapedPrompt(tape);
  const name = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.toml$/, '');
  return newCaseText({
    name,
    agent: { type: 'command', command: words, ...(cwd !== '.' && { cwd }) },
    tape: relativePath(home, tape.path),
    isRecorded: true,
    taped,
  }).text;
}

async function announce({ file, uri, folder }: CaseEntry, isGreen: boolean, untaped: readonly string[]): Promise<void> {
  const path = vscode.workspace.asRelativePath(file);
  const show =
    isGreen && untaped.length === 0 ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const message = savedMessage(path, isGreen, untaped);
  if ((await show(message, t(UNDO))) !== t(UNDO)) return;
  const baseline = vscode.Uri.joinPath(folder.uri, baselinePath(vscode.workspace.asRelativePath(uri, false)));
  const edit = new vscode.WorkspaceEdit();
  for (const made of [file, baseline]) edit.deleteFile(made, { ignoreIfNotExists: true });
  await vscode.workspace.applyEdit(edit);
}

/** `untaped`: MCP servers that the replay started. */
function savedMessage(path: string, isGreen: boolean, untaped: readonly string[]): string {
  if (!isGreen) return t('{0} was saved. It has no baseline yet, because its replay failed.', path);
  if (untaped.length === 0) return t('{0} was saved, replayed without a model, and has its baseline.', path);
  return t(
    '{0} was saved, replayed without a model, and has its baseline. The replay started MCP servers, which are not on the tape: {1}. To record them too, set mcp_config under [agent] and re-record.',
    path,
    listed(untaped.map(oneLine)),
  );
}
