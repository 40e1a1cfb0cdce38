import * as vscode from 'vscode';
import type { PytestMode } from '../../core/python/pytestRun';
import { nodeName } from '../../core/python/testNames';
import { t } from '../../core/text/l10n';
import { type CommandArgument, requireTapeUri } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { PytestStore, PytestTest } from '../stores/pytestStore';

/** Registers the commands for pytest tests that use tapes. `requireTrust` throws in Restricted Mode. */
export function registerPytestCommands(store: PytestStore, requireTrust: () => void, log: Log): vscode.Disposable {
  const run = (mode: PytestMode) => async (argument: CommandArgument) => {
    requireTrust();
    const { runTest } = await import('./runTest');
    await runTest(await testAt(store, argument), mode);
  };
  return vscode.Disposable.from(
    registerCommand('tapedeck.replayTest', log, run('replay')),
    registerCommand('tapedeck.recordTest', log, run('record')),
    registerCommand('tapedeck.openTestOfTape', log, (argument) => openTestOf(store, argument)),
  );
}

/** Finds the test of a lens. Throws when the file no longer has that test. */
async function testAt(store: PytestStore, argument: CommandArgument): Promise<PytestTest> {
  if (argument.type !== 'testTarget')
    throw new HumanError(t('No test is selected. Use the lens above a test that has a tape.'));
  const { file, test } = argument.target;
  const document = await vscode.workspace.openTextDocument(file);
  if (document.isDirty) await document.save();
  const found = (await store.testsIn(document)).find((one) => nodeName(one.test) === test);
  if (found === undefined)
    throw new HumanError(t('This file no longer has a test {0} with a tape. Use the lens above the test again.', test));
  return found;
}

/** Opens a test, or the test that uses a tape: that of a tree node, that of a URI, or the active one. */
async function openTestOf(store: PytestStore, argument: CommandArgument): Promise<void> {
  if (argument.type === 'testTarget') return open(await testAt(store, argument));
  const tape = requireTapeUri(argument, activeFile());
  const tests = await store.testsOf(tape);
  const [first] = tests;
  if (first === undefined)
    throw new HumanError(t('No pytest test was found that uses {0}.', vscode.workspace.asRelativePath(tape)));
  const chosen = tests.length === 1 ? first : await pick(tests);
  if (chosen !== undefined) await open(chosen);
}

async function open({ file, test }: PytestTest): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const { start, end } = test.nameSpan;
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(end));
  await vscode.window.showTextDocument(document, { selection });
}

async function pick(tests: readonly PytestTest[]): Promise<PytestTest | undefined> {
  const items = tests.map((test) => ({
    label: nodeName(test.test),
    description: vscode.workspace.asRelativePath(test.file),
    test,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: t('Select a test that uses this tape') }))?.test;
}

function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}
