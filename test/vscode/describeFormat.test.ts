import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, file, printed, write } from './workspace';

const call = (asked: string, said: string) => ({
  kind: 'model',
  sent: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: asked }] },
  received: {
    id: 'c1',
    object: 'chat.completion',
    model: 'gpt-4o-mini',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: said } }],
  },
});
const OWN = JSON.stringify({ turns: [call('Weather?', 'Four degrees.'), call('Wind?', 'Windy.')] });

describe('Describe This Format…', () => {
  const recording = file('recordings/own.json');
  let config = '';

  before(async () => {
    config = (await vscode.workspace.openTextDocument(file('tapedeck.toml'))).getText();
    await write('recordings/own.json', OWN);
  });
  after(async () => {
    await write('tapedeck.toml', config);
    await vscode.workspace.fs.delete(file('recordings'), { recursive: true });
  });

  it('is offered where the tree and Problems show a file in no known format', async () => {
    const [problem] = await eventually('the file has a problem', () => {
      const found = vscode.languages.getDiagnostics(recording);
      return found.length > 0 ? found : undefined;
    });
    assert.equal(problem?.code, 'describable-format');
    const document = await vscode.workspace.openTextDocument(recording);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      recording,
      new vscode.Range(0, 0, 0, document.lineAt(0).text.length),
    );
    assert.deepEqual(
      actions.map(({ command }) => command?.command).filter((id) => id?.startsWith('tapedeck.')),
      ['tapedeck.describeFormat', 'tapedeck.openManualPage', 'tapedeck.openTapeAsText'],
    );
  });

  it('adds a layout to tapedeck.toml, by which the file is a tape once that is saved', async () => {
    assert.equal(printed('inspect', 'recordings/own.json'), '');
    await vscode.commands.executeCommand('tapedeck.describeFormat', recording);
    const { document } = await eventually('the configuration is shown', () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.path.endsWith('/tapedeck.toml') && editor.document.isDirty ? editor : undefined;
    });
    const text = document.getText();
    assert.ok(text.startsWith(config), 'what was there stays');
    assert.match(
      text,
      /\[\[tapes\.layout\]\]\nname = "recordings"\nfiles = \["recordings\/\*\.json"\]\nentries = "turns"\n/,
    );
    await document.save();
    assert.match(printed('inspect', 'recordings/own.json'), /Four degrees\./);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
