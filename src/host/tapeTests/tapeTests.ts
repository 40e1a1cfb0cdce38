import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import { onDidChangeSwitch } from '../base/settings';
import type { TapeStore } from '../stores/tapes/tapeStore';
import { type TapeTestStore, TEST_GLOB } from '../stores/tapes/tapeTestStore';
import { registerOrphans } from './orphans';
import { registerTestCommands } from './testCommands';
import { TestLenses } from './testLenses';

/** Registers lenses, commands and problems for tests that use tapes. `requireTrust` throws in Restricted Mode. */
export function registerTapeTests(parts: {
  readonly tests: TapeTestStore;
  readonly tapes: TapeStore;
  readonly log: Log;
  requireTrust(): void;
}): vscode.Disposable {
  const { tests, tapes, log } = parts;
  const owned = new DisposableStore();
  const lenses = new TestLenses(tests, tapes);
  owned.add(tapes.onDidChange(() => lenses.refresh()));
  owned.add(onDidChangeSwitch('codeLens.enabled', () => lenses.refresh()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => lenses.refresh()));
  owned.add(vscode.languages.registerCodeLensProvider({ pattern: TEST_GLOB }, lenses));
  owned.add(registerTestCommands({ tests, tapes, log, requireTrust: parts.requireTrust }));
  owned.add(registerOrphans(tapes, tests));
  return owned;
}
