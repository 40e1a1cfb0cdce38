import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import { onDidChangeSwitch } from '../base/settings';
import { PYTEST_GLOB, type PytestStore } from '../stores/pytestStore';
import type { TapeStore } from '../stores/tapeStore';
import { registerOrphans } from './orphans';
import { registerPytestCommands } from './pytestCommands';
import { TestLenses } from './testLenses';

/** Registers lenses, commands and problems for tests that use tapes. `requireTrust` throws in Restricted Mode. */
export function registerPytest(parts: {
  readonly tests: PytestStore;
  readonly tapes: TapeStore;
  readonly log: Log;
  requireTrust(): void;
}): vscode.Disposable {
  const { tests, tapes, log } = parts;
  const owned = new DisposableStore();
  const lenses = new TestLenses(tests);
  owned.add(tapes.onDidChange(() => lenses.refresh()));
  owned.add(onDidChangeSwitch('codeLens.enabled', () => lenses.refresh()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => lenses.refresh()));
  owned.add(vscode.languages.registerCodeLensProvider({ pattern: PYTEST_GLOB }, lenses));
  owned.add(registerPytestCommands(tests, parts.requireTrust, log));
  owned.add(registerOrphans(tapes, tests));
  return owned;
}
