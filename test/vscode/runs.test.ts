import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, exists, file, readJson, readText } from './workspace';

describe('running cases', () => {
  it('replays all cases of the workspace, each into its artifact', async () => {
    await vscode.commands.executeCommand('tapedeck.replayAll');
    for (const name of ['order_status', 'refund_question', 'greeting']) {
      const artifact = await readJson(file(`.tapedeck/runs/cases/${name}.artifact.json`));
      assert.equal(artifact.case_name, name);
      assert.equal(artifact.status, 'passed');
    }
  });

  it('leaves tapes and baselines alone on replay', async () => {
    const files = [
      'tapes/refund_question.tape.json',
      'cases/refund_question.baseline.json',
      'cases/greeting.baseline.json',
    ];
    const before = await Promise.all(files.map((path) => readText(file(path))));
    await vscode.commands.executeCommand('tapedeck.replayAll');
    assert.deepEqual(await Promise.all(files.map((path) => readText(file(path)))), before);
  });

  it('counts the changes to review in the lens', async () => {
    const uri = file('cases/greeting.toml');
    await vscode.workspace.openTextDocument(uri);
    const title = await eventually('a count', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return lenses.map(({ command }) => command?.title).find((text) => text?.includes('(1)'));
    });
    assert.match(title, /Review \(1\)/);
  });

  it('saves what is being edited before it runs', async () => {
    const uri = file('cases/greeting.toml');
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '# edited\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    await vscode.commands.executeCommand('tapedeck.replayCase', uri);
    assert.ok(!document.isDirty);
  });

  it('runs every case that is selected in the tree, once', async () => {
    const nodes = ['greeting', 'order_status'].map((name) => ({ type: 'case', resource: file(`cases/${name}.toml`) }));
    const all = [...nodes, { type: 'folder', resource: file('cases') }];
    const stamps = () => Promise.all(['greeting', 'order_status'].map((name) => modified(`cases/${name}`)));
    const before = await stamps();
    await vscode.commands.executeCommand('tapedeck.replayCase', nodes[0], all);
    const after = await stamps();
    assert.deepEqual(
      after.map((time, at) => time > (before[at] ?? 0)),
      [true, true],
    );
  });

  it('notices a new case file, and a deleted one', async () => {
    const uri = file('cases/new_case.toml');
    const text = 'name = "new_case"\nprompt = "hi"\n\n[llm]\nresponses = ["hello"]\n';
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.commands.executeCommand('tapedeck.replayCase', uri);
    assert.ok(await exists(file('.tapedeck/runs/cases/new_case.artifact.json')));
    await vscode.workspace.fs.delete(uri);
  });
});

/** When the last run of a case was written; 0 where there is none. */
async function modified(name: string): Promise<number> {
  const artifact = file(`.tapedeck/runs/${name}.artifact.json`);
  return vscode.workspace.fs.stat(artifact).then(
    ({ mtime }) => mtime,
    () => 0,
  );
}
