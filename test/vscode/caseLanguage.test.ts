import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editsForMoves } from '../../src/host/cases/language/fileMoves';
import { eventually, file, readText, write } from './workspace';

const CASE = `name = "language"
prompt = "p"

[[tools]]
name = "lookup_order"
description = "Looks up an order."
schema = { type = "object", properties = { order = { type = "string" } } }

[llm]
tape = "../tapes/order_status.tape.json"

[assert]
tool_called = "lookup_ordr"
`;

const NONE = 'name = "none"\nprompt = "p"\n[llm]\ntape = "../tapes/none-yet.tape.json"\n';

async function open(path: string, text: string): Promise<vscode.TextDocument> {
  await vscode.workspace.fs.writeFile(file(path), new TextEncoder().encode(text));
  const document = await vscode.workspace.openTextDocument(file(path));
  await vscode.window.showTextDocument(document);
  return document;
}

function positionOf(document: vscode.TextDocument, words: string): vscode.Position {
  return document.positionAt(document.getText().lastIndexOf(words) + 1);
}

async function hoverAt(document: vscode.TextDocument, words: string): Promise<string> {
  const at = positionOf(document, words);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
  const contents = hovers.flatMap(({ contents }) => contents);
  return contents.map((words) => (words instanceof vscode.MarkdownString ? words.value : '')).join('\n');
}

async function hintsIn({ uri, lineCount }: vscode.TextDocument): Promise<readonly string[]> {
  const range = new vscode.Range(0, 0, lineCount, 0);
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>('vscode.executeInlayHintProvider', uri, range);
  return hints.map(({ label }) => (typeof label === 'string' ? label : label.map(({ value }) => value).join('')));
}

async function fixesOf(uri: vscode.Uri, diagnostic: vscode.Diagnostic): Promise<readonly vscode.CodeAction[]> {
  const command = 'vscode.executeCodeActionProvider';
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(command, uri, diagnostic.range);
  return actions.filter(({ edit }) => edit !== undefined);
}

function problem(uri: vscode.Uri, message: RegExp): Promise<vscode.Diagnostic> {
  return eventually(`the problem ${message}`, () =>
    vscode.languages.getDiagnostics(uri).find((diagnostic) => message.test(diagnostic.message)),
  );
}

describe('the language of a case', () => {
  let document: vscode.TextDocument;

  before(async () => {
    document = await open('cases/language.toml', CASE);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const path of ['cases/language.toml', 'cases/none.toml']) await vscode.workspace.fs.delete(file(path));
  });

  it('corrects a tool that is not declared, by a quick fix', async () => {
    const warning = await problem(document.uri, /the tool `lookup_ordr` is not declared/);
    assert.equal(warning.severity, vscode.DiagnosticSeverity.Warning);
    const [fix] = await fixesOf(document.uri, warning);
    assert.equal(fix?.title, 'Change to "lookup_order"');
    await vscode.workspace.applyEdit(fix.edit ?? new vscode.WorkspaceEdit());
    await eventually('no such problem', () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return !found.some(({ message }) => message.includes('is not declared')) || undefined;
    });
    await document.save();
  });

  it('says in a hover, and beside its name, what is on a tape', async () => {
    const hover = await hoverAt(document, '../tapes');
    assert.match(hover, /order\\?_status\\?\.tape\\?\.json/);
    assert.match(hover, /2 interactions \\?· 1 tool call/);
    assert.match(hover, /User.*Where is my order 4711/);
    assert.match(hover, /command:tapedeck\.openTranscript/);
    assert.match((await hintsIn(document)).join(), /^2 interactions/);
  });

  it('says in the list of tapes what is on each', async () => {
    const at = positionOf(document, '../tapes');
    const completions = () =>
      vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
        undefined,
        20,
      );
    const tape = await eventually('the tape', async () =>
      (await completions()).items.find(({ label }) => label === '"../tapes/refund_question.tape.json"'),
    );
    const words = tape.documentation;
    assert.match(words instanceof vscode.MarkdownString ? words.value : '', /interactions .*tokens/);
  });

  it('says of a tape that is not there that there is no recording yet', async () => {
    const none = await open('cases/none.toml', NONE);
    assert.match(await hoverAt(none, '../tapes'), /No recording yet/);
    assert.deepEqual(await hintsIn(none), ['no recording yet']);
  });

  it('describes a tool where it is named, and leads to its declaration', async () => {
    assert.match(await hoverAt(document, '"lookup_order"'), /Looks up an order/);
    const called = document.positionAt(document.getText().lastIndexOf('lookup_order') + 2);
    const [link] = await vscode.commands.executeCommand<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      called,
    );
    assert.equal(link?.targetRange.start.line, 4);
  });

  it('has an outline and folds its tables', async () => {
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.deepEqual(
      symbols.map(({ name, detail }) => `${name} ${detail}`.trim()),
      ['name "language"', 'prompt "p"', 'tools lookup_order', 'llm', 'assert'],
    );
    const folded = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      document.uri,
    );
    assert.deepEqual(
      folded.map(({ start, end }) => `${start}-${end}`),
      ['3-6', '8-9', '11-12'],
    );
  });

  it('shows no lenses and no hints where they are turned off, and shows them again', async () => {
    const settings = vscode.workspace.getConfiguration('tapedeck', document.uri);
    const lenses = () =>
      vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    const turn = async (value: boolean | undefined) => {
      for (const name of ['codeLens.enabled', 'inlayHints.enabled', 'gutter.enabled'])
        await settings.update(name, value, vscode.ConfigurationTarget.Workspace);
    };
    try {
      await turn(false);
      assert.deepEqual(await lenses(), []);
      assert.deepEqual(await hintsIn(document), []);
    } finally {
      await turn(undefined);
    }
    assert.ok((await lenses()).length > 0);
    assert.equal((await hintsIn(document)).length, 1);
  });
});

