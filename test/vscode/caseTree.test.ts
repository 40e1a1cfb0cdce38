import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listTakes } from '../../src/engine/recording/storedTakes';
import { revealRow } from '../../src/host/base/revealRow';
import { CaseTree } from '../../src/host/cases/caseTree';
import type { TreeNode } from '../../src/host/cases/caseTreeNodes';
import { followActiveTab } from '../../src/host/cases/followActiveTab';
import { CaseTestItems } from '../../src/host/runs/testExplorer/caseTestItems';
import { TakeStore } from '../../src/host/stores/takes/takeStore';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { eventually, file, readText, write } from './workspace';

const tapeOf = (interactions: number) =>
  JSON.stringify({
    version: 1,
    case_name: 'x',
    interactions: Array(interactions).fill({ response: 'It is shipped.' }),
  });

describe('the tree of cases and tapes', () => {
  const stores = new WorkspaceStores(async () => [], { takes: new TakeStore(listTakes) });
  const tree = new CaseTree(stores);
  let redrawn: (TreeNode | undefined)[] = [];

  before(async () => {
    await write('tapes/loose.tape.json', tapeOf(2));
    await tree.getChildren();
    await stores.tapes.readAll();
    tree.onDidChangeTreeData((nodes) => redrawn.push(...(Array.isArray(nodes) ? nodes : [nodes])));
  });
  beforeEach(() => {
    redrawn = [];
  });
  after(async () => {
    for (const owned of [tree, stores]) owned.dispose();
    await vscode.workspace.fs.delete(file('tapes/loose.tape.json'));
  });

  async function childrenOf(folder: string): Promise<TreeNode[]> {
    const roots = await tree.getChildren();
    return tree.getChildren(roots.find((node) => node.type === 'folder' && node.resource.path.endsWith(folder)));
  }

  /** The rows below a folder of the root, with what is below them. */
  async function rows(folder: string): Promise<readonly string[]> {
    const visit = async (node: TreeNode, indent: string): Promise<string[]> => {
      const { label, description } = await tree.getTreeItem(node);
      const below = node.type === 'folder' ? await tree.getChildren(node) : [];
      const lines = await Promise.all(below.slice(0, 2).map((one) => visit(one, `${indent}  `)));
      return [`${indent}${label} ${description ?? ''}`.trimEnd(), ...lines.flat()];
    };
    return (await Promise.all((await childrenOf(folder)).map((node) => visit(node, '')))).flat();
  }

  async function looseNode(): Promise<TreeNode> {
    const nodes = await childrenOf('/tapes');
    const found = nodes.find((node) => node.type === 'tape' && node.resource.path.endsWith('/loose.tape.json'));
    assert.ok(found, 'the tape is listed');
    return found;
  }

  it('redraws a tape that no case names when it is written again', async () => {
    const node = await looseNode();
    assert.match(String((await tree.getTreeItem(node)).description), /^2$/);
    await write('tapes/loose.tape.json', tapeOf(3));
    await eventually('the very node that VS Code knows is redrawn', () => redrawn.includes(node));
    assert.match(String((await tree.getTreeItem(node)).description), /^3$/);
    assert.equal(await looseNode(), node);
  });

  it('expands a tape to the takes that it has replaced, once there are any', async () => {
    const node = await looseNode();
    assert.equal((await tree.getTreeItem(node)).collapsibleState, vscode.TreeItemCollapsibleState.None);
    assert.deepEqual(await tree.getChildren(node), []);
    const folder = file('.tapedeck/takes/tapes/loose.tape.json');
    const taken = (name: string) => `.tapedeck/takes/tapes/loose.tape.json/${name}`;
    try {
      await write(taken('2026-01-01T00-00-00.000Z.json'), tapeOf(1));
      await write(taken('2026-01-02T00-00-00.000Z.json'), tapeOf(2));
      await write(taken('notes.json'), '{}');
      await eventually('the row is drawn again', () => redrawn.includes(node) || redrawn.includes(undefined));
      await eventually('both takes are there', async () => (await tree.getChildren(node)).length === 2);
      assert.equal((await tree.getTreeItem(node)).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
      const takes = await tree.getChildren(node);
      const times = takes.map((take) => (take.type === 'take' ? take.take.take.slice(0, 10) : take.type));
      assert.deepEqual(times, ['2026-01-02', '2026-01-01']);
      const [latest] = takes;
      assert.ok(latest);
      assert.equal(tree.getParent(latest), node);
      const item = await tree.getTreeItem(latest);
      assert.deepEqual([item.contextValue, item.description], ['take', '1 kB']);
      assert.match(item.accessibilityInformation?.label ?? '', /^take, replaced .* ago, 1 kB$/);
      const document = await vscode.workspace.openTextDocument(latest.resource);
      assert.equal(document.getText(), tapeOf(2));
      assert.match(document.uri.path, /\/loose \(take of [^/]*2026[^/]*\)\.tape\.json$/);
      assert.equal(vscode.workspace.fs.isWritableFileSystem(latest.resource.scheme), false);
      const elsewhere = latest.resource.with({
        query: JSON.stringify({ tape: node.resource.toString(), take: '../../../../tapes/loose.tape.json' }),
      });
      await assert.rejects(async () => vscode.workspace.fs.readFile(elsewhere));
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
    await eventually('it has none any more', async () => (await tree.getChildren(node)).length === 0);
  });

  it('lists a tape in its folder as soon as no case names it any more', async () => {
    const uri = file('cases/order_status.toml');
    const original = await readText(uri);
    redrawn = [];
    try {
      await write('cases/order_status.toml', original.replace(/^tape = .*$/m, 'tape = "../tapes/loose.tape.json"'));
      await eventually('all is redrawn', () => redrawn.includes(undefined));
      await eventually('only the tape that no case names is in the folder', async () => {
        const nodes = await childrenOf('/tapes');
        const names = nodes.map((node) => (node.type === 'tape' ? node.resource.path.split('/').at(-1) : ''));
        return names.join() === 'order_status.tape.json';
      });
    } finally {
      await write('cases/order_status.toml', original);
    }
    await eventually(
      'the case has its tape again',
      async () => (await looseNode().catch(() => undefined)) !== undefined,
    );
  });

  it('has rows fetched again that were asked for while they were fetched, since VS Code drops what the first call finds', async () => {
    const folder = (await tree.getChildren()).find((node) => node.resource.path.endsWith('/tapes'));
    assert.ok(folder);
    const fetch = async () => Promise.all((await tree.getChildren(folder)).map((node) => tree.getTreeItem(node)));
    const settled = () => new Promise((resolve) => setTimeout(resolve, 100));
    await settled();
    redrawn = [];
    await fetch();
    await settled();
    assert.equal(redrawn.includes(folder), false, 'not after a single fetch');
    await Promise.all([fetch(), fetch()]);
    await eventually('the folder is redrawn', () => redrawn.includes(folder));
    await Promise.all([tree.getChildren(), tree.getChildren()]);
    await eventually('all is redrawn', () => redrawn.includes(undefined));
  });

  it('knows which of many cases have run by the names of their records, and looks at no others', async () => {
    const uris = Array.from({ length: 100 }, (_, at) => file(`many/c${at}.toml`));
    await write('.tapedeck/runs/many/c7.result.json', '{}');
    await write('.tapedeck/runs/many/c8.artifact.json', '{}');
    try {
      assert.deepEqual((await stores.states.ranAmong(uris)).map(String), [String(uris[7])]);
      assert.equal((await stores.states.ranAmong(uris.slice(0, 5))).length, 5, 'of few, each is looked at');
    } finally {
      await vscode.workspace.fs.delete(file('.tapedeck/runs/many'), { recursive: true });
    }
  });

  it('nests folders, compactly, and shortens names that begin alike', async () => {
    for (let at = 0; at < 40; at += 1) await write(`suite/py/cassettes/test_agents_create_${at}.json`, tapeOf(at + 1));
    await write('suite/py/vcr/deep/cassettes/one.json', tapeOf(1));
    await stores.tapes.reload();
    await stores.tapes.readAll();
    try {
      assert.deepEqual(await rows('/suite/py'), [
        'cassettes',
        '  test_agents_create_…',
        '    0.json 1',
        '    1.json 2',
        'vcr/deep/cassettes',
        '  one.json 1',
      ]);
      const [cassettes] = await childrenOf('/suite/py');
      assert.ok(cassettes);
      const [group] = await tree.getChildren(cassettes);
      assert.ok(group);
      assert.equal((await tree.getTreeItem(group)).contextValue, 'folder', 'nothing in it can be run');
      const [tape] = await tree.getChildren(group);
      assert.ok(tape);
      assert.equal(tree.getParent(tape), group);
      assert.equal(tree.nodeOfFile(file('suite/py/cassettes/test_agents_create_0.json')), tape);
    } finally {
      await vscode.workspace.fs.delete(file('suite'), { recursive: true });
    }
    await eventually(
      'they are gone',
      () => tree.nodeOfFile(file('suite/py/vcr/deep/cassettes/one.json')) === undefined,
    );
  });

  it('counts what a filter leaves, opens it, and runs what is below a folder', async () => {
    const { all } = tree.count;
    tree.filter = 'order';
    assert.deepEqual(tree.count, { shown: 1, all });
    const [folder] = await tree.getChildren();
    assert.ok(folder);
    const item = await tree.getTreeItem(folder);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    assert.equal(item.contextValue, 'folder.cases');
    tree.filter = '';
    assert.ok(tree.entries(file('cases')).length > 1);
    assert.deepEqual(tree.entries(file('tapes')), []);
  });

  it('shows a tape below the case that uses it, and a chaos profile nowhere', async () => {
    const node = tree.nodeOfFile(file('tapes/order_status.tape.json'));
    assert.equal(node?.type === 'tape' && node.owner?.resource.path, file('cases/order_status.toml').path);
    await write('cases/profile.yaml', 'name: api_outage\ndescription: x\nchaos:\n  llm_faults:\n  - mode: timeout\n');
    await stores.cases.open(file('cases/profile.yaml'));
    assert.equal(stores.cases.inFile(file('cases/profile.yaml'))[0]?.kind.id, 'flakestorm-profile');
    assert.ok(!stores.cases.all().some(({ name }) => name === 'api_outage'));
    const controller = vscode.tests.createTestController('tapedeck.tree', 'Tree');
    const items = new CaseTestItems(controller, stores.cases, stores.states);
    items.update([file('cases/profile.yaml'), file('cases/greeting.toml')]);
    assert.deepEqual(
      [items.of(file('cases/profile.yaml')), items.of(file('cases/greeting.toml'))?.label],
      [undefined, 'greeting'],
    );
    controller.dispose();
    await vscode.workspace.fs.delete(file('cases/profile.yaml'));
  });
});

describe('a row that is revealed', () => {
  /** A view that the user leaves, of which the host is told as soon as the window has answered what it was asked before. */
  function view(leaves: boolean) {
    const revealed: string[] = [];
    const reveal = async (row: string): Promise<void> => void revealed.push(row);
    const shown = { visible: true, reveal };
    void vscode.commands.executeCommand('setContext', 'tapedeck.test', true).then(() => {
      shown.visible = !leaves;
    });
    return { shown, revealed };
  }

  it('does not open a view again that the user has just left', async () => {
    const left = view(true);
    await revealRow(left.shown, () => 'row');
    assert.deepEqual(left.revealed, []);
    const stays = view(false);
    await revealRow(stays.shown, () => 'row');
    assert.deepEqual(stays.revealed, ['row']);
  });

  it('is selected once it is listed, unless another one was chosen meanwhile', async () => {
    await write('tapes/followed.tape.json', tapeOf(1));
    const followed = file('tapes/followed.tape.json');
    const listed = new vscode.EventEmitter<undefined>();
    const chosen = new vscode.EventEmitter<vscode.TreeViewSelectionChangeEvent<TreeNode>>();
    const revealed: TreeNode[] = [];
    let asked = 0;
    let row: TreeNode | undefined;
    const nodeOfFile = (): TreeNode | undefined => {
      asked += 1;
      return row;
    };
    const following = followActiveTab(
      {
        visible: true,
        selection: [],
        reveal: async (node) => void revealed.push(node),
        onDidChangeVisibility: new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>().event,
        onDidChangeSelection: chosen.event,
      },
      { nodeOfFile, onDidChangeTreeData: listed.event },
    );
    const open = async (): Promise<void> => {
      [asked, row] = [0, undefined];
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.window.showTextDocument(followed);
      await eventually('the row is asked for, and not listed yet', () => asked > 0);
      row = { type: 'tape', resource: followed };
    };
    await open();
    listed.fire(undefined);
    await eventually('the row is selected', () => revealed.length === 1);
    await open();
    chosen.fire({ selection: [] });
    listed.fire(undefined);
    await new Promise((settle) => setTimeout(settle, 500));
    assert.equal(revealed.length, 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.window.showTextDocument(followed);
    await eventually('it is selected when it is opened again', () => revealed.length === 2);
    following.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(followed);
  });
});
