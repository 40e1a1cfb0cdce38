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
