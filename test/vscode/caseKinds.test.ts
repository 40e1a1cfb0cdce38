import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { diffText } from '../../src/core/diff/diffText';
import { CaseTree } from '../../src/host/cases/caseTree';
import { failureMessages, mergeTapeUses, TapeCoverage } from '../../src/host/runs/testExplorer/testResults';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { eventually, exists, file, readJson, write } from './workspace';

const lensesOf = (uri: vscode.Uri) =>
  vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);

const CONFIG = `agent: {endpoint: "http://localhost:1/x"}
golden_prompts: ["one"]
invariants:
  - {type: contains, value: source}
replays:
  sessions:
    - {id: first, input: hi}
    - {id: second, input: hello}
`;
const TAPE = JSON.stringify(
  { version: 1, case_name: 'x', interactions: [{ response: 'a source' }, { response: 'b' }] },
  null,
  2,
);

describe('a file of several cases', () => {
  const uri = file('storm/flakestorm.yaml');

  before(async () => {
    await write('storm/flakestorm.yaml', CONFIG);
    for (const name of ['prompt-1', 'first', 'second']) await write(`storm/flakestorm.${name}.tape.json`, TAPE);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(file('storm'), { recursive: true });
  });

  it('has lenses above each of them', async () => {
    const lenses = await eventually('nine lenses', async () => {
      const found = await lensesOf(uri);
      return found.length === 9 ? found : undefined;
    });
    assert.deepEqual([...new Set(lenses.map(({ range }) => range.start.line))], [1, 6, 7]);
    assert.deepEqual(
      [...new Set(lenses.map(({ command }) => (command?.arguments?.[0] as vscode.Uri | undefined)?.fragment))],
      ['prompts', 'session:first', 'session:second'],
    );
  });

  it('replays the one whose lens is clicked', async () => {
    await vscode.commands.executeCommand('tapedeck.replayCase', uri.with({ fragment: 'session:second' }));
    const artifact = await readJson(file('.tapedeck/runs/storm/flakestorm.yaml#session%3Asecond.artifact.json'));
    assert.deepEqual([artifact.case_name, artifact.status], ['second', 'passed']);
    assert.ok(!(await exists(file('.tapedeck/runs/storm/flakestorm.yaml#session%3Afirst.artifact.json'))));
  });

  it('keeps its last good lenses while the YAML is broken', async () => {
    const places = async () => (await lensesOf(uri)).map(({ range }) => range.start.line);
    const before = await places();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(8, 0), 'x: [\n');
    await vscode.workspace.applyEdit(edit);
    await eventually('a diagnostic', () => vscode.languages.getDiagnostics(uri)[0]);
    assert.deepEqual(await places(), before);
  });
});

describe('the message of an assertion about a step', () => {
  it('links to the interaction, in a link that recorded text cannot make', async () => {
    const uri = file('cases/greeting.toml');
    const tapePath = file('tapes/greeting.tape.json').fsPath;
    const message = 'tool_args: `x` is "[Click](command:workbench.action.quit)", expected "y" (interaction 3)';
    const range = () => new vscode.Range(4, 0, 4, 5);
    const entry = { uri, file: uri, headLine: 0, range } as unknown as Parameters<typeof failureMessages>[1];
    const [said, compared] = failureMessages(
      { kind: 'assertion', message, expected: 'y', actual: 'x', step: { number: 2, index: 2, tapePath } },
      entry,
      diffText,
    );
    assert.ok(said && compared && said.message instanceof vscode.MarkdownString);
    const [, text, link] = /^\n?```text\n(.*?)\n```\n+(.*?)\n+<pre>/s.exec(said.message.value) ?? [];
    assert.equal(text?.trimEnd(), message);
    const [, label, argument = ''] = /^\[(.*)\]\(command:tapedeck\.openTranscript\?(.*)\)$/.exec(link ?? '') ?? [];
    assert.equal(label, 'Open Interaction 3');
    const [tape, interaction] = JSON.parse(decodeURIComponent(argument)) as [{ scheme: string; path: string }, number];
    assert.deepEqual([vscode.Uri.from(tape).fsPath, interaction], [tapePath, 2]);
    assert.deepEqual(said.message.isTrusted, { enabledCommands: ['tapedeck.openTranscript'] });
  });
});

describe('the coverage of a tape', () => {
  it('is which of its interactions any case used, each at its place', async () => {
    const uri = file('tapes/covered.tape.json');
    await write('tapes/covered.tape.json', TAPE);
    const use = { tapePath: uri.fsPath, recorded: 2 };
    const [combined] = mergeTapeUses([
      { ...use, used: [0] },
      { ...use, used: [] },
    ]);
    assert.ok(combined);
    const coverage = new TapeCoverage(combined);
    assert.deepEqual([coverage.statementCoverage.covered, coverage.statementCoverage.total], [1, 2]);
    const details = await coverage.details();
    assert.deepEqual(
      details.map(({ executed }) => executed),
      [true, false],
    );
    await vscode.workspace.fs.delete(uri);
  });
});

describe('the sidebar', () => {
  it('shows a session once, as a case with its recording below it', async () => {
    const text = 'id: storm\ninput: hi\ncontract: none\ntool_responses: []\n';
    await write('replays/storm.yaml', text);
    const stores = new WorkspaceStores(async () => []);
    const tree = new CaseTree(stores);
    try {
      await tree.getChildren();
      await stores.tapes.readAll();
      const folders = await tree.getChildren();
      const folder = folders.find((node) => node.type === 'folder' && node.resource.path.endsWith('/replays'));
      const [node, ...more] = await tree.getChildren(folder);
      assert.deepEqual([node?.type, more], ['case', []]);
      const children = (await tree.getChildren(node)).flatMap((child) =>
        child.type === 'tape' ? [child.resource.path] : [],
      );
      assert.deepEqual(
        children.map((path) => path.slice(path.lastIndexOf('/') + 1)),
        ['storm.tape.json', 'storm.yaml'],
      );
    } finally {
      for (const owned of [tree, stores]) owned.dispose();
      await vscode.workspace.fs.delete(file('replays'), { recursive: true });
    }
  });
});
