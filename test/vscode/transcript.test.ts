import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, file } from './workspace';

const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;

describe('a tape', () => {
  const uri = file('tapes/order_status.tape.json');

  it('opens as a transcript', async () => {
    await vscode.commands.executeCommand('vscode.open', uri);
    const input = await eventually('the transcript', () => {
      const current = activeTab()?.input;
      return current instanceof vscode.TabInputCustom ? current : undefined;
    });
    assert.equal(input.viewType, 'tapedeck.transcript');
    assert.equal(input.uri.toString(), uri.toString());
  });

  it('opens as text on demand', async () => {
    await vscode.commands.executeCommand('tapedeck.openTapeAsText', uri);
    await eventually(
      'the text editor',
      () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString(),
    );
  });
});
