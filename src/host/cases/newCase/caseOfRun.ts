import * as vscode from 'vscode';
import type { MadeCase } from '../../../contracts/engine/makeCase';
import { counted } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import { BACK } from '../../base/askSteps';
import { type CommandArgument, requireTapeUri } from '../../base/commandArguments';
import type { CommandId } from '../../base/commands';
import { HumanError } from '../../base/humanError';
import type { ReportDocuments } from '../../base/reportDocuments';
import { requireTrust } from '../../base/trust';
import type { EngineClient } from '../../engine/engineClient';
import { type CaseFolder, caseFileName, caseFolder, folderForCases, freeName } from '../../stores/cases/caseFolder';
import type { CaseStore } from '../../stores/cases/caseStore';
import { askCaseName } from '../../stores/cases/newCaseFile';

/** Writes the files of a case, and shows what is missing in its run. */
export interface CaseMaking {
  readonly engine: EngineClient;
  readonly reports: ReportDocuments;
}

/** Writes a case made from a trace or tape, with a tape of its own. Opens it beside the report of what is missing in the run. */
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
    const uri = reports.put(t('Missing in {0}', caseFileName(name).replace(/\.toml$/, '')).concat('.md'), lacks);
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }
  void offerReplay(file, lacks !== undefined, cases);
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
    t('{0} has unsaved changes. Save it before you make a case of it.', vscode.workspace.asRelativePath(run)),
  );
}

async function placeOf(
  run: vscode.Uri,
  cases: CaseStore,
): Promise<{ readonly folder: vscode.WorkspaceFolder; readonly place: CaseFolder }> {
  const folder = vscode.workspace.getWorkspaceFolder(run);
  if (folder === undefined || run.scheme !== 'file')
    throw new HumanError(t('This run is not in the workspace. Copy it into the folder of your project first.'));
  return { folder, place: await caseFolder(await folderForCases(folder.uri, cases)) };
}

async function askName(run: vscode.Uri, { folder, taken }: CaseFolder): Promise<string> {
  // The tape of the case is new as well.
  const tapes = [...taken].flatMap((name) =>
    name.endsWith('.tape.jsonl') ? [name.replace(/\.tape\.jsonl$/, '.toml')] : [],
  );
  const place = { folder, taken: new Set([...taken, ...tapes]) };
  const base = run.path.slice(run.path.lastIndexOf('/') + 1).replace(/\..*$/, '') || 'run';
  const answer = await askCaseName(
    { title: t('Make a Case of This Run'), step: 1, totalSteps: 1 },
    place,
    freeName(base, place.taken),
  );
  if (answer === BACK) throw new vscode.CancellationError();
  return answer;
}

/** What is missing in the run, as a text; undefined if nothing is. */
function reportOf(run: vscode.Uri, file: vscode.Uri, made: MadeCase): string | undefined {
  const { interactions, kept, lacks, secrets } = made;
  if (lacks.length === 0 && secrets === 0) return undefined;
  const [from = '', to = ''] = [run, file].map((uri) => vscode.workspace.asRelativePath(uri));
  const rows = [...lacks, ...(secrets > 0 ? [secretsText(secrets)] : [])];
  return [
    t('{0} is a case of {1}. Its tape has {2} of {3} interactions.', to, from, kept, interactions),
    '',
    t('Missing in the run, or left out of the case:'),
    ...rows.map((row) => `- ${row.replace(/\s+/g, ' ')}`),
    '',
  ].join('\n');
}

function secretsText(secrets: number): string {
  return counted(
    secrets,
    'The run contains {0} secret, which may now be in the case or its tape. Redact the run, and make the case again.',
    'The run contains {0} secrets, which may now be in the case or its tape. Redact the run, and make the case again.',
  );
}

async function offerReplay(file: vscode.Uri, hasReport: boolean, cases: CaseStore): Promise<void> {
  const path = vscode.workspace.asRelativePath(file);
  const text = hasReport
    ? t('{0} was made. What is missing in the run is listed beside it.', path)
    : t('{0} was made.', path);
  if ((await vscode.window.showInformationMessage(text, t('Replay'))) === undefined) return;
  const [entry] = cases.inFile(file);
  await vscode.commands.executeCommand('tapedeck.replayCase' satisfies CommandId, entry?.uri ?? file);
}
