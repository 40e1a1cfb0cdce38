import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, file, readText } from './workspace';

/** A CheckAgent cassette; its content hash is not the one of its content. */
const CASSETTE = {
  meta: {
    schema_version: 1,
    checkagent_version: '',
    recorded_at: '2026-01-01T00:00:00+00:00',
    content_hash: '0'.repeat(64),
    test_id: 't',
  },
  interactions: [
    {
      id: '',
      sequence: 0,
      request: {
        kind: 'llm',
        method: 'chat.completions.create',
        model: null,
        body: { messages: [{ role: 'user', content: 'hi' }] },
      },
      response: { status: 'ok', body: 'hello', prompt_tokens: null, completion_tokens: null, duration_ms: null },
      metadata: {},
    },
  ],
};

describe('tapes of other systems', () => {
  const uri = file('tests/cassettes/test_agent/test_hello.json');

  before(async () => {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(CASSETTE, null, 2)));
    await vscode.commands.executeCommand('tapedeck.refresh');
  });
  after(() => vscode.workspace.fs.delete(file('tests'), { recursive: true }));

  const problems = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Tapedeck');

  it('have their broken integrity in the Problems view, and a quick fix for it', async () => {
    const [problem] = await eventually('a problem', () => (problems().length > 0 ? problems() : undefined));
    assert.match(problem?.message ?? '', /content_hash/);
    const document = await vscode.workspace.openTextDocument(uri);
    const range = problem?.range ?? new vscode.Range(0, 0, 0, 0);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      range,
    );
    const repair = actions.find(({ title }) => title.startsWith('Recompute'));
    assert.ok(repair?.edit, `among ${actions.map(({ title }) => title)}`);
    await vscode.workspace.applyEdit(repair.edit);
    await document.save();
    assert.doesNotMatch(await readText(uri), /"content_hash": "0{64}"/);
    await eventually('no problem', () => (problems().length === 0 ? true : undefined));
  });

  it('open as transcripts by command, and as text by default', async () => {
    await vscode.commands.executeCommand('tapedeck.openTranscript', uri);
    const input = await eventually('the transcript', () => {
      const current = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return current instanceof vscode.TabInputCustom ? current : undefined;
    });
    assert.equal(input.viewType, 'tapedeck.transcript.optional');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.commands.executeCommand('vscode.open', uri);
    await eventually(
      'the text editor',
      () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString(),
    );
  });
});

describe('secrets in tapes', () => {
  const KEY = `gsk_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY5zA7bC9dE2fG4hJ6kL8m'}`;
  const uri = file('cassettes/leaky.json');
  const leaks = () => vscode.languages.getDiagnostics(uri).filter(({ code }) => `${code}`.startsWith('secret/'));
  const text = `{"meta": {"schema_version": 1, "test_id": "t"}, "interactions": [{"request": {"kind": "llm", "method": "m",
    "body": {"prompt": "my key is ${KEY}"}}, "response": {"status": "ok", "body": "{\\"key\\": \\"${KEY}\\"}"}}]}`;

  before(async () => {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.commands.executeCommand('tapedeck.refresh');
  });
  after(() => vscode.workspace.fs.delete(file('cassettes'), { recursive: true }));

  it('are in the Problems view, and a quick fix takes them out everywhere, which can be undone', async () => {
    const found = await eventually('the secrets', () => (leaks().length === 2 ? leaks() : undefined));
    assert.match(found[0]?.message ?? '', /a Groq API key is recorded here: gsk_…/);
    assert.ok(
      found.every(({ message }) => !message.includes(KEY.slice(4, 12))),
      'a secret is never shown',
    );
    const document = await vscode.workspace.openTextDocument(uri);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      found[0]?.range ?? new vscode.Range(0, 0, 0, 0),
    );
    const place = actions.find(({ title }) => title === 'Show interaction 1 in the transcript');
    assert.deepEqual(place?.command?.arguments?.slice(1), [0], `among ${actions.map(({ title }) => title)}`);
    const redact = actions.find(({ title }) => title === 'Redact this secret everywhere in the tape');
    assert.ok(redact?.edit, `among ${actions.map(({ title }) => title)}`);
    await vscode.window.showTextDocument(document);
    await vscode.workspace.applyEdit(redact.edit);
    assert.equal(document.getText(), text.replaceAll(KEY, 'REDACTED-1'));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), text);
    await vscode.commands.executeCommand('redo');
    await document.save();
    await eventually('no secret', () => (leaks().length === 0 ? true : undefined));
  });
});

