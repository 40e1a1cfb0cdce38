import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AGENT_TOOLS, findAgentTool } from '../../src/contracts/agentTools';
import type { AgentCase } from '../../src/contracts/engine/agentCases';
import { EngineTool } from '../../src/host/agentTools/engineTool';
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

  const REPLAY = findAgentTool('replay_case');
  const token = new vscode.CancellationTokenSource().token;
  const options = { input: { case: 'cases/order_status.toml' }, toolInvocationToken: undefined };
  const starting: AgentCase = {
    starts: 'program',
    shown: 'sh -c "echo\n```\n[x](command:y)"',
    details: ['in the folder cases'],
    stamp: 's',
    isAllowed: false,
  };
  /** A tool with what it calls; `answer` is the person's. */
  function toolWith(agentCase: AgentCase | undefined, answer: boolean, requireTrust = () => {}) {
    assert.ok(REPLAY);
    const calls: string[] = [];
    const permissions = {
      find: async () => agentCase,
      ask: async () => {
        calls.push('ask');
        return answer;
      },
    };
    const call = async () => {
      calls.push('call');
      return 'done';
    };
    return { calls, tool: new EngineTool(REPLAY, call, permissions, requireTrust) };
  }

  it('show the whole command of a case in their confirmation, and ask a person before they run it', async () => {
    const { calls, tool } = toolWith(starting, false);
    const { confirmationMessages } = await tool.prepareInvocation(options);
    const { message } = confirmationMessages ?? {};
    assert.ok(message instanceof vscode.MarkdownString);
    assert.ok(message.value.includes(starting.shown), message.value);
    assert.match(message.value, /````/, 'the fence is longer than any in the command');
    assert.doesNotMatch(message.value, /offline/);
    await assert.rejects(async () => tool.invoke(options, token), /did not allow/);
    assert.deepEqual(calls, ['ask']);
  });

  it('run a case that a person allows, or has allowed, or that starts nothing', async () => {
    for (const [agentCase, calls] of [
      [starting, ['ask', 'call']],
      [{ ...starting, isAllowed: true }, ['call']],
      [undefined, ['call']],
    ] as const) {
      const made = toolWith(agentCase, true);
      await made.tool.invoke(options, token);
      assert.deepEqual(made.calls, calls);
    }
  });

  it('start no engine in Restricted Mode, not even to read', async () => {
    for (const tool of AGENT_TOOLS) {
      const started: string[] = [];
      const engine = async () => {
        started.push(tool.name);
        return '';
      };
      const permissions = { find: async () => undefined, ask: async () => true };
      const restricted = new EngineTool(tool, engine, permissions, () => {
        throw new Error('not trusted');
      });
      await assert.rejects(async () => restricted.invoke(options, token), /not trusted/);
      assert.deepEqual(started, []);
    }
  });
});
