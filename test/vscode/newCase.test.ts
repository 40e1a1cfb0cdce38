import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, exists, file, readText, write } from './workspace';

/** Generated for this test, in the shape of a key. */
const KEY = `sk-proj-${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ'.repeat(2)}`;
const OWN = [
  { tapedeck: 'tape', version: 1, name: 'run' },
  {
    request: 1,
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    json: { model: 'm', messages: [{ role: 'user', content: `My key is ${KEY}` }] },
  },
  {
    response: 1,
    status: 200,
    headers: [['content-type', 'application/json']],
    json: { choices: [{ index: 0, message: { role: 'assistant', content: 'Keep it.' }, finish_reason: 'stop' }] },
  },
];
const NAMED = JSON.stringify({ version: 1, case_name: 'x', interactions: [{ response: `It is ${KEY}.` }] });

const hasSecret = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).some(({ message }) => /secret|key/i.test(message)) || undefined;
const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;

describe('a new case', () => {
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    if (await exists(file('cases/order_status_2.toml')))
      await vscode.workspace.fs.delete(file('cases/order_status_2.toml'));
  });

  it('for a tape has its prompt and its tools, and replays it', async () => {
    const asked = vscode.commands.executeCommand('tapedeck.newCaseForTape', file('tapes/order_status.tape.json'));
    const editor = await eventually('the new case', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.path.endsWith('/cases/order_status_2.toml') ? active : undefined;
    });
    await asked;
    assert.equal(editor.document.getText(editor.selection), 'Where is my order 4711?');
    assert.match(await readText(editor.document.uri), /tape = "\.\.\/tapes\/order_status\.tape\.json"/);
    await vscode.commands.executeCommand('tapedeck.replayCase', editor.document.uri);
    const artifact = file('.tapedeck/runs/cases/order_status_2.artifact.json');
    const { status, tool_calls: calls } = JSON.parse(
      await eventually('a run', () => readText(artifact).catch(() => undefined)),
    );
    assert.equal(status, 'passed');
    assert.equal(calls.length, 1);
  });
});

describe('tapes in the format of Tapedeck, and those that a case names', () => {
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const path of ['agents', 'elsewhere', 'cases/named.toml'])
      await vscode.workspace.fs.delete(file(path), { recursive: true });
  });

  it('open as a transcript by themselves, and their secrets are found', async () => {
    const tape = file('agents/deep/run.tape.jsonl');
    await write('agents/deep/run.tape.jsonl', OWN.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await vscode.commands.executeCommand('vscode.open', tape);
    const input = await eventually('a transcript', () => {
      const tab = activeTab();
      return tab instanceof vscode.TabInputCustom ? tab : undefined;
    });
    assert.equal(input.viewType, 'tapedeck.transcript');
    await eventually('the secret in the tape', () => hasSecret(tape));
  });

  it('are found outside of the places of tapes, with their secrets', async () => {
    const tape = file('elsewhere/named.json');
    await write('elsewhere/named.json', NAMED);
    await write('cases/named.toml', 'name = "named"\nprompt = "p"\n[llm]\ntape = "../elsewhere/named.json"\n');
    await eventually('the secret in the named tape', () => hasSecret(tape));
    await vscode.commands.executeCommand('tapedeck.openTranscript', tape);
    await eventually('its transcript', () => (activeTab() instanceof vscode.TabInputCustom ? true : undefined));
  });
});
