import * as vscode from 'vscode';
import type { TapedPrompt } from '../../core/cases/toml/tapedPrompt';
import { baselinePath, relativePath } from '../../core/project/layout';
import { loadCore } from '../../reader/loadCore';
import { askText, BACK } from '../base/askSteps';
import type { CommandId } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { CaseEntry } from '../stores/caseEntry';
import { type CaseFolder, caseFileName, caseFolder, folderForCases, freeName } from '../stores/caseFolder';
import { programName } from './programName';
import type { SessionParts } from './sessionParts';
import type { RecordedProgram } from './tapedProgram';

const UNDO = 'Undo';

/** Writes a case that replays what was recorded, replays it, and makes that run its baseline. Asks for the name first. */
export async function saveAsCase(recorded: RecordedProgram, { stores }: SessionParts): Promise<void> {
  const place = await caseFolder(await folderForCases(recorded.folder.uri, stores.cases));
  const file = vscode.Uri.joinPath(place.folder, caseFileName(await askName(recorded, place)));
  await write(file, await textOf(file, recorded));
  await stores.cases.refresh([file]);
  await vscode.window.showTextDocument(file, { preview: false });
  const [entry] = stores.cases.inFile(file);
  if (entry === undefined) throw new HumanError(`${vscode.workspace.asRelativePath(file)} is not a case.`);
  await vscode.commands.executeCommand('tapedeck.replayCase' satisfies CommandId, entry.uri);
  const run = stores.runs.get(entry.uri);
  const isGreen = run?.type === 'finished' && run.result.status === 'passed';
  if (isGreen) await vscode.commands.executeCommand('tapedeck.createBaseline' satisfies CommandId, entry.uri);
  await announce(entry, isGreen);
}

async function askName({ words }: RecordedProgram, { folder, taken }: CaseFolder): Promise<string> {
  const path = (name: string): string =>
    vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, caseFileName(name)), false);
  const answer = await askText(
    { title: 'Save as Case', step: 1, totalSteps: 1 },
    {
      placeholder: 'refund_order',
      value: freeName(programName(words), taken),
      prompt: (name) => (name.trim() === '' ? 'Name the case after what it tests.' : `Creates ${path(name)}.`),
      validate(name) {
        if (name.trim() === '') return 'Enter a name.';
        return taken.has(caseFileName(name)) ? `${path(name)} already exists.` : undefined;
      },
    },
  );
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
    ...(taped && { taped }),
  }).text;
}

async function readTapedPrompt(tape: vscode.Uri): Promise<TapedPrompt | undefined> {
  const { decodeTapeFile, readTape, tapedPrompt } = await loadCore();
  const file = decodeTapeFile(tape.path, await vscode.workspace.fs.readFile(tape));
  return tapedPrompt(readTape(file)?.interactions ?? []);
}

async function write(file: vscode.Uri, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(file, { contents: new TextEncoder().encode(text) });
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new HumanError(`${vscode.workspace.asRelativePath(file)} could not be created.`);
}

async function announce({ file, uri, folder }: CaseEntry, isGreen: boolean): Promise<void> {
  const path = vscode.workspace.asRelativePath(file);
  const message = isGreen
    ? `${path} was saved, replayed offline, and has its baseline.`
    : `${path} was saved. It has no baseline yet, because its replay failed.`;
  const show = isGreen ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  if ((await show(message, UNDO)) !== UNDO) return;
  const baseline = vscode.Uri.joinPath(folder.uri, baselinePath(vscode.workspace.asRelativePath(uri, false)));
  const edit = new vscode.WorkspaceEdit();
  for (const made of [file, baseline]) edit.deleteFile(made, { ignoreIfNotExists: true });
  await vscode.workspace.applyEdit(edit);
}
