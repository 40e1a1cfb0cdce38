import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { checkagentFormat } from '../../src/core/tapes/formats/checkagent/index';
import { hasTerminal } from './terminal';
import { eventually, exists, file, readText } from './workspace';

/** The tests of pytest's project are below a folder of their own. */
const TESTS = 'pytests/tests';
const SOURCE = `
import pytest

def agent(prompt):
    return "a new answer"

@pytest.mark.agent_test(layer="replay")
async def test_recorded(ca_cassette):
    assert await ca_cassette.arun(agent, "hello")

async def test_new(ca_cassette):
    assert await ca_cassette.arun(agent, "hello")

@pytest.mark.vcr
def test_web():
    pass
`;
const cassette = (answer: string) =>
  checkagentFormat.serialise('t', [
    {
      kind: 'llm',
      request: { messages: [{ role: 'user', content: 'hello', toolCalls: [] }], tools: [], params: {} },
      response: { content: answer, toolCalls: [] },
    },
  ]);

describe('tests of pytest that use tapes', () => {
  const source = file(`${TESTS}/test_agent.py`);
  const recorded = file(`${TESTS}/cassettes/test_agent/test_recorded.json`);
  const orphan = file(`${TESTS}/cassettes/test_agent/test_gone.json`);
  const fresh = file(`${TESTS}/cassettes/test_agent/test_new.json`);
  const write = (uri: vscode.Uri, text: string) => vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const lensesOf = async (test: string) => {
    const document = await vscode.workspace.openTextDocument(source);
    const line = document.positionAt(document.getText().indexOf(test)).line;
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', source);
    return lenses.filter(({ range }) => Math.abs(range.start.line - line) <= 1 && range.start.line <= line);
  };
  const titles = async (test: string) => (await lensesOf(test)).map(({ command }) => command?.title);

  before(async () => {
    await write(source, SOURCE);
    await write(recorded, cassette('the recorded answer'));
    await write(orphan, cassette('nobody asks'));
    await vscode.commands.executeCommand('tapedeck.refresh');
  });
  after(() => vscode.workspace.fs.delete(file('pytests'), { recursive: true }));

  it('have a lens for their tape, one to replay and one to record', async () => {
    assert.deepEqual(await titles('def test_recorded'), [
      '$(comment-discussion) test_recorded.json',
      '$(play) Replay',
      '$(debug-alt) Debug',
      '$(record) Re-record',
    ]);
    assert.deepEqual(await titles('def test_new'), ['$(record) Record']);
    assert.deepEqual(await titles('def test_web'), ['$(record) Record']);
  });

  it('are found from their tape', async () => {
    await vscode.commands.executeCommand('tapedeck.openTestOfTape', recorded);
    const editor = await eventually('the test', () =>
      vscode.window.activeTextEditor?.document.uri.toString() === source.toString()
        ? vscode.window.activeTextEditor
        : undefined,
    );
    assert.equal(editor.document.getText(editor.selection), 'test_recorded');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('leave tapes behind that are orphaned, in the Problems view', async () => {
    const orphaned = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'orphan');
    const [problem] = await eventually('the problem', () =>
      orphaned(orphan).length > 0 ? orphaned(orphan) : undefined,
    );
    assert.match(problem?.message ?? '', /orphaned: no test in .*test_agent\.py uses it/);
    assert.deepEqual(orphaned(recorded), []);
  });

  it('run with the real pytest, which replays and records', async function () {
    const extension = vscode.extensions.getExtension('tapedeck.tapedeck')?.extensionPath ?? '';
    const python = join(extension, '.vscode-test/python/checkagent/bin/python');
    if (!existsSync(python)) {
      console.log(
        'NOT TESTED: the lenses of pytest with the real pytest; test/engine/python/pythonPeers.test.ts installs it',
      );
      this.skip();
    }
    if (!(await hasTerminal())) {
      console.log(
        'NOT TESTED: the lenses of pytest, as no task starts here: this host came without its compiled terminal',
      );
      this.skip();
    }
    await vscode.workspace
      .getConfiguration('tapedeck')
      .update('pytest', [python, '-m', 'pytest', '-p', 'no:cacheprovider']);
    const exitCodes: (number | undefined)[] = [];
    const subscription = vscode.tasks.onDidEndTaskProcess(({ exitCode }) => exitCodes.push(exitCode));
    try {
      const [, replay] = await lensesOf('def test_recorded');
      await vscode.commands.executeCommand('tapedeck.replayTest', ...(replay?.command?.arguments ?? []));
      assert.deepEqual(exitCodes, [0]);
      assert.equal(await readText(recorded), cassette('the recorded answer'), 'a replay changes no tape');
      assert.equal(await exists(fresh), false);
    } finally {
      subscription.dispose();
      await vscode.workspace.getConfiguration('tapedeck').update('pytest', undefined);
    }
  });
});
