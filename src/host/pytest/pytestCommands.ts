import * as vscode from 'vscode';
import type { PytestMode } from '../../core/python/pytestRun';
import { nodeName } from '../../core/python/pythonTests';
import { registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { PytestStore, PytestTest } from '../stores/pytestStore';
import { pytestRunOf, runPytest } from './pytestTask';
import { existingTapes, setTapeAside } from './testTapes';

/** What to do about the tests of pytest that use tapes. `requireTrust` throws in Restricted Mode. */
export function registerPytestCommands(store: PytestStore, requireTrust: () => void, log: Log): vscode.Disposable {
  const run = (mode: PytestMode) => async (target: unknown) => {
    requireTrust();
    await runTest(await testAt(store, target), mode);
  };
  return vscode.Disposable.from(
    registerCommand('tapedeck.replayTest', log, run('replay')),
    registerCommand('tapedeck.recordTest', log, run('record')),
    registerCommand('tapedeck.openTestOfTape', log, (target) => openTestOf(store, target)),
  );
}

/** Finds the test that a lens was made for. Throws when the text has no such test any more. */
async function testAt(store: PytestStore, target: unknown): Promise<PytestTest> {
  const { file, test } = isRecord(target) ? target : {};
  if (!(file instanceof vscode.Uri) || typeof test !== 'string')
    throw new HumanError('Use the lens above a test that has a tape.');
  const document = await vscode.workspace.openTextDocument(file);
  if (document.isDirty) await document.save();
  const found = (await store.testsIn(document)).find((one) => nodeName(one.test) === test);
  if (found === undefined) throw new HumanError(`There is no test ${test} with a tape in this file any more.`);
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

async function runTest(test: PytestTest, mode: PytestMode): Promise<void> {
  const run = await pytestRunOf(test, mode);
  if (mode === 'replay') {
    await runPytest(test.folder, run);
    return;
  }
  const tapes = await existingTapes(test);
  if (!(await confirmed(test, tapes, [...run.args].join(' '), run.env))) return;
  const aside = run.needsTapeAside ? await Promise.all(tapes.map((tape) => setTapeAside(tape, test.folder))) : [];
  let exitCode: number | undefined;
  try {
    exitCode = await runPytest(test.folder, run);
  } finally {
    const outcomes = await Promise.all(aside.map((one) => one.finish(exitCode === 0)));
    if (outcomes.includes('restored'))
      void vscode.window.showWarningMessage(
        `pytest did not record ${nodeName(test.test)}: its tape is the one that it was. The task's terminal says why.`,
      );
  }
}

async function confirmed(
  { test }: PytestTest,
  tapes: readonly vscode.Uri[],
  args: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const record = tapes.length === 0 ? 'Record' : 'Re-record';
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  const kept =
    tapes.length === 0
      ? 'There is no tape yet.'
      : `${tapes.map((tape) => vscode.workspace.asRelativePath(tape)).join(', ')} will be replaced.`;
  const chosen = await vscode.window.showWarningMessage(
    `${record} ${nodeName(test)}?`,
    {
      modal: true,
      detail: `${kept}\n\n${variables.join('')}pytest ${args}\n\nThe test asks the real provider, with the keys of your environment.`,
    },
    record,
  );
  return chosen === record;
}

/** From a tape, by its node in the tree, its uri, or because it is in front, to the test that uses it; or to a test. */
async function openTestOf(store: PytestStore, target: unknown): Promise<void> {
  if (isRecord(target) && 'test' in target) return open(await testAt(store, target));
  const tape = tapeUri(target);
  if (tape === undefined) throw new HumanError('There is no tape here: open one, or pick one in the Tapedeck view.');
  const tests = await store.testsOf(tape);
  const [first] = tests;
  if (first === undefined)
    throw new HumanError(`No test of pytest is known to use ${vscode.workspace.asRelativePath(tape)}.`);
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
  return (await vscode.window.showQuickPick(items, { placeHolder: 'The tests that use this tape' }))?.test;
}

function tapeUri(target: unknown): vscode.Uri | undefined {
  const named = isRecord(target) && 'uri' in target ? target.uri : target;
  if (named instanceof vscode.Uri) return named;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}
