import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import { onDidChangeSwitch } from '../base/settings';
import type { TapeStore } from '../stores/tapes/tapeStore';
import { SOURCE_GLOB, type TapeTestStore } from '../stores/tapes/tapeTestStore';
import { registerOrphans } from './orphans';
import { registerTestCommands } from './testCommands';
import { TestLenses } from './testLenses';

/** Registers lenses, commands and problems for tests that use tapes. `requireTrust` throws in Restricted Mode. */
export function registerTapeTests(parts: {
  readonly tests: TapeTestStore;
  readonly tapes: TapeStore;
  readonly log: Log;
  readonly loadRuns?: (() => Promise<typeof import('./testRuns')>) | undefined;
  readonly context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>;
  requireTrust(): void;
}): vscode.Disposable {
  const { tests, tapes, log, context, loadRuns } = parts;
  const storage = context.storageUri ?? context.globalStorageUri;
  const owned = new DisposableStore();
  const lenses = new TestLenses(tests, tapes);
  owned.add(tapes.onDidChange(() => lenses.refresh()));
  owned.add(onDidChangeSwitch('codeLens.enabled', () => lenses.refresh()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => lenses.refresh()));
  owned.add(vscode.languages.registerCodeLensProvider({ pattern: SOURCE_GLOB }, lenses));
  owned.add(registerTestCommands({ tests, tapes, log, storage, loadRuns, requireTrust: parts.requireTrust }));
  owned.add(registerOrphans(tapes, tests));
  return owned;
}
