import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, exists, file, readJson, readText } from './workspace';

/** A new file of the workspace, open in an editor, with the cursor at `|`. */
async function write(path: string, marked: string) {
  const uri = file(path);
  const offset = marked.indexOf('|');
  const text = offset === -1 ? marked : marked.slice(0, offset) + marked.slice(offset + 1);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const editor = await vscode.window.showTextDocument(uri);
  const { document } = editor;
  const position = document.positionAt(offset === -1 ? 0 : offset);
  editor.selection = new vscode.Selection(position, position);
  return { uri, document, editor, position };
}

async function titlesAt(uri: vscode.Uri, range: vscode.Range) {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
  );
  return actions.filter(({ edit }) => edit !== undefined);
}

describe('writing a case', () => {
  const made: vscode.Uri[] = [];
  const create = async (path: string, text: string) => {
    const written = await write(path, text);
    made.push(written.uri);
    return written;
  };

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.files.saveAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const uri of made.splice(0)) await vscode.workspace.fs.delete(uri).then(undefined, () => {});
  });

  it('begins with a whole case, which runs as it comes', async () => {
    const { uri, document, position } = await create('cases/fresh.toml', '\n|');
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      position,
    );
    const whole = list.items.find(({ label }) => label === 'Tapedeck case');
    assert.ok(whole?.insertText instanceof vscode.SnippetString);
    const [editor] = vscode.window.visibleTextEditors;
    await editor?.insertSnippet(whole.insertText, position);
    await document.save();
    const lenses = await eventually('lenses of the new case', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return found.length > 0 ? found : undefined;
    });
    assert.ok(lenses.some(({ command }) => command?.title.includes('Replay')));
    assert.match(document.getText(), /^tape = "\.\.\/tapes\/fresh\.tape\.json"$/m);
    assert.deepEqual(
      vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error),
      [],
    );
  });

  it('keeps its lenses where they are while the TOML does not parse', async () => {
    const { uri, document, editor } = await create(
      'cases/typing.toml',
      'name = "typing"\nprompt = "p"\n[llm]\nresponses = ["x"]\n',
    );
    const lensLines = async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return found.map(({ range, command }) => `${range.start.line} ${command?.title}`);
    };
    const before = await eventually('lenses', async () => ((await lensLines()).length > 0 ? lensLines() : undefined));
    await editor.edit((edit) => edit.insert(document.positionAt(document.getText().length), '[assert\ncontains = '));
    await eventually('a problem', () => vscode.languages.getDiagnostics(uri).length > 0 || undefined);
    assert.deepEqual(await lensLines(), before);
  });

  it('turns a conflicting [llm] into a valid one by a quick fix', async () => {
    const text =
      'name = "conflict"\nprompt = "p"\n\n[llm]\ntape = "x.tape.json"\n\n[[llm.steps]]\ntype = "text"\ncontent = "x"\n';
    const { uri, document } = await create('cases/conflict.toml', text);
    const [problem] = await eventually('the conflict', () => {
      const found = vscode.languages
        .getDiagnostics(uri)
        .filter(({ message }) => message.includes('cannot be combined'));
      return found.length > 0 ? found : undefined;
    });
    const actions = await titlesAt(uri, problem?.range ?? new vscode.Range(0, 0, 0, 0));
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Remove the script', 'Remove the tape'],
    );
    await vscode.workspace.applyEdit(actions[0]?.edit ?? new vscode.WorkspaceEdit());
    assert.equal(document.getText(), 'name = "conflict"\nprompt = "p"\n\n[llm]\ntape = "x.tape.json"\n\n');
    await eventually('no problem', () => vscode.languages.getDiagnostics(uri).length === 0 || undefined);
  });

  it('says what a key is for, and leads to the tape', async () => {
    const uri = file('cases/order_status.toml');
    const document = await vscode.workspace.openTextDocument(uri);
    const at = (words: string) => document.positionAt(document.getText().indexOf(words) + 1);
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      at('tape = '),
    );
    const [words] = hover?.contents ?? [];
    assert.match(words instanceof vscode.MarkdownString ? words.value : '', /The tape that Replay reads/);
    const [link] = await vscode.commands.executeCommand<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider',
      uri,
      at('../tapes/order_status'),
    );
    assert.equal(link?.targetUri.toString(), file('tapes/order_status.tape.json').toString());
  });

  it('renames a tape with all that names it, and a case with what is named after it', async () => {
    const tape = new TextEncoder().encode('{"version":1,"case_name":"one","interactions":[{"response":"x"}]}');
    await vscode.workspace.fs.writeFile(file('tapes/one.tape.json'), tape);
    made.push(file('tapes/renamed.tape.json'));
    const text = (name: string) => `name = "${name}"\nprompt = "p"\n[llm]\ntape = "../tapes/one.tape.json"\n`;
    const other = await create('cases/two.toml', text('two'));
    const { uri, document } = await create('cases/one.toml', text('one'));
    await vscode.commands.executeCommand('tapedeck.refresh');
    const rename = async (words: string, name: string) => {
      const place = document.positionAt(document.getText().indexOf(words) + 1);
      const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider',
        uri,
        place,
        name,
      );
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    await rename('"../tapes', '../tapes/renamed.tape.json');
    assert.ok(document.getText().includes('tape = "../tapes/renamed.tape.json"'));
    assert.ok(other.document.getText().includes('tape = "../tapes/renamed.tape.json"'));
    assert.equal(await exists(file('tapes/one.tape.json')), false);
    await rename('"one"', 'uno');
    await vscode.workspace.saveAll();
    assert.match(await readText(uri), /^name = "uno"/);
    const renamed = await vscode.workspace.openTextDocument(file('tapes/renamed.tape.json'));
    assert.match(renamed.getText(), /"case_name":"uno"/);
    await renamed.save();
    assert.equal((await readJson(renamed.uri)).case_name, 'uno');
  });

  it('warns where two cases record one tape, until one of them has its own', async () => {
    const text = (name: string, tape: string) =>
      `name = "${name}"\nprompt = "p"\n[llm]\ntape = "../tapes/${tape}.tape.json"\n[llm.provider]\nkind = "practice"\n`;
    const first = await create('cases/first.toml', text('first', 'both'));
    const second = await create('cases/second.toml', text('second', 'both'));
    const warnings = (uri: vscode.Uri) =>
      vscode.languages.getDiagnostics(uri).filter(({ message }) => message.includes('replaces the tape of'));
    await eventually(
      'a warning in each',
      () => (warnings(first.uri).length > 0 && warnings(second.uri).length > 0) || undefined,
    );
    const [warning] = warnings(first.uri);
    assert.equal(warning?.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(first.document.getText(warning?.range), '"../tapes/both.tape.json"');
    assert.match(warning?.message ?? '', /cases\/second\.toml/);
    const start = second.document.getText().indexOf('both');
    const place = new vscode.Range(second.document.positionAt(start), second.document.positionAt(start + 4));
    await vscode.window
      .showTextDocument(second.document)
      .then((editor) => editor.edit((edit) => edit.replace(place, 'own')));
    await eventually('no warning', () => warnings(first.uri).length === 0 || undefined);
  });

  it("leaves other people's TOML alone", async () => {
    const { uri, position } = await create('Cargo.toml', '[package]\nname = "x"\n|');
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      position,
    );
    assert.deepEqual(
      list.items
        .filter(({ kind }) => kind !== vscode.CompletionItemKind.Text)
        .map(({ label }) => (typeof label === 'string' ? label : label.label))
        // Snippets are for every TOML file, by their prefix.
        .filter((label) => !label.startsWith('tapedeck-')),
      [],
    );
  });
});
