import * as vscode from 'vscode';
import type { TestMode } from '../../core/tapeTests/testRun';
import type { CommandArgument } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import type { Log } from '../base/log';
import type { FoundTest } from '../stores/tapes/foundTest';
import type { TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';

interface TestCommandParts {
  readonly tests: TapeTestStore;
  readonly tapes: TapeStore;
  readonly log: Log;
  /** Absent in a browser, where nothing runs. */
  readonly loadRuns?: (() => Promise<typeof import('./testRuns')>) | undefined;
  /** The extension's own folder. */
  readonly storage: vscode.Uri;
  /** Throws in Restricted Mode. */
  requireTrust(): void;
}

/** Registers the commands for tests that use tapes. */
export function registerTestCommands({
  tests,
  tapes,
  log,
  storage,
  loadRuns,
  requireTrust,
}: TestCommandParts): vscode.Disposable {
  const chosen = async (argument: CommandArgument): Promise<FoundTest> => {
    requireTrust();
    const { testAt, testAtCursor } = await import('./chosenTest');
    return argument.type === 'none' ? testAtCursor(tests) : testAt(tests, argument);
  };
  const run = (mode: TestMode) => async (argument: CommandArgument) => {
    const test = await chosen(argument);
    await (await loadRuns?.())?.runTest(test, mode, { tapes, storage });
  };
  return vscode.Disposable.from(
    registerCommand('tapedeck.replayTest', log, run('replay')),
    registerCommand('tapedeck.recordTest', log, run('record')),
    registerCommand('tapedeck.debugTest', log, async (argument) => {
      const test = await chosen(argument);
      await (await loadRuns?.())?.debugTest(test, storage);
    }),
    registerCommand('tapedeck.removeOrphans', log, async (argument, nodes) => {
      requireTrust();
      await (await loadRuns?.())?.removeOrphans(argument, nodes, { tests, tapes });
    }),
    registerCommand('tapedeck.openTestOfTape', log, async (argument) =>
      (await import('./chosenTest')).openTestOf(tests, argument),
    ),
  );
}
