import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { hasTerminal } from './terminal';
import { answeredTape, eventually, file, write } from './workspace';

const PROMPT = 'Where is my order?';
const AGENT = `import { writeFileSync } from 'node:fs';
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: '${PROMPT}' }] });
const headers = { 'content-type': 'application/json' };
const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
const { choices } = await response.json();
writeFileSync(new URL('said.txt', import.meta.url), choices[0].message.content);
`;

/** The text of a file, once there is some. */
const textOf = (path: string): Promise<string> =>
  eventually(path, () => (existsSync(file(path).fsPath) && readFileSync(file(path).fsPath, 'utf8')) || undefined);

async function writeAgent(): Promise<void> {
  await write('debugged/agent.mjs', AGENT);
  await write('debugged/agent.tape.jsonl', answeredTape(PROMPT));
}

describe('debug sessions and terminals', () => {
  before(async () => {
    await vscode.extensions.getExtension('tapedeck.tapedeck')?.activate();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.debug.stop'));

  it('runs what a launch configuration with "tapedeck" debugs on its tape, up to a breakpoint and on', async () => {
    await writeAgent();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const breakpoint = new vscode.SourceBreakpoint(
      new vscode.Location(file('debugged/agent.mjs'), new vscode.Position(5, 0)),
    );
    vscode.debug.addBreakpoints([breakpoint]);
    let stops = 0;
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: () => ({
        onDidSendMessage: (message: { readonly event?: string }) => {
          if (message.event === 'stopped') stops += 1;
        },
      }),
    });
    try {
      const configuration = {
        type: 'node',
        request: 'launch',
        name: 'On tape',
        program: file('debugged/agent.mjs').fsPath,
        tapedeck: { mode: 'replay', tape: 'debugged/agent.tape.jsonl' },
      };
      assert.ok(await vscode.debug.startDebugging(folder, configuration));
      await eventually('a stop at the breakpoint', () => stops > 0 || undefined);
      assert.ok(!existsSync(file('debugged/said.txt').fsPath));
      await eventually('the end of the program', async () => {
        await vscode.commands.executeCommand('workbench.action.debug.continue');
        return existsSync(file('debugged/said.txt').fsPath) || undefined;
      });
      assert.equal(await textOf('debugged/said.txt'), 'On its way.');
    } finally {
      tracker.dispose();
      vscode.debug.removeBreakpoints([breakpoint]);
    }
  });

  it('is completed, explained and checked in launch.json, whose other schemas stay as they are', async () => {
    const configuration = (tapedeck: object, more = {}) => ({
      type: 'node',
      request: 'launch',
      name: 'n',
      ...more,
      tapedeck,
    });
    const configurations = [
      configuration({ mode: 'replay', tape: 'a.tape.jsonl' }),
      configuration({ mode: 'play', tape: 'a.tape.jsonl' }),
      configuration({ tape: 'a.tape.jsonl', mdoe: 'replay' }),
      configuration({ tape: 'a.tape.jsonl' }, { notOfNode: true, console: 'elsewhere' }),
    ];
    const text = JSON.stringify({ version: '0.2.0', configurations }, undefined, 1);
    await write('.vscode/launch.json', text);
    const uri = file('.vscode/launch.json');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    try {
      const problems = await eventually('problems', () => {
        const found = vscode.languages.getDiagnostics(uri).map(({ range }) => document.getText(range));
        return found.length >= 4 ? found.sort() : undefined;
      });
      assert.deepEqual(problems, ['"elsewhere"', '"mdoe"', '"notOfNode"', '"play"']);
      const at = document.positionAt(text.indexOf('"mode": "play"') + '"mode": '.length);
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        at,
      );
      const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      assert.ok(
        ['"replay"', '"record"'].every((value) => labels.includes(value)),
        labels.join(),
      );
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        document.positionAt(text.indexOf('"tapedeck"') + 2),
      );
      const explained = hovers.flatMap(({ contents }) =>
        contents.map((one) => (typeof one === 'string' ? one : one.value)),
      );
      assert.match(explained.join(), /answered from it/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('replays a tape in a terminal, for each run of an agent in it, until the terminal is closed', async function () {
    if (!(await hasTerminal())) {
      console.log('NOT TESTED: terminals on tape, as none starts here: this host came without its compiled terminal');
      this.skip();
    }
    await writeAgent();
    const open = new Set(vscode.window.terminals);
    await vscode.commands.executeCommand('tapedeck.newTerminal', file('debugged/agent.tape.jsonl'));
    const terminal = await eventually('a terminal', () => vscode.window.terminals.find((one) => !open.has(one)));
    const { creationOptions: options } = terminal;
    const proxy = 'env' in options ? options.env?.OPENAI_BASE_URL : undefined;
    try {
      assert.equal(terminal.name, 'Replay: agent.tape.jsonl');
      assert.ok('env' in options && options.isTransient);
      for (const run of [1, 2]) {
        terminal.sendText(`node debugged/agent.mjs && mv debugged/said.txt debugged/said-${run}.txt`);
        assert.equal(await textOf(`debugged/said-${run}.txt`), 'On its way.');
      }
    } finally {
      terminal.dispose();
    }
    await eventually('the end of the proxy', () =>
      fetch(proxy ?? '').then(
        () => undefined,
        () => true,
      ),
    );
  });

  it('has tapedeck on the PATH of terminals', async function () {
    if (!(await hasTerminal())) {
      console.log(
        'NOT TESTED: the PATH of terminals, as none starts here: this host came without its compiled terminal',
      );
      this.skip();
    }
    const terminal = vscode.window.createTerminal({ name: 'PATH', shellPath: '/bin/sh' });
    try {
      terminal.sendText(`tapedeck --version > '${file('version.txt').fsPath}' 2>&1`);
      assert.match(await textOf('version.txt'), /^\d+\.\d+\.\d+/);
    } finally {
      terminal.dispose();
    }
  });
});
