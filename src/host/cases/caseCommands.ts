import * as vscode from 'vscode';
import { artifactPath } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { relativeCasePath } from '../base/caseUri';
import { type CommandArgument, parseCommandArgument } from '../base/commandArguments';
import { type CommandId, registerCommand } from '../base/commands';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStore } from '../stores/cases/caseStore';
import { tapeOfCase } from '../stores/cases/tapesOfCase';
import type { CaseTree } from './caseTree';
import type { CaseTreeStores } from './caseTreeItems';

/** The functions that run cases. */
export interface CaseRuns {
  run(entries: readonly CaseEntry[], mode: 'replay' | 'record'): Promise<void>;
  checkStability(entry: CaseEntry): Promise<void>;
  tryModels(entries: readonly CaseEntry[]): Promise<void>;
}

/** What a person allows coding agents to replay. */
export interface AgentCases {
  allow(entry: CaseEntry): Promise<void>;
  /** Of one case, or of those that the user chooses. */
  withdraw(entry?: CaseEntry): Promise<void>;
}

/** Registers the commands of lenses, tree and palette. Without an argument they apply to the active editor's case. */
export function registerCaseCommands(
  { cases, tapes, tapeTests, own }: Pick<CaseTreeStores, 'cases' | 'tapes' | 'tapeTests' | 'own'>,
  tree: CaseTree,
  runs: CaseRuns,
  agents: AgentCases,
  review: (uri: vscode.Uri) => void,
  log: Log,
): vscode.Disposable {
  const command = (id: CommandId, handler: (argument: CommandArgument) => unknown) => registerCommand(id, log, handler);
  const chosen = (argument: CommandArgument) => chooseEntries(cases, tree, argument);
  /** For commands on all items that are selected in the tree. */
  const commandOnMany = (id: CommandId, handler: (entries: readonly CaseEntry[]) => unknown) =>
    registerCommand(id, log, async (argument, nodes) => handler(await chooseMany(argument, nodes, chosen)));
  return vscode.Disposable.from(
    commandOnMany('tapedeck.replayCase', (entries) => startRuns(runs, entries, 'replay')),
    commandOnMany('tapedeck.recordCase', (entries) => startRuns(runs, entries, 'record')),
    registerCommand('tapedeck.tryModels', log, async (argument, nodes) =>
      runs.tryModels(argument.type === 'none' ? await pickEntries(cases) : await chooseMany(argument, nodes, chosen)),
    ),
    command('tapedeck.checkStability', async (argument) => runs.checkStability(requireOne(await chosen(argument)))),
    command('tapedeck.replayAll', async () => {
      await cases.load();
      await startRuns(runs, tree.entries(), 'replay');
    }),
    command('tapedeck.allowAgentCase', async (argument) => agents.allow(requireOne(await chosen(argument)))),
    command('tapedeck.withdrawAgentCases', async (argument) =>
      agents.withdraw(argument.type === 'none' ? undefined : requireOne(await chosen(argument))),
    ),
    command('tapedeck.reviewCase', async (argument) => review(requireOne(await chosen(argument)).uri)),
    command('tapedeck.openTapeOfCase', async (argument) => openTapeOf(requireOne(await chosen(argument)), tapes)),
    command('tapedeck.openArtifact', async (argument) => openArtifact(requireOne(await chosen(argument)), own)),
    command('tapedeck.refresh', () => Promise.all([cases.reload(), tapes.reload(), tapeTests.reload()])),
    command('tapedeck.filter', () => askForFilter(tree)),
    command('tapedeck.clearFilter', () => {
      tree.filter = '';
    }),
  );
}

/** If several items are selected, the clicked one is among them. A case that several of them represent is chosen once. */
async function chooseMany(
  argument: CommandArgument,
  nodes: unknown,
  choose: (argument: CommandArgument) => Promise<readonly CaseEntry[]>,
): Promise<readonly CaseEntry[]> {
  const all = Array.isArray(nodes) && nodes.length > 0 ? nodes.map(parseCommandArgument) : [argument];
  const entries = (await Promise.all(all.map(choose))).flat();
  return [...new Map(entries.map((entry) => [entry.uri.toString(), entry])).values()];
}

