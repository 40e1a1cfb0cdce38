import * as vscode from 'vscode';
import { artifactPath } from '../../core/project/layout';
import { relativeCasePath } from '../base/caseUri';
import type { CommandArgument } from '../base/commandArguments';
import { type CommandId, registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';
import { tapeOfCase } from '../stores/tapesOfCase';
import type { CaseTree } from './caseTree';
import type { CaseTreeStores } from './caseTreeItems';

/** The functions that run cases. */
export interface CaseRuns {
  run(entries: readonly CaseEntry[], mode: 'replay' | 'record'): Promise<void>;
  checkStability(entry: CaseEntry): Promise<void>;
}

/** What a person allows coding agents to replay. */
export interface AgentCases {
  allow(entry: CaseEntry): Promise<void>;
  /** Of one case, or of those that the user chooses. */
  withdraw(entry?: CaseEntry): Promise<void>;
}

/** Registers the commands of lenses, tree and palette. Without an argument they apply to the active editor's case. */
export function registerCaseCommands(
  { cases, tapes, pytests }: Pick<CaseTreeStores, 'cases' | 'tapes' | 'pytests'>,
  tree: CaseTree,
  runs: CaseRuns,
  agents: AgentCases,
  review: (uri: vscode.Uri) => void,
  log: Log,
): vscode.Disposable {
  const command = (id: CommandId, handler: (argument: CommandArgument) => unknown) => registerCommand(id, log, handler);
  const chosen = (argument: CommandArgument) => chooseEntries(cases, tree, argument);
  return vscode.Disposable.from(
    command('tapedeck.replayCase', async (argument) => startRuns(runs, await chosen(argument), 'replay')),
    command('tapedeck.recordCase', async (argument) => startRuns(runs, await chosen(argument), 'record')),
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
    command('tapedeck.openArtifact', async (argument) => openArtifact(requireOne(await chosen(argument)))),
    command('tapedeck.refresh', () => Promise.all([cases.reload(), tapes.reload(), pytests.reload()])),
    command('tapedeck.filter', () => askForFilter(tree)),
    command('tapedeck.clearFilter', () => {
      tree.filter = '';
    }),
  );
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
    `${uri ? vscode.workspace.asRelativePath(uri) : 'This selection'} contains no case. A case needs a name and a prompt.`,
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
  await cases.load();
  const picks = cases.all().map((entry) => ({ label: entry.name, description: entry.relativePath, entry }));
  if (picks.length === 0)
    throw new HumanError(
      'There are no cases in this workspace. Run "Tapedeck: Open Sample Project" for some examples.',
    );
  const chosen = await vscode.window.showQuickPick(picks, { placeHolder: 'Select a case', matchOnDescription: true });
  if (chosen === undefined) throw new vscode.CancellationError();
  return [chosen.entry];
}

function requireOne([entry]: readonly CaseEntry[]): CaseEntry {
  if (entry === undefined) throw new HumanError('No case is selected. Open one, or select one in the Tapedeck view.');
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
    throw new HumanError('There are no cases to run. Clear the filter, or create a case first.');
  await runs.run(entries, mode);
}

/** Opens the tape of a case as a transcript. */
async function openTapeOf(entry: CaseEntry, tapes: CaseTreeStores['tapes']): Promise<void> {
  await tapes.load();
  const tape = tapeOfCase(entry, tapes);
  if (tape === undefined) throw new HumanError(`${entry.name} has no tape yet. Record it first.`);
  await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, tape);
}

async function openArtifact(entry: CaseEntry): Promise<void> {
  const uri = vscode.Uri.joinPath(entry.folder.uri, artifactPath(relativeCasePath(entry.uri)));
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    throw new HumanError(`${entry.name} has not run yet. Replay it first.`);
  }
  await vscode.commands.executeCommand('vscode.open', uri);
}

async function askForFilter(tree: CaseTree): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: 'Filter Cases and Tapes',
    prompt: 'Words in the name, path, tool, tape or model. Leave it empty to show everything.',
    value: tree.filter,
  });
  if (text !== undefined) tree.filter = text;
}
