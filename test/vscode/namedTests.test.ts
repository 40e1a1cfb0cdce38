import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { tapedeckFormat } from '../../src/core/tapes/formats/tapedeck/index';
import { eventually, exists, file } from './workspace';

const TESTS = 'named/tests';
/** Neither file says a word of Tapedeck, and pytest would find the second one only where it is configured to. */
const VITEST = `import { describe, it } from 'vitest';
describe('orders', () => {
  for (const city of ['Rome', 'Oslo']) it('asks for ' + city, () => undefined);
});
`;
const PYTEST = `def check_one():
    pass
`;
const tape = (test: string): string =>
  tapedeckFormat.serialise(
    'tape',
    [
      {
        kind: 'llm',
        request: { messages: [{ role: 'user', content: 'hello', toolCalls: [] }], tools: [], params: {} },
        response: { content: 'hi', toolCalls: [] },
      },
    ],
    { path: '', test },
  );

describe('tests that their tapes name', () => {
  const vitest = file(`${TESTS}/orders.test.ts`);
  const pytest = file(`${TESTS}/checks.py`);
  const rome = file(`${TESTS}/__tapes__/orders.test.ts/orders-asks-for-Rome.tape.jsonl`);
  const oslo = file(`${TESTS}/__tapes__/orders.test.ts/orders-asks-for-Oslo.tape.jsonl`);
  const gone = file(`${TESTS}/__tapes__/orders.test.ts/orders-cancels.tape.jsonl`);
  const one = file(`${TESTS}/tapes/checks/check_one.tape.jsonl`);
  const write = (uri: vscode.Uri, text: string) => vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const titles = async (uri: vscode.Uri): Promise<readonly (string | undefined)[]> => {
    await vscode.workspace.openTextDocument(uri);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    return lenses.map(({ command }) => command?.title);
  };
  const isOrphan = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).some(({ code }) => code === 'orphan');

  before(async () => {
    await write(vitest, VITEST);
    await write(pytest, PYTEST);
    await write(rome, tape('tests/orders.test.ts::orders > asks for Rome'));
    await write(oslo, tape('tests/orders.test.ts::orders > asks for Oslo'));
    await write(gone, tape('tests/orders.test.ts::orders > cancels'));
    await write(one, tape('tests/checks.py::check_one'));
    await vscode.commands.executeCommand('tapedeck.refresh');
  });
  after(() => vscode.workspace.fs.delete(file('named'), { recursive: true }));

  it('have lenses for all their tapes, to replay, to debug, and to record', async () => {
    const run = ['$(play) Replay', '$(debug-alt) Debug', '$(record) Re-record'];
    await eventually('the lenses', async () => ((await titles(vitest)).length === 5 ? true : undefined));
    const [first, second, ...others] = await titles(vitest);
    assert.deepEqual([first, second].map(String).sort(), [
      '$(comment-discussion) orders-asks-for-Oslo.tape.jsonl',
      '$(comment-discussion) orders-asks-for-Rome.tape.jsonl',
    ]);
    assert.deepEqual(others, run);
    await eventually('those of Python', async () => ((await titles(pytest)).length === 4 ? true : undefined));
    assert.deepEqual(await titles(pytest), ['$(comment-discussion) check_one.tape.jsonl', ...run]);
  });

  it('are found from their tape, where they are', async () => {
    await vscode.commands.executeCommand('tapedeck.openTestOfTape', oslo);
    const editor = await eventually('the test', () =>
      vscode.window.activeTextEditor?.document.uri.toString() === vitest.toString()
        ? vscode.window.activeTextEditor
        : undefined,
    );
    assert.match(editor.document.getText(editor.selection), /^it\('asks for ' \+ city/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('leave tapes behind, which are removed, and kept as takes', async () => {
    await eventually('the problem', () => (isOrphan(gone) ? true : undefined));
    assert.deepEqual([rome, oslo, one].map(isOrphan), [false, false, false]);
    await vscode.commands.executeCommand('tapedeck.removeOrphans', gone);
    assert.equal(await exists(gone), false);
    const takes = file(`.tapedeck/takes/${TESTS}/__tapes__/orders.test.ts/orders-cancels.tape.jsonl`);
    assert.equal((await vscode.workspace.fs.readDirectory(takes)).length, 1);
    await vscode.workspace.fs.delete(takes, { recursive: true });
  });
});