async function chooseEntries(
  cases: CaseStore,
  tree: CaseTree,
  argument: CommandArgument,
): Promise<readonly CaseEntry[]> {
  if (argument.type === 'node' && argument.node.type === 'folder') return tree.entries(argument.node.resource);
  if (argument.type === 'node' && argument.node.type === 'tape') return casesOfTape(cases, argument.node.resource);
  const uri = uriOf(argument);
  const entries = uri === undefined ? [] : await cases.open(uri);
  const named = entries.filter((entry) => uri?.fragment === '' || entry.uri.toString() === uri?.toString());
  if (named.length > 0) return named;
  if (argument.type === 'none') return pickEntry(cases);
  throw new HumanError(
    t(
      '{0} contains no case. A case needs a name and a prompt.',
      uri ? vscode.workspace.asRelativePath(uri) : t('This selection'),
    ),
  );
}

/** The cases that record this tape: the tape itself may be a case. */
function casesOfTape(cases: CaseStore, tape: vscode.Uri): readonly CaseEntry[] {
  const found = cases.all().filter(({ file, listed }) => {
    const recorded = listed?.recordedTape;
    return recorded !== undefined && vscode.Uri.joinPath(file, '..', recorded).toString() === tape.toString();
  });
  return found.length > 0 ? found : cases.inFile(tape);
}

async function pickEntry(cases: CaseStore): Promise<readonly CaseEntry[]> {
  const options = { placeHolder: t('Select a case'), matchOnDescription: true };
  const chosen = await vscode.window.showQuickPick(await casePicks(cases), options);
  if (chosen === undefined) throw new vscode.CancellationError();
  return [chosen.entry];
}

/** Lets the user check cases; those of the active editor are checked already. */
async function pickEntries(cases: CaseStore): Promise<readonly CaseEntry[]> {
  const active = activeFile()?.toString();
  const picks = (await casePicks(cases)).map((pick) => ({ ...pick, picked: pick.entry.file.toString() === active }));
  const options = { placeHolder: t('Check the cases'), matchOnDescription: true, canPickMany: true } as const;
  const chosen = picks.length === 1 ? picks : await vscode.window.showQuickPick(picks, options);
  if (chosen === undefined || chosen.length === 0) throw new vscode.CancellationError();
  return chosen.map(({ entry }) => entry);
}

async function casePicks(cases: CaseStore) {
  await cases.load();
  const picks = cases.all().map((entry) => ({ label: entry.name, description: entry.relativePath, entry }));
  if (picks.length > 0) return picks;
  throw new HumanError(
    t('There are no cases in this workspace. Run "Tapedeck: Open Sample Project" for some examples.'),
  );
}

function requireOne([entry]: readonly CaseEntry[]): CaseEntry {
  if (entry === undefined)
    throw new HumanError(t('No case is selected. Open one, or select one in the Tapedeck view.'));
  return entry;
}

function activeFile(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}

/** The URI of the case in an argument: a file (lens), a node (tree), a failure (Test Explorer) or nothing (palette). */
function uriOf(argument: CommandArgument): vscode.Uri | undefined {
  if (argument.type === 'uri') return argument.uri;
  if (argument.type === 'node') return argument.node.resource;
  return argument.type === 'failedTest' ? vscode.Uri.parse(argument.failure.testId) : activeFile();
}

async function startRuns(runs: CaseRuns, entries: readonly CaseEntry[], mode: 'replay' | 'record'): Promise<void> {
  if (entries.length === 0)
    throw new HumanError(t('There are no cases to run. Clear the filter, or create a case first.'));
  await runs.run(entries, mode);
}

/** Opens the tape of a case as a transcript. */
async function openTapeOf(entry: CaseEntry, tapes: CaseTreeStores['tapes']): Promise<void> {
  await tapes.load();
  const tape = tapeOfCase(entry, tapes);
  if (tape === undefined) throw new HumanError(t('{0} has no tape yet. Record it first.', entry.name));
  await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, tape);
}

async function openArtifact(entry: CaseEntry, own: CaseTreeStores['own']): Promise<void> {
  const path = artifactPath(relativeCasePath(entry.uri));
  const uri = vscode.Uri.joinPath(entry.folder.uri, path);
  if (!(await fileExists(uri)) || !(await own.owns(entry.folder.uri, path)))
    throw new HumanError(t('{0} has not run yet. Replay it first.', entry.name));
  await vscode.commands.executeCommand('vscode.open', uri);
}

async function askForFilter(tree: CaseTree): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: t('Filter Cases and Tapes'),
    prompt: t('Words in the name, path, tool, tape or model. Leave it empty to show everything.'),
    value: tree.filter,
  });
  if (text !== undefined) tree.filter = text;
}
