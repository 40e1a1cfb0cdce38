import * as vscode from 'vscode';
import { plural } from '../../../core/text/counts';
import type { MadeCase } from '../../../protocol/makeCase';
import { BACK } from '../../base/askSteps';
import { type CommandArgument, requireTapeUri } from '../../base/commandArguments';
import type { CommandId } from '../../base/commands';
import { HumanError } from '../../base/humanError';
import type { ReportDocuments } from '../../base/reportDocuments';
import { requireTrust } from '../../base/trust';
import type { EngineClient } from '../../engine/engineClient';
import { type CaseFolder, caseFileName, caseFolder, folderForCases, freeName } from '../../stores/caseFolder';
import type { CaseStore } from '../../stores/caseStore';
import { askCaseName } from '../../stores/newCaseFile';

/** What writes the files of a case, and what shows what its run lacks. */
export interface CaseMaking {
  readonly engine: EngineClient;
  readonly reports: ReportDocuments;
}

/** Writes a case of a traced or taped run, with a tape of its own. Opens it beside the report of what the run lacked. */
export async function makeCaseOfRun(
  argument: CommandArgument,
  cases: CaseStore,
  { engine, reports }: CaseMaking,
): Promise<void> {
  requireTrust();
  const run = runOf(argument);
  requireSaved(run);
  const { folder, place } = await placeOf(run, cases);
  const name = await askName(run, place);
  const file = vscode.Uri.joinPath(place.folder, caseFileName(name));
  const made = await engine.call('makeCase', { root: folder.uri.fsPath, tapePath: run.fsPath, casePath: file.fsPath });
  await cases.refresh([file]);
  await vscode.window.showTextDocument(file, { preview: false });
  const lacks = reportOf(run, file, made);
  if (lacks !== undefined) {
    const uri = reports.put(`What ${caseFileName(name).replace(/\.toml$/, '')} lacks.md`, lacks);
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }
  void offerReplay(file, made, cases);
}

/** The run in an argument, or in the active editor. */
function runOf(argument: CommandArgument): vscode.Uri {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const active = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return requireTapeUri(argument, active);
}

/** The engine reads the run from disk. */
function requireSaved(run: vscode.Uri): void {
  const isOpen = ({ isDirty, uri }: vscode.TextDocument): boolean => isDirty && uri.toString() === run.toString();
  if (!vscode.workspace.textDocuments.some(isOpen)) return;
  throw new HumanError(
    `${vscode.workspace.asRelativePath(run)} has unsaved changes. Save it before you make a case of it.`,
  );
}

async function placeOf(
  run: vscode.Uri,
  cases: CaseStore,
): Promise<{ readonly folder: vscode.WorkspaceFolder; readonly place: CaseFolder }> {
  const folder = vscode.workspace.getWorkspaceFolder(run);
  if (folder === undefined || run.scheme !== 'file')
    throw new HumanError('This run is not in the workspace. Copy it into the folder of your project first.');
  return { folder, place: await caseFolder(await folderForCases(folder.uri, cases)) };
}

async function askName(run: vscode.Uri, { folder, taken }: CaseFolder): Promise<string> {
  // A case is made with its tape, which may not exist either.
  const tapes = [...taken].flatMap((name) =>
    name.endsWith('.tape.jsonl') ? [name.replace(/\.tape\.jsonl$/, '.toml')] : [],
  );
  const place = { folder, taken: new Set([...taken, ...tapes]) };
  const base = run.path.slice(run.path.lastIndexOf('/') + 1).replace(/\..*$/, '') || 'run';
  const answer = await askCaseName(
    { title: 'Make a Case of This Run', step: 1, totalSteps: 1 },
    place,
    freeName(base, place.taken),
  );
  if (answer === BACK) throw new vscode.CancellationError();
  return answer;
}

/** What the run lacks, as a text; undefined where it lacks nothing. */
function reportOf(
  run: vscode.Uri,
  file: vscode.Uri,
  { interactions, kept, lacks, secrets }: MadeCase,
): string | undefined {
  if (lacks.length === 0 && secrets === 0) return undefined;
  const [from, to] = [run, file].map((uri) => vscode.workspace.asRelativePath(uri));
  const kind = `${kept} of the run's ${plural(interactions, 'interaction')} ${kept === 1 ? 'is' : 'are'} on its tape.`;
  const found = `${plural(secrets, 'secret')} of the run ${secrets === 1 ? 'is' : 'are'} in the case or its tape: redact the run, and make the case again`;
  const rows = [...lacks, ...(secrets > 0 ? [found] : [])].map((lack) => `- ${lack.replace(/\s+/g, ' ')}\n`);
  return `${to} is a case of ${from}. ${kind}\n\nWhat the run lacks, or the case leaves out:\n${rows.join('')}`;
}

const REPLAY = 'Replay';

async function offerReplay(file: vscode.Uri, { lacks }: MadeCase, cases: CaseStore): Promise<void> {
  const path = vscode.workspace.asRelativePath(file);
  const missing =
    lacks.length === 0 ? '' : ` The run lacks ${plural(lacks.length, 'thing')}: see the report beside it.`;
  if ((await vscode.window.showInformationMessage(`${path} was made.${missing}`, REPLAY)) !== REPLAY) return;
  const [entry] = cases.inFile(file);
  await vscode.commands.executeCommand('tapedeck.replayCase' satisfies CommandId, entry?.uri ?? file);
}
