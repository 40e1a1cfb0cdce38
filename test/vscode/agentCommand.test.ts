import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { answeredTape, eventually, exists, file, readJson, write } from './workspace';

const onLinux = process.platform === 'linux' ? it : it.skip;

const AGENTS = {
  node: {
    file: 'agents/agent.mjs',
    text: `let prompt = '';
for await (const piece of process.stdin) prompt += piece;
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });
const headers = { 'content-type': 'application/json' };
const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
console.log((await answer.json()).choices[0].message.content);
`,
  },
  python3: {
    file: 'agents/agent.py',
    text: `import json, os, sys, urllib.request
body = json.dumps({'model': 'm', 'messages': [{'role': 'user', 'content': sys.stdin.read()}]}).encode()
url = os.environ['OPENAI_BASE_URL'] + '/chat/completions'
answer = json.load(urllib.request.urlopen(urllib.request.Request(url, body, {'content-type': 'application/json'})))
print(answer['choices'][0]['message']['content'])
`,
  },
};

const PROMPT = 'Where is my order?';

const caseOf = (name: string, command: readonly string[]) =>
  `name = "${name}"\nprompt = "${PROMPT}"\n[agent]\ncommand = ${JSON.stringify(command)}\n[llm]\ntape = "agent.tape.jsonl"\n[assert]\ncontains = "way"\n`;

/** How many processes have this word in their command line. */
function running(word: string): number {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
  return lines.filter((line) => line.includes(word)).length;
}

const codeLenses = (uri: vscode.Uri) =>
  vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);

describe('a case with an agent of its own', () => {
  before(async () => {
    await write('agents/agent.tape.jsonl', answeredTape(PROMPT));
    for (const { file: path, text } of Object.values(AGENTS)) await write(path, text);
  });

  after(() => vscode.workspace.fs.delete(file('agents'), { recursive: true }));

  for (const [program, { file: path }] of Object.entries(AGENTS))
    it(`replays from its lens: ${program}`, async () => {
      const name = `agent_${program}`;
      const uri = file(`agents/${name}.toml`);
      await write(`agents/${name}.toml`, caseOf(name, [program, path.split('/')[1] ?? '']));
      await vscode.workspace.openTextDocument(uri);
      const lens = await eventually('a lens', async () => {
        return (await codeLenses(uri)).find(({ command }) => command?.title.includes('Replay'))?.command;
      });
      await vscode.commands.executeCommand(lens.command, ...(lens.arguments ?? []));
      const artifact = await readJson(file(`.tapedeck/runs/agents/${name}.artifact.json`));
      assert.equal(artifact.status, 'passed', JSON.stringify(artifact.runner_error));
      assert.equal(artifact.output_text, 'On its way.');
      await vscode.workspace.fs.delete(uri);
    });

  onLinux('ends with all that it has started, when the run is cancelled', async () => {
    const word = `cancelled_${process.pid}_${Date.now()}`;
    const child = `setInterval(() => {}, 1000, '${word}')`;
    const agent = `require('child_process').spawn('node', ['-e', ${JSON.stringify(child)}]); setInterval(() => {}, 1000)`;
    const uri = file('agents/endless.toml');
    await write('agents/endless.toml', caseOf('endless', ['node', '-e', agent]));
    const replay = vscode.commands.executeCommand('tapedeck.replayCase', uri);
    await eventually('the agent and its child', () => running(word) >= 2 || undefined);
    await vscode.commands.executeCommand('testing.cancelRun');
    await eventually('their end', () => running(word) === 0 || undefined);
    await replay;
    await vscode.workspace.fs.delete(uri);
  });

  it('is debugged from the Test Explorer: its breakpoint is hit, and the run is judged as any other', async () => {
    await write('agents/debugged.toml', caseOf('debugged', ['node', 'agent.mjs']));
    const uri = file('agents/debugged.toml');
    const breakpoint = new vscode.SourceBreakpoint(
      new vscode.Location(file('agents/agent.mjs'), new vscode.Position(2, 0)),
    );
    vscode.debug.addBreakpoints([breakpoint]);
    let stops = 0;
    const createDebugAdapterTracker = () => ({
      onDidSendMessage: (message: { readonly event?: string }) => {
        if (message.event === 'stopped') stops += 1;
      },
    });
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory('*', { createDebugAdapterTracker });
    const artifact = file('.tapedeck/runs/agents/debugged.artifact.json');
    const isJudged = () => exists(artifact).then((there) => there || undefined);
    try {
      await vscode.window.showTextDocument(uri);
      await eventually('the case', async () => (await codeLenses(uri)).length > 0 || undefined);
      const ended = vscode.commands.executeCommand('testing.debug.uri', uri);
      await eventually('a stop at the breakpoint', () => stops > 0 || undefined);
      assert.equal(await exists(artifact), false);
      await eventually('the verdict', async () => {
        await vscode.commands.executeCommand('workbench.action.debug.continue');
        return isJudged();
      });
      await ended;
      const { status, output_text: output } = await readJson(artifact);
      assert.deepEqual([status, output], ['passed', 'On its way.']);
    } finally {
      tracker.dispose();
      vscode.debug.removeBreakpoints([breakpoint]);
    }
  });
});
