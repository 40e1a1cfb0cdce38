import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AGENT_TOOLS } from '../../src/protocol/agentTools';
import { file, readText } from './workspace';

async function invoke(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return part.value;
}

describe('the tools of language models', () => {
  it('are offered', () => {
    const names = vscode.lm.tools.map(({ name }) => name);
    for (const { name } of AGENT_TOOLS) assert.ok(names.includes(`tapedeck_${name}`), `${name} of ${names.join(', ')}`);
  });

  it('list the cases and read a recording, in the engine', async () => {
    assert.match(await invoke('tapedeck_list_cases', {}), /"case": "cases\/order_status\.toml"/);
    const input = { tape: 'tapes/order_status.tape.json', index: 0 };
    assert.match(await invoke('tapedeck_read_interaction', input), /lookup_order/);
  });

  it('replay a case, and say whether its requests had recordings', async () => {
    const input = { case: 'cases/order_status.toml' };
    assert.match(await invoke('tapedeck_replay_case', input), /^✓ order_status/);
    assert.match(await invoke('tapedeck_explain_drift', input), /every request had a recording/);
  });

  it('propose, and change nothing', async () => {
    const before = await readText(file('cases/greeting.baseline.json'));
    const input = { case: 'cases/greeting.toml', reason: 'it is friendlier' };
    const answer = await invoke('tapedeck_propose_acceptance', input).catch((error: unknown) => String(error));
    assert.match(answer, /has not been run|Proposed: accept/);
    assert.equal(await readText(file('cases/greeting.baseline.json')), before);
  });
});
