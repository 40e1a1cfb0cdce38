import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerCaseLenses } from '../../src/host/cases/caseLenses';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { eventually, file, readText, write } from './workspace';

const lensesOf = (uri: vscode.Uri) =>
  vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);

function diagnosed(uri: vscode.Uri, message: RegExp): Promise<vscode.Diagnostic> {
  return eventually(`the diagnostic ${message}`, () =>
    vscode.languages.getDiagnostics(uri).find((diagnostic) => message.test(diagnostic.message)),
  );
}

async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe('a case in the editor', () => {
  const uri = file('cases/order_status.toml');
  let document: vscode.TextDocument;
  let original: string;

  before(async () => {
    document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    original = document.getText();
  });

  afterEach(async () => {
    await replaceAll(document, original);
    await document.save();
  });

  it('has its three lenses on the line of its name', async () => {
    const lenses = await lensesOf(uri);
    assert.deepEqual(
      lenses.map(({ command }) => command?.command),
      ['tapedeck.replayCase', 'tapedeck.recordCase', 'tapedeck.reviewCase'],
    );
    const nameLine = original.split('\n').findIndex((line) => line.startsWith('name ='));
    assert.deepEqual(new Set(lenses.map(({ range }) => range.start.line)), new Set([nameLine]));
  });

  it('are followed by the model and the age of its tape, as soon as that says them', async () => {
    const tape = file('tapes/order_status.tape.json');
    const before = await readText(tape);
    const origin = () => eventuallyLens(({ command }) => command === 'tapedeck.openTranscript');
    const eventuallyLens = (isIt: (command: vscode.Command) => boolean) =>
      eventually('the lens of the tape', async () =>
        (await lensesOf(uri)).find(({ command }) => command !== undefined && isIt(command)),
      );
    try {
      await write('tapes/order_status.tape.json', before.replaceAll('"model": null', '"model": "gpt-4o"'));
      const { command } = await origin();
      assert.equal(command?.title, 'gpt-4o');
      assert.equal(String(command?.arguments), String([tape]));
    } finally {
      await write('tapes/order_status.tape.json', before);
    }
    await eventually('three again', async () => (await lensesOf(uri)).length === 3 || undefined);
  });

  it('keeps the lenses in place while the TOML is broken, and says what is wrong with it', async () => {
    const before = await lensesOf(uri);
    await replaceAll(document, `${original}\n[llm\n`);
    await diagnosed(uri, /invalid TOML/);
    const after = await lensesOf(uri);
    const places = (lenses: vscode.CodeLens[]) => lenses.map(({ range }) => range.start.line);
    assert.deepEqual(places(after), places(before));
  });

  it('puts a problem where it is: tape and steps together', async () => {
    await replaceAll(document, `${original}\n[[llm.steps]]\ntype = "text"\ncontent = "x"\n`);
    const problem = await diagnosed(uri, /`tape` cannot be combined with `steps`/);
    const tapeLine = original.split('\n').findIndex((line) => line.startsWith('tape ='));
    assert.equal(problem.range.start.line, tapeLine);
  });

  it('warns at the key of an assertion that is never checked, and keeps the case', async () => {
    await replaceAll(document, original.replace('[assert]', '[assert]\nnot_contians = "x"'));
    const mention = await diagnosed(uri, /no assertion `not_contians`.*\nChange it to `not_contains`/);
    assert.equal(mention.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(document.getText(mention.range), 'not_contians');
    assert.equal((await lensesOf(uri)).length, 3);
  });

  it('has them at once, also while nothing is known yet of its last run', async () => {
    const stores = new WorkspaceStores(async () => []);
    const never = { get: () => new Promise<never>(() => undefined), onDidChange: stores.states.onDidChange };
    const registered = registerCaseLenses(stores.cases, never, stores.tapes);
    try {
      const lenses = await lensesOf(uri);
      assert.equal(lenses.filter(({ command }) => command?.command === 'tapedeck.replayCase').length, 2);
    } finally {
      registered.dispose();
      stores.dispose();
    }
  });

  it('gives other TOML files no lenses', async () => {
    const { uri: config } = await vscode.workspace.openTextDocument(file('tapedeck.toml'));
    assert.deepEqual(await lensesOf(config), []);
  });
});

describe('a case whose file was emptied', () => {
  const uri = file('replays/emptied.yaml');

  // The sidebar finds the cases, and watches them.
  before(() => vscode.commands.executeCommand('tapedeck.cases.focus'));
  afterEach(() => vscode.workspace.fs.delete(uri));

  it('stays a case, with its problem', async () => {
    await vscode.workspace.fs.writeFile(uri, Buffer.from('id: s\ninput: hi\n'));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await eventually('the lenses of the session', async () => (await lensesOf(uri)).length > 0 || undefined);
    await replaceAll(document, '');
    await diagnosed(uri, /the file is empty; in its place, it should be a Flakestorm replay session/);
    await document.save();
  });
});
