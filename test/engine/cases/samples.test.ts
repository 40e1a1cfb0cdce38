import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { type ReceivedRequest, sendJson, serve } from '../../harness/support';

/** What the model says to the first request of each run, in turn: it calls the tool, and then says it again. */
const ANSWERS = ['It is sunny.', 'I do not know.', 'It is sunny, again.', 'Sunny: it is sunny.'];

const caseAt = (baseUrl: string, judged: string): string => `name = "weather"
prompt = "How is the weather?"
[[tools]]
name = "look"
description = "Looks outside."
schema = { type = "object" }
result = "clear"
[llm]
tape = "a.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
model = "m"
[assert]
contains = "sunny"
max_calls = 2
${judged}`;

/** A case at a model that answers otherwise each time. `asked` counts the requests. */
async function inSampled(
  judged: string,
  test: (project: TestProject, baseUrl: string, asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0;
  let answer = 0;
  const server = await serve((response: ServerResponse, { body }: ReceivedRequest) => {
    const { messages } = JSON.parse(body) as { messages: readonly { role: string }[] };
    asked += 1;
    const isFirst = !messages.some(({ role }) => role === 'tool');
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const message = isFirst ? { tool_calls: [call] } : { content: ANSWERS[answer++ % ANSWERS.length] };
    sendJson(response, 200, { choices: [{ index: 0, message: { role: 'assistant', ...message } }] });
  });
  try {
    const files = { 'tapedeck.toml': '', 'a.toml': caseAt(server.baseUrl, judged) };
    await inProject(files, (project) => test(project, server.baseUrl, () => asked));
  } finally {
    await server.close();
  }
}

const resultOf = (stdout: string) => JSON.parse(stdout).results[0];

describe('the samples of a case', function () {
  this.timeout(60_000);

  it('are recorded on one tape, and replay offline, each with its own recordings', async () => {
    await inSampled('samples = 4\npass_rate = 0.75\n', async (project, baseUrl, asked) => {
      const recorded = await tapedeck(project, 'run', 'a.toml', '--record', '--json');
      assert.deepEqual([recorded.code, asked()], [0, 8], recorded.stdout);
      assert.equal(JSON.parse(await project.read('a.tape.json')).interactions.length, 8);
      const replayed = await tapedeck(project, 'run', 'a.toml', '--json');
      const { interactions, compared, outputText } = resultOf(replayed.stdout);
      assert.deepEqual([replayed.code, asked(), outputText], [0, 8, 'It is sunny.']);
      assert.deepEqual(
        interactions.map(({ index, verdict }: { index: number; verdict: string }) => [index, verdict]),
        Array.from({ length: 8 }, (_, index) => [index, 'exact']),
      );
      assert.match(compared, /1 assertion/);
      await project.write('a.toml', caseAt(baseUrl, 'samples = 4\npass_rate = 0.8\n'));
      const stricter = await tapedeck(project, 'run', 'a.toml', '--json');
      const [failure] = resultOf(stricter.stdout).failures;
      assert.deepEqual([stricter.code, asked()], [1, 8]);
      assert.equal(failure.message, 'pass_rate: 3 of 4 samples passed, and 80% must; failed: sample 2 (contains)');
      const { start } = failure.span;
      assert.equal((await project.read('a.toml')).slice(start, start + 3), '0.8');
    });
  });

  it('that a tape has not are a miss, and one without a pass rate has to pass', async () => {
    await inSampled('', async (project, baseUrl) => {
      await tapedeck(project, 'run', 'a.toml', '--record');
      await project.write('a.toml', caseAt(baseUrl, 'samples = 2\n'));
      const missing = await tapedeck(project, 'run', 'a.toml', '--json');
      assert.deepEqual([missing.code, resultOf(missing.stdout).failures[0].miss.kind], [4, 'used-up']);
      const live = await tapedeck(project, 'run', 'a.toml', '--live', '--json');
      assert.match(resultOf(live.stdout).failures[0].message, /^pass_rate: 1 of 2 samples passed, and 100% must/);
    });
  });

  it('name the step at which the first of them fails', async () => {
    await inSampled('samples = 3\n', async (project, baseUrl) => {
      await tapedeck(project, 'run', 'a.toml', '--record');
      const text = caseAt(baseUrl, 'samples = 3\n')
        .replace('contains = "sunny"\n', '')
        .replace('max_calls = 2', 'max_calls = 1');
      await project.write('a.toml', text);
      const { stdout } = await tapedeck(project, 'run', 'a.toml', '--json');
      const [failure] = resultOf(stdout).failures;
      assert.match(failure.message, /^pass_rate: 0 of 3 samples passed, and 100% must; failed: sample 1 \(max_calls\)/);
      assert.equal(failure.step.index, 1);
    });
  });

  it('are refused where they cannot be judged', async () => {
    const refusal = async (text: string) => {
      let message = '';
      await inProject({ 'tapedeck.toml': '', 'a.toml': text }, async (project) => {
        message = (await tapedeck(project, 'run', 'a.toml')).stdout;
      });
      return message;
    };
    const base = caseAt('http://127.0.0.1:9/v1', '');
    assert.match(await refusal(`${base}pass_rate = 80\n`), /`pass_rate` must be at most 1/);
    assert.match(await refusal(`${base}samples = 0\n`), /`samples` must be a whole number of at least 1/);
    const own = `${base}samples = 3\n[agent]\ncommand = ["node", "agent.mjs"]\n`;
    assert.match(await refusal(own), /`samples` is for the built-in agent/);
  });
});
