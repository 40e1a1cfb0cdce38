import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findTapes, tapePlaces } from '../../src/host/stores/tapes/tapePlaces';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { eventually, file, write } from './workspace';

const TAPE = JSON.stringify({ version: 1, case_name: 'x', interactions: [{ response: 'It is shipped.' }] });

describe('the places that tapedeck.tapes names', () => {
  const stores = new WorkspaceStores(async () => []);
  const { tapes } = stores;
  let first: readonly string[];

  const known = () => tapes.all().map(({ uri }) => vscode.workspace.asRelativePath(uri, false));
  const set = (globs: unknown) =>
    vscode.workspace.getConfiguration('tapedeck', file('.')).update('tapes', globs, false);

  async function becomes(expected: readonly string[]): Promise<void> {
    await eventually(expected.join(', '), () => known().sort().join() === [...expected].sort().join() || undefined);
  }

  before(async () => {
    await write('odd/special.json', TAPE);
    await write('odd/deep/special.json', TAPE);
    await tapes.readAll();
    first = known();
  });
  after(async () => {
    await set(undefined);
    stores.dispose();
    for (const path of ['odd', '.vscode']) await vscode.workspace.fs.delete(file(path), { recursive: true });
  });

  it('are looked at again when they change, and what is elsewhere is forgotten', async () => {
    assert.ok(first.includes('tapes/order_status.tape.json'));
    assert.ok(!first.includes('odd/special.json'));
    await set(['odd/*.json']);
    await becomes(['odd/special.json']);
  });

  it('are watched, from the folder of the workspace on', async () => {
    await write('odd/late.json', TAPE);
    await becomes(['odd/late.json', 'odd/special.json']);
    await write('odd/deep/late.json', TAPE);
    await vscode.workspace.fs.delete(file('odd/late.json'));
    await becomes(['odd/special.json']);
  });

  it('are searched for so many files, and it is known where there are more', async () => {
    await write('odd/second.json', TAPE);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const counts = async (most?: number) => {
      const { files, cut } = await findTapes(tapePlaces(), most);
      return { files: files.length, cut };
    };
    await eventually('both are found', async () => (await counts()).files === 2 || undefined);
    assert.deepEqual(await counts(2), { files: 2, cut: [] });
    assert.deepEqual(await counts(1), { files: 1, cut: [folder?.name] });
    await vscode.workspace.fs.delete(file('odd/second.json'));
    await becomes(['odd/special.json']);
  });

  it('are none where the setting is no list', async () => {
    await set('odd/*.json');
    await becomes([]);
  });

  it('are those of the default again without the setting', async () => {
    await set(undefined);
    await becomes(first);
  });
});
