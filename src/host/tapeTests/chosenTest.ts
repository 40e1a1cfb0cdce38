import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { type CommandArgument, requireTapeUri } from '../base/commandArguments';
import { HumanError } from '../base/humanError';
import type { FoundTest } from '../stores/tapes/foundTest';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';

/** Finds the test of a lens. Throws when the file no longer has that test. */
export async function testAt(store: TapeTestStore, argument: CommandArgument): Promise<FoundTest> {
  if (argument.type !== 'testTarget')
    throw new HumanError(t('No test is selected. Use the lens above a test that has a tape.'));
  const { file, test } = argument.target;
  const document = await vscode.workspace.openTextDocument(file);
  if (document.isDirty) await document.save();
  const found = await store.testIn(document, test);
  if (found === undefined)
    throw new HumanError(
      t('This file no longer has a test named {0} with a tape. Select Replay above the test again.', test),
    );
  return found;
}

/** The test at the cursor, or the last one before it; undefined in a file without tests that use tapes. */
export async function testAtCursor(store: TapeTestStore): Promise<FoundTest> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.isDirty) await editor.document.save();
  const tests = editor === undefined ? [] : await store.testsIn(editor.document);
  const at = editor === undefined ? 0 : editor.document.offsetAt(editor.selection.active);
  const before = tests.filter(({ test }) => test.start <= at);
  const found = before.toSorted((one, other) => one.test.start - other.test.start).at(-1) ?? tests[0];
  if (found === undefined)
    throw new HumanError(
      t('No test in the active editor uses a tape. Open a file with such a test, and put the cursor in it.'),
    );
  return found;
}

/** Opens a test, or the test that uses a tape: that of a tree node, that of a URI, or the active one. */
export async function openTestOf(store: TapeTestStore, argument: CommandArgument): Promise<void> {
  if (argument.type === 'testTarget') return open(await testAt(store, argument));
  const tape = requireTapeUri(argument, activeFile());
  const tests = await store.testsOf(tape);
  const [first] = tests;
  if (first === undefined)
    throw new HumanError(t('No test was found that uses {0}.', vscode.workspace.asRelativePath(tape)));
  const chosen = tests.length === 1 ? first : await pick(tests);
  if (chosen !== undefined) await open(chosen);
}

async function open({ file, test }: FoundTest): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const { start, end } = test.nameSpan;
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(end));
  await vscode.window.showTextDocument(document, { selection });
}

async function pick(tests: readonly FoundTest[]): Promise<FoundTest | undefined> {
  const items = tests.map((test) => ({
    label: test.test.name,
    description: vscode.workspace.asRelativePath(test.file),
    test,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: t('Select a test that uses this tape') }))?.test;
}

function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}
