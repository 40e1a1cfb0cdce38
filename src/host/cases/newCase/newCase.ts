import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { chooseFolder } from '../../base/chooseFolder';
import { type CommandArgument, requireTapeUri } from '../../base/commandArguments';
import { ContextKey } from '../../base/contextKey';
import { fileExists } from '../../base/files';
import { HumanError } from '../../base/humanError';
import { caseFileName, caseFolder, folderForCases } from '../../stores/cases/caseFolder';
import type { CaseStore } from '../../stores/cases/caseStore';
import { createCaseFile, readTapedPrompt } from '../../stores/cases/newCaseFile';
import type { TapeStore } from '../../stores/tapes/tapeStore';
import { askForCase, type CasePlace } from './caseQuestions';

/** Completes the step of the walkthrough about new cases. */
const HAS_CREATED = new ContextKey<boolean>('tapedeck.hasCreatedCase');

interface Stores {
  readonly cases: CaseStore;
  readonly tapes: TapeStore;
}

/** Creates a case in the folder that is selected, or where the cases are. Asks about it first. */
export async function newCase(argument: CommandArgument, stores: Stores): Promise<void> {
  await createCase(await caseFolder(await folderOf(argument, stores.cases)), stores);
}

/** Creates a case that replays the tape. Asks about the rest first. */
export async function newCaseForTape(argument: CommandArgument, stores: Stores): Promise<void> {
  const tape = requireTapeUri(argument, activeFile());
  await createCase({ ...(await caseFolder(await folderForCases(rootOf(tape), stores.cases))), tape }, stores);
}

/** Asks about the case, writes it, and opens it with its prompt selected. */
async function createCase(place: CasePlace, stores: Stores): Promise<void> {
  const draft = await askForCase(place, stores);
  const { newCaseText } = await loadCore();
  const tape = vscode.Uri.joinPath(place.folder, draft.tape);
  const isRecorded = await fileExists(tape);
  const taped = isRecorded ? await readTapedPrompt(tape) : undefined;
  const { text, prompt } = newCaseText({ ...draft, isRecorded, taped });
  const file = vscode.Uri.joinPath(place.folder, caseFileName(draft.name));
  await createCaseFile(file, text);
  HAS_CREATED.set(true);
  await stores.cases.refresh([file]);
  const document = await vscode.workspace.openTextDocument(file);
  const selection = new vscode.Range(document.positionAt(prompt.start), document.positionAt(prompt.end));
  await vscode.window.showTextDocument(document, { selection, preview: false });
}

/** The folder that is selected in the Explorer or in the tree, otherwise the one where the cases are. */
async function folderOf(argument: CommandArgument, cases: CaseStore): Promise<vscode.Uri> {
  const chosen = argument.type === 'node' ? argument.node.resource : argument.type === 'uri' ? argument.uri : undefined;
  if (chosen === undefined) return folderForCases(await chooseRoot(), cases);
  const { type } = await vscode.workspace.fs.stat(chosen);
  return type & vscode.FileType.Directory ? chosen : vscode.Uri.joinPath(chosen, '..');
}

async function chooseRoot(): Promise<vscode.Uri> {
  const active = activeFile();
  const current = active && vscode.workspace.getWorkspaceFolder(active);
  return (current ?? (await chooseFolder(t('Open a folder first: a case is a file in it.')))).uri;
}

function rootOf(tape: vscode.Uri): vscode.Uri {
  const root = vscode.workspace.getWorkspaceFolder(tape)?.uri;
  if (root === undefined) throw new HumanError(t('This tape is not in the workspace. Open its folder first.'));
  return root;
}

/** The file of the active tab, whether it is shown as text or as a transcript. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
