import * as assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
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
});
