import * as vscode from 'vscode';
import type { ReplayMiss } from '../../core/model/run';
import type { CommandArgument, DriftCommandArgument } from '../base/commandArguments';
import { type CommandId, registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStates } from '../stores/caseStates';
import type { CaseStore } from '../stores/caseStore';
import type { CaseTests } from './caseTests';
import { announceDrift } from './driftNotice';

/** The same command with the title of what it masks: a menu cannot compute its titles. */
const MASK_COMMANDS = [
  'tapedeck.addMasks',
  'tapedeck.addMasks.date',
  'tapedeck.addMasks.timestamp',
  'tapedeck.addMasks.uuid',
  'tapedeck.addMasks.provider-id',
  'tapedeck.addMasks.temp-path',
  'tapedeck.addMasks.port',
] as const satisfies readonly CommandId[];

/** Registers the commands that fix a drift: record again from there, or mask what varies and replay. */
export function registerDriftCommands(
  cases: CaseStore,
  states: CaseStates,
  tests: CaseTests,
  log: Log,
): vscode.Disposable {
  const drifted = async (argument: CommandArgument) => driftedCase(cases, states, argument);
  return vscode.Disposable.from(
    registerCommand('tapedeck.recordFromHere', log, async (argument) => {
      const { entry, at } = await drifted(argument);
      await tests.run([entry], 'record', at);
    }),
    ...MASK_COMMANDS.map((id) =>
      registerCommand(id, log, async (argument) => {
        const { entry, masks = [] } = await drifted(argument);
        await maskAndReplay(entry, masks, tests);
      }),
    ),
  );
}

async function driftedCase(
  cases: CaseStore,
  states: CaseStates,
  argument: CommandArgument,
): Promise<Omit<DriftCommandArgument, 'case'> & { readonly entry: CaseEntry }> {
  await cases.load();
  const id = argument.type === 'drift' ? argument.drift.case : undefined;
  const uri = vscode.Uri.parse(id ?? (argument.type === 'failedTest' ? argument.failure.testId : ''));
  const entry = cases.get(uri);
  if (entry === undefined) throw new HumanError('This case is no longer in the workspace.');
  if (argument.type === 'drift') return { ...argument.drift, entry };
  const miss = await lastMiss(states, uri);
  if (miss === undefined)
    throw new HumanError('This drift no longer exists: the case has run again. Look at its new result.');
  return { entry, at: miss.at, masks: miss.masks };
}

/** The request without a recording in the last run of a case, also of one before the window was loaded. */
export async function lastMiss(states: CaseStates, uri: vscode.Uri): Promise<ReplayMiss | undefined> {
  const { run } = await states.get(uri);
  return run?.failures.find(({ miss }) => miss !== undefined)?.miss;
}

/** Writes the masks into the case, as an edit that can be undone, shows them, and replays the case with them. */
async function maskAndReplay(entry: CaseEntry, masks: readonly string[], tests: CaseTests): Promise<void> {
  const { writeMasks } = await import('./maskEdits');
  const written = await writeMasks([{ entry, masks }]);
  if (written === undefined) throw new HumanError(`${entry.name} cannot be edited.`);
  const { uri, range } = written.place;
  // In its visible editor, if any, so that it does not cover the transcript from which the command may have been run.
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const column = shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn };
  await vscode.window.showTextDocument(uri, { ...column, selection: range, preserveFocus: true });
  const [result] = await tests.run([entry], 'replay');
  if (result !== undefined) await announceDrift(result);
}
