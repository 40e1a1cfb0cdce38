import * as vscode from 'vscode';
import type { CommandArgument } from '../../base/commandArguments';
import { type CommandId, registerCommand } from '../../base/commands';
import type { Log } from '../../base/log';
import type { CaseStates } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { CaseTests } from '../testExplorer/caseTests';

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
  const drifted = async (argument: CommandArgument) =>
    (await import('./driftedCase')).driftedCase(cases, states, argument);
  return vscode.Disposable.from(
    registerCommand('tapedeck.recordFromHere', log, async (argument) => {
      const { entry, at } = await drifted(argument);
      await tests.run([entry], 'record', at);
    }),
    ...MASK_COMMANDS.map((id) =>
      registerCommand(id, log, async (argument) => {
        const { entry, masks = [] } = await drifted(argument);
        const { maskAndReplay } = await import('./driftedCase');
        await maskAndReplay(entry, masks, tests);
      }),
    ),
  );
}