describe('the language of tapedeck.toml', () => {
  const uri = file('tapedeck.toml');
  let original: string;

  before(async () => {
    original = await readText(uri);
  });

  after(async () => {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(original));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('has problems where they are, with quick fixes', async () => {
    const document = await open('tapedeck.toml', '[provider]\nkind = "practise"\n\n[normalize]\npresets = ["uuid"]\n');
    const wrong = await problem(uri, /unsupported llm provider kind: practise/);
    assert.equal(document.getText(wrong.range), '"practise"');
    assert.ok((await fixesOf(uri, wrong)).some(({ title }) => title === 'Change to "practice"'));
    const misspelt = await problem(uri, /unknown key `normalize` is ignored/);
    const [fix] = await fixesOf(uri, misspelt);
    assert.equal(fix?.title, 'Change to normalise');
    await vscode.workspace.applyEdit(fix.edit ?? new vscode.WorkspaceEdit());
    assert.match(document.getText(), /^\[normalise\]$/m);
    await document.save();
  });

  it('completes tables, keys, and values, and describes them', async () => {
    const text = '[provider]\nkind = "practice"\n\n[replay]\nmask = ["uuid", ""]\n';
    const document = await open('tapedeck.toml', `${text}\n`);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    const labelsAt = async (position: vscode.Position) => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        position,
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    assert.ok((await labelsAt(new vscode.Position(2, 0))).includes('[normalise]'));
    assert.ok((await labelsAt(new vscode.Position(2, 0))).includes('model'));
    const mask = document.positionAt(document.getText().indexOf('""') + 1);
    assert.ok((await labelsAt(mask)).includes('"date"'));
    assert.match(await hoverAt(document, 'mask'), /What may differ in a request/);
  });
});

describe('what follows a file that is moved', () => {
  const listed = { load: async () => undefined } as const;

  /** The edits for moves, as the paths they are in and what they write there. */
  async function edited(moves: readonly (readonly [from: string, to: string])[]): Promise<unknown> {
    await write('cases/moved.toml', CASE.replace('order_status', 'moved'));
    const entry = { kind: { id: 'toml' }, file: file('cases/moved.toml') };
    const cases = { ...listed, all: () => [entry] } as unknown as Parameters<typeof editsForMoves>[0];
    const files = moves.map(([from, to]) => ({ oldUri: file(from), newUri: file(to) }));
    const edit = await editsForMoves(cases, files);
    await vscode.workspace.fs.delete(file('cases/moved.toml'));
    return edit
      ?.entries()
      .map(([uri, edits]) => [
        vscode.workspace.asRelativePath(uri),
        edits.map((one) => ('newText' in one ? one.newText : '')),
      ]);
  }

  it('is the path in its case, from where that will be', async () => {
    const path = 'cases/moved.toml';
    const quoted = String.raw`"../tapes/new \"name\".json"`;
    assert.deepEqual(await edited([['tapes/moved.tape.json', 'tapes/new "name".json']]), [[path, [quoted]]]);
    assert.deepEqual(await edited([['tapes', 'deep/er/tapes']]), [[path, ['"../deep/er/tapes/moved.tape.json"']]]);
    assert.deepEqual(await edited([[path, 'moved.toml']]), [[path, ['"tapes/moved.tape.json"']]]);
    assert.deepEqual(await edited([['cases', 'a/b/cases']]), [[path, ['"../../../tapes/moved.tape.json"']]]);
  });

  it('is nothing where all that belongs together moves, or nothing refers to it', async () => {
    assert.equal(
      await edited([
        ['cases', 'new/cases'],
        ['tapes', 'new/tapes'],
      ]),
      undefined,
    );
    assert.equal(await edited([['README.md', 'READ.md']]), undefined);
    assert.equal(await edited([['tapes-old', 'tapes']]), undefined);
  });
});