describe('what a project declares to be secret', () => {
  const folder = file('declared');
  const uri = vscode.Uri.joinPath(folder, 'cassettes', 'customers.json');
  const leaks = () => vscode.languages.getDiagnostics(uri).filter(({ code }) => `${code}`.startsWith('secret/'));
  const text = `{"meta": {"schema_version": 1, "test_id": "t"}, "interactions": [{"request": {"kind": "llm", "method": "m",
    "body": {"prompt": "for CUST-7F3K9Q2M"}}, "response": {"status": "ok", "body": "${btoa('it is CUST-7F3K9Q2M, yes')}"}}]}`;

  before(async () => {
    const write = (name: string, content: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), new TextEncoder().encode(content));
    await write('tapedeck.toml', "[redact]\npatterns = ['CUST-[A-Z0-9]{8}']\n");
    await write('cassettes/customers.json', text);
    await vscode.commands.executeCommand('tapedeck.refresh');
  });
  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  it('is in the Problems view, and a quick fix takes it out, in base64 as well', async () => {
    const found = await eventually('the secrets', () => (leaks().length === 2 ? leaks() : undefined));
    assert.deepEqual(
      found.map(({ code }) => code),
      ['secret/pattern', 'secret/pattern'],
    );
    const document = await vscode.workspace.openTextDocument(uri);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      found[0]?.range ?? new vscode.Range(0, 0, 0, 0),
    );
    const redact = actions.find(({ title }) => title === 'Redact all secrets in the tape');
    assert.ok(redact?.edit, `among ${actions.map(({ title }) => title)}`);
    await vscode.workspace.applyEdit(redact.edit);
    const base64 = btoa('it is REDACTED-1, yes');
    assert.equal(
      document.getText(),
      text.replace('CUST-7F3K9Q2M', 'REDACTED-1').replace(btoa('it is CUST-7F3K9Q2M, yes'), base64),
    );
    await document.save();
    await eventually('no secret', () => (leaks().length === 0 ? true : undefined));
  });
});

describe('a Reyn fixture with a character at which Python ends a line', () => {
  const uri = file('fixtures/llm/hello.jsonl');
  const entry = { key: 'a'.repeat(64), model: 'm', prompt_preview: 'hi', response: { content: 'a\u2028b' } };
  const problems = () => vscode.languages.getDiagnostics(uri).filter(({ message }) => message.includes('Python ends'));

  before(async () => {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${JSON.stringify(entry)}\n`));
    await vscode.commands.executeCommand('tapedeck.refresh');
  });
  after(() => vscode.workspace.fs.delete(file('fixtures'), { recursive: true }));

  it('says so, and a quick fix escapes it', async () => {
    const [problem] = await eventually('the problem', () => (problems().length > 0 ? problems() : undefined));
    const document = await vscode.workspace.openTextDocument(uri);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      problem?.range ?? new vscode.Range(0, 0, 0, 0),
    );
    const repair = actions.find(({ title }) => title === 'Escape the characters at which Python ends a line');
    assert.ok(repair?.edit, `among ${actions.map(({ title }) => title)}`);
    await vscode.workspace.applyEdit(repair.edit);
    await document.save();
    assert.match(document.getText(), /"a\\u2028b"/);
    await eventually('no problem', () => (problems().length === 0 ? true : undefined));
  });
});
