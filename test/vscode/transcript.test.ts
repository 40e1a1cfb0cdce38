import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { textTape } from '../../src/host/tapes/tapeDocument';
import { activeText, eventually, file, printed, write } from './workspace';

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

  it('switches between its two editors in one tab, from wherever they are opened', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const tabs = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs: all }) =>
        all.map(({ input }) => (input instanceof vscode.TabInputCustom ? 'transcript' : 'text')),
      );
    const shows = (editors: readonly string[]) =>
      eventually(`${editors}`, () => JSON.stringify(tabs()) === JSON.stringify(editors));
    await vscode.commands.executeCommand('tapedeck.openTapeAsText', uri);
    await shows(['text']);
    await vscode.commands.executeCommand('tapedeck.openTranscript', uri, 1);
    await shows(['transcript']);
    // Also where another file is in front.
    await vscode.window.showTextDocument(file('cases/order_status.toml'), { preview: false });
    await vscode.commands.executeCommand('tapedeck.openTapeAsText', uri);
    await shows(['text', 'text']);
    await vscode.commands.executeCommand('tapedeck.openTranscript', uri);
    await shows(['transcript', 'text']);
    assert.equal(activeTab()?.label, 'order_status.tape.json');
  });

  it('is read as text to the last word of what inspect prints', async () => {
    for (const name of ['order_status', 'refund_question']) {
      const tape = `tapes/${name}.tape.json`;
      await vscode.commands.executeCommand('tapedeck.openTranscript', file(tape));
      await vscode.commands.executeCommand('tapedeck.openTranscriptAsText');
      const text = await activeText('tapedeck-transcript');
      assert.equal(text, printed('inspect', tape));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('opens as text on demand', async () => {
    await vscode.commands.executeCommand('tapedeck.openTapeAsText', uri);
    await eventually(
      'the text editor',
      () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString(),
    );
  });
});

describe('a large tape', () => {
  const uri = file('tapes/large.tape.json');
  before(() => write('tapes/large.tape.json', JSON.stringify({ version: 1, case_name: 'x'.repeat(4_000_000) })));
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uri);
  });

  it('is read from the disk, in a thread, as long as its document has no unsaved changes', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    const tape = textTape(document);
    assert.equal(await tape.largeFile?.(), uri.fsPath);
    await tape.edit([{ start: 0, end: 0, text: ' ' }], 'Edit');
    assert.deepEqual([tape.isDirty, await tape.largeFile?.()], [true, undefined]);
    await vscode.commands.executeCommand('vscode.open', uri);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await eventually('the file as it was saved', async () => (await tape.largeFile?.()) === uri.fsPath || undefined);
    const small = textTape(await vscode.workspace.openTextDocument(file('tapes/order_status.tape.json')));
    assert.equal(await small.largeFile?.(), undefined);
  });
});
