import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CaseTree } from '../../src/host/cases/caseTree';
import type { TreeNode } from '../../src/host/cases/caseTreeNodes';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { eventually, file, readText, write } from './workspace';

const tapeOf = (interactions: number) =>
  JSON.stringify({
    version: 1,
    case_name: 'x',
    interactions: Array(interactions).fill({ response: 'It is shipped.' }),
  });

describe('the tree of cases and tapes', () => {
  const stores = new WorkspaceStores(async () => []);
  const tree = new CaseTree(stores);
  let redrawn: (TreeNode | undefined)[] = [];

  before(async () => {
    await write('tapes/loose.tape.json', tapeOf(2));
    await tree.getChildren();
    await stores.tapes.readAll();
    tree.onDidChangeTreeData((node) => redrawn.push(node));
  });
  beforeEach(() => {
    redrawn = [];
  });
  after(async () => {
    for (const owned of [tree, stores]) owned.dispose();
    await vscode.workspace.fs.delete(file('tapes/loose.tape.json'));
  });

  async function looseNode(): Promise<TreeNode> {
    const roots = await tree.getChildren();
    const folder = roots.find((node) => node.type === 'folder' && node.resource.path.endsWith('/tapes'));
    const nodes = await tree.getChildren(folder);
    const found = nodes.find((node) => node.type === 'tape' && node.resource.path.endsWith('/loose.tape.json'));
    assert.ok(found, 'the tape is listed');
    return found;
  }

  it('redraws a tape that no case names when it is written again', async () => {
    const node = await looseNode();
    assert.match(String((await tree.getTreeItem(node)).description), /^2 interactions/);
    await write('tapes/loose.tape.json', tapeOf(3));
    await eventually('the very node that VS Code knows is redrawn', () => redrawn.includes(node));
    assert.match(String((await tree.getTreeItem(node)).description), /^3 interactions/);
    assert.equal(await looseNode(), node);
  });

  it('lists a tape in its folder as soon as no case names it any more', async () => {
    const uri = file('cases/order_status.toml');
    const original = await readText(uri);
    redrawn = [];
    try {
      await write('cases/order_status.toml', original.replace(/^tape = .*$/m, 'tape = "../tapes/loose.tape.json"'));
      await eventually('all is redrawn', () => redrawn.includes(undefined));
      const roots = await tree.getChildren();
      const folder = roots.find((node) => node.type === 'folder' && node.resource.path.endsWith('/tapes'));
      const names = (await tree.getChildren(folder)).map((node) => (node.type === 'tape' ? node.resource.path : ''));
      assert.deepEqual(
        names.map((path) => path.slice(path.lastIndexOf('/') + 1)),
        ['order_status.tape.json'],
      );
    } finally {
      await write('cases/order_status.toml', original);
    }
    await eventually(
      'the case has its tape again',
      async () => (await looseNode().catch(() => undefined)) !== undefined,
    );
  });
});
