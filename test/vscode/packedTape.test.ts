import * as assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { PackedEditor } from '../../src/host/tapes/packed/packedEditor';
import { type PackedEdit, PackedTape } from '../../src/host/tapes/packed/packedTape';
import { eventually, file } from './workspace';

describe('a packed tape', () => {
  const uri = file('packed.yaml.gz');
  const write = (text: string) => vscode.workspace.fs.writeFile(uri, gzipSync(text));

  before(() => write('one: 1\n'));
  after(() => vscode.workspace.fs.delete(uri));

  it('follows its file again once all changes are undone', async () => {
    const tape = new PackedTape(uri);
    const edits: PackedEdit[] = [];
    tape.onDidEdit((edit) => edits.push(edit));
    await tape.edit([{ start: 5, end: 6, text: '2' }], 'Edit');
    assert.deepEqual([(await tape.file()).text, tape.isDirty], ['one: 2\n', true]);
    edits[0]?.undo();
    assert.deepEqual([(await tape.file()).text, tape.isDirty], ['one: 1\n', false]);
    await write('one: recorded anew\n');
    await eventually('the new recording', async () => (await tape.file()).text === 'one: recorded anew\n' || undefined);
    tape.dispose();
  });

  it('has what was not saved, also where a window knows none of its backups, or one that was deleted for the last', async () => {
    const { fs } = vscode.workspace;
    await write('one: 1\n');
    const folder = file('drafts of packed tapes');
    const editor = new PackedEditor(() => {}, folder);
    const backup = (name: string) => vscode.Uri.joinPath(folder, name);
    const open = (backupId?: string) => editor.openCustomDocument(uri, { backupId, untitledDocumentData: undefined });
    const isGone = async (name: string) =>
      (await fs.readDirectory(folder)).every(([other]) => other !== name) || undefined;
    const textOf = async (backupId?: string) => {
      const opened = await open(backupId);
      const { text } = await opened.file();
      opened.dispose();
      return text;
    };
    try {
      const tape = await open();
      await tape.edit([{ start: 5, end: 6, text: '2' }], 'Edit');
      const first = await editor.backupCustomDocument(tape, { destination: backup('first') });
      await tape.edit([{ start: 5, end: 6, text: '3' }], 'Edit');
      const last = await editor.backupCustomDocument(tape, { destination: backup('last') });
      first.delete();
      await eventually('the earlier backup to be deleted', () => isGone('first'));
      tape.dispose();
      assert.equal(await textOf(), 'one: 3\n');
      assert.equal(await textOf(first.id), 'one: 3\n');
      assert.equal(await textOf(last.id), 'one: 3\n');
      last.delete();
      await eventually('the last backup to be deleted', () => isGone('last'));
      assert.equal(await textOf(), 'one: 1\n');
      assert.equal(await textOf(first.id), 'one: 1\n');
    } finally {
      await fs.delete(folder, { recursive: true });
      editor.dispose();
    }
  });
});
