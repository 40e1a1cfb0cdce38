import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { watchReplays } from '../../src/host/runs/testExplorer/watchReplays';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { eventually, file } from './workspace';

async function touch(path: string): Promise<void> {
  const uri = file(path);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), ' ');
  await vscode.workspace.applyEdit(edit);
  await document.save();
  const undo = new vscode.WorkspaceEdit();
  undo.delete(uri, new vscode.Range(0, 0, 0, 1));
  await vscode.workspace.applyEdit(undo);
}

describe('continuous replay', () => {
  const stores = new WorkspaceStores(async () => []);
  const { cases } = stores;
  let replayed: string[] = [];
  let watcher: vscode.Disposable;

  before(async () => {
    await cases.load();
    watcher = watchReplays({
      cases,
      states: stores.states,
      watched: () => cases.all(),
      replay: (entries) => replayed.push(...entries.map(({ name }) => name)),
    });
  });
  beforeEach(() => {
    replayed = [];
  });
  after(async () => {
    watcher.dispose();
    stores.dispose();
    await vscode.workspace.saveAll();
  });

  it('replays a case that is saved', async () => {
    await touch('cases/greeting.toml');
    await eventually('a replay', () => replayed.length > 0);
    assert.deepEqual([...new Set(replayed)], ['greeting']);
  });

  it('replays the cases of a tape that is saved', async () => {
    await touch('tapes/order_status.tape.json');
    await eventually('a replay', () => replayed.length > 0);
    assert.deepEqual([...new Set(replayed)], ['order_status']);
  });

  it('replays nothing for other files', async () => {
    await touch('tapedeck.toml');
    await touch('cases/greeting.toml');
    await eventually('a replay', () => replayed.length > 0);
    assert.deepEqual([...new Set(replayed)], ['greeting']);
  });
});
