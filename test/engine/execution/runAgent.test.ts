import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { prettyJson } from '../../../src/core/json/json';
import type { ChatRequest, ChatResponse } from '../../../src/core/model/message';
import { AgentError, ProviderError } from '../../../src/engine/errors/runErrors';
import { runAgent } from '../../../src/engine/execution/runAgent';
import { sweepTemporaryFolders } from '../../../src/engine/files/temporaryFolder';
import type { ChatProvider } from '../../../src/engine/providers/chatProvider';
import { createScripted } from '../../../src/engine/providers/createProvider';
import { caseOf, inFolder, NEVER, RECORDER } from '../../harness/support';

const WEATHER = `
name = "weather"
prompt = "What is the weather in Berlin?"
[[tools]]
name = "echo"
description = "Echoes."
[[tools]]
name = "weather"
description = "Looks the weather up."
schema = { type = "object", properties = { city = { type = "string" } } }
result = { sky = "sunny", big = 9007199254740991 }
`;

/** A provider that gives these answers and keeps the requests. */
class Answers implements ChatProvider {
  readonly label = 'answers';
  readonly requests: ChatRequest[] = [];
  constructor(readonly answers: readonly (Partial<ChatResponse> | Error)[]) {}

  async chat(request: ChatRequest): Promise<ChatResponse> {
    this.requests.push(request);
    const answer = this.answers[this.requests.length - 1];
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no more answers');
    return { content: null, toolCalls: [], ...answer };
  }
}

function calling(...calls: readonly (readonly [name: string, args: ChatResponse['toolCalls'][number]['arguments']])[]) {
  return { toolCalls: calls.map(([name, args], index) => ({ id: `call_${index + 1}`, name, arguments: args })) };
}

/** Another process may have had this id, and have been killed. */
const EARLIER = new Set(readdirSync(tmpdir()));
const leftovers = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`tapedeck-${process.pid}-`) && !EARLIER.has(name));

describe('runAgent', () => {
  afterEach(async () => assert.deepEqual(await leftovers(), [], 'every workspace is removed'));

  it('sends requests, calls the tools, and returns the final response', async () => {
    const provider = new Answers([calling(['weather', { city: 'Berlin' }]), { content: 'Sunny.' }]);
    const seen: string[] = [];
    const run = await runAgent(caseOf(WEATHER), provider, {
      recorder: RECORDER,
      signal: NEVER,
      onInteraction: (index, summary) => seen.push(`${index} ${summary}`),
    });
    assert.equal(run.error, null);
    assert.equal(run.outputText, 'Sunny.');
    assert.equal(run.interactions, 2);
    assert.deepEqual(seen, ['0 calls weather', '1 responds: Sunny.']);
    const [first, second] = provider.requests;
    assert.deepEqual(
      first?.tools.map(({ name }) => name),
      ['echo', 'weather'],
    );
    assert.equal(first?.messages.length, 2, 'what is said later does not reach a request that was made');
    assert.deepEqual(second?.messages.slice(2), [
      { role: 'assistant', content: null, ...calling(['weather', { city: 'Berlin' }]) },
      { role: 'tool', content: '{"sky":"sunny","big":9007199254740991}', toolCalls: [], toolCallId: 'call_1' },
    ]);
    assert.deepEqual(run.session, [
      { role: 'user', content: 'What is the weather in Berlin?' },
      { role: 'assistant', content: '' },
      { role: 'tool', content: '{"sky":"sunny","big":9007199254740991}' },
      { role: 'assistant', content: 'Sunny.' },
    ]);
    assert.equal(run.lastRequest, second);
    assert.equal(run.lastResponse?.content, 'Sunny.');
    assert.match(run.executionId, /^[0-9a-f-]{36}$/);
    assert.notEqual(run.executionId, run.sessionId);
  });

  it('lists the calls as MoFA does, by tool in the order of the case, and their true order beside it', async () => {
    const provider = new Answers([
      calling(['weather', { city: 'A' }], ['echo', {}]),
      calling(['weather', { city: 'B' }]),
      {},
    ]);
    const run = await runAgent(caseOf(WEATHER), provider, { recorder: RECORDER, signal: NEVER });
    assert.deepEqual(run.toolCallOrder, ['weather', 'echo', 'weather']);
    assert.deepEqual(
      run.toolCalls.map(({ tool_name, input, output, success, timed_out }) => [
        tool_name,
        input,
        output,
        success,
        timed_out,
      ]),
      [
        ['echo', {}, 'Mock execution default', true, false],
        ['weather', { city: 'A' }, { sky: 'sunny', big: 9007199254740991 }, true, false],
        ['weather', { city: 'B' }, { sky: 'sunny', big: 9007199254740991 }, true, false],
      ],
    );
    assert.equal(run.outputText, '', 'an answer without text is an empty one, as in MoFA');
  });

  for (const [name, args, message] of [
    ['wether', {}, 'Tool not found: wether'],
    ['echo', '{"half', 'Invalid tool arguments for echo: "{\\"half"'],
    ['echo', null, 'Invalid tool arguments for echo: null'],
  ] as const)
    it(`ends a run at a call that the case does not know: ${message}`, async () => {
      const provider = new Answers([calling([name, args]), { content: 'Sorry.' }]);
      const run = await runAgent(caseOf(WEATHER), provider, { recorder: RECORDER, signal: NEVER });
      assert.equal(run.outputText, null);
      assert.equal(run.error?.message, message);
      assert.deepEqual(run.toolCallOrder, []);
    });

  it('keeps the floats of a case as they are written, in what the model gets and in the record', async () => {
    const floats = `
      name = "n"
      prompt = "p"
      [[tools]]
      name = "list"
      description = "d"
      result = { whole = 1.0, zero = -0.0, part = 0.5, count = 1 }
      [[tools]]
      name = "bare"
      description = "d"
      result = 2.0`;
    const provider = new Answers([calling(['list', {}], ['bare', {}]), { content: 'ok' }]);
    const run = await runAgent(caseOf(floats), provider, { recorder: RECORDER, signal: NEVER });
    const results = provider.requests[1]?.messages.slice(3).map(({ content }) => content);
    assert.deepEqual(results, ['{"whole":1.0,"zero":-0.0,"part":0.5,"count":1}', '2.0']);
    assert.match(prettyJson(run.toolCalls), /"whole": 1\.0,\n[\s\S]*"output": 2\.0,/);
  });

  it('stops a slow tool, measures the others', async () => {
    const toml = `${WEATHER}
      [agent]
      tool_timeout_ms = 40
      [[tools]]
      name = "slow"
      description = "Takes its time."
      delay_ms = 5000
      [[tools]]
      name = "quick"
      description = "Does not."
      delay_ms = 30`;
    const provider = new Answers([calling(['slow', {}], ['quick', {}]), { content: 'Done.' }]);
    const run = await runAgent(caseOf(toml), provider, { recorder: RECORDER, signal: NEVER });
    const [slow, quick] = run.toolCalls;
    assert.deepEqual([slow?.timed_out, slow?.success, slow?.output], [true, false, null]);
    assert.ok((slow?.duration_ms ?? 0) >= 35 && (slow?.duration_ms ?? 0) < 5000, `${slow?.duration_ms} ms`);
    assert.deepEqual([quick?.timed_out, quick?.success], [false, true]);
    assert.ok((quick?.duration_ms ?? 0) >= 25, `${quick?.duration_ms} ms`);
    assert.equal(provider.requests[1]?.messages[3]?.content, 'Error: `slow` timed out after 40 ms');
  });

  it('gives up after max_iterations', async () => {
    const toml = `${WEATHER}\n[agent]\nmax_iterations = 3`;
    const provider = new Answers(Array.from({ length: 9 }, () => calling(['echo', {}])));
    const run = await runAgent(caseOf(toml), provider, { recorder: RECORDER, signal: NEVER });
    assert.equal(provider.requests.length, 3);
    assert.ok(run.error instanceof AgentError);
    assert.equal(run.error.message, 'agent stopped after 3 iterations without a final response');
    assert.match(run.error.fix, /max_iterations/);
    assert.equal(run.outputText, null);
    assert.equal(run.toolCalls.length, 3);
  });

  it("gives a provider's failure as the run's error, with what happened before it", async () => {
    const failure = new ProviderError('unreachable', 'it is gone', 'Look for it.');
    const run = await runAgent(caseOf(WEATHER), new Answers([calling(['echo', {}]), failure]), {
      recorder: RECORDER,
      signal: NEVER,
    });
    assert.equal(run.error, failure);
    assert.equal(run.interactions, 1);
    assert.deepEqual(run.toolCallOrder, ['echo']);
    assert.equal(run.lastRequest?.messages.length, 4);
    assert.equal(run.lastResponse?.toolCalls.length, 1);
  });

  it('does not hide a bug', async () => {
    await assert.rejects(
      runAgent(caseOf(WEATHER), new Answers([]), { recorder: RECORDER, signal: NEVER }),
      /no more answers/,
    );
  });

  it('rejects with the reason when it is cancelled, in every phase', async () => {
    const reason = new Error('the user pressed Stop');
    const before = AbortSignal.abort(reason);
    await assert.rejects(runAgent(caseOf(WEATHER), new Answers([{}]), { recorder: RECORDER, signal: before }), reason);

    const asking = new AbortController();
    const hangs: ChatProvider = {
      label: 'hangs',
      chat: (_request, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    setTimeout(() => asking.abort(reason), 20);
    await assert.rejects(runAgent(caseOf(WEATHER), hangs, { recorder: RECORDER, signal: asking.signal }), reason);

    const slow = caseOf('name = "n"\nprompt = "p"\n[[tools]]\nname = "slow"\ndescription = ""\ndelay_ms = 10000');
    const calls = new AbortController();
    const onInteraction = () => setTimeout(() => calls.abort(reason), 20);
    const provider = new Answers([calling(['slow', {}]), {}]);
    await assert.rejects(runAgent(slow, provider, { recorder: RECORDER, signal: calls.signal, onInteraction }), reason);
    assert.equal(provider.requests.length, 1);
  });
});

describe("the agent's workspace", () => {
  const files = `
    name = "n"
    prompt = "p"
    [[bootstrap_files]]
    path = "docs/AGENTS.md"
    content = "Bootstrapped instructions for the DSL test."
    [[bootstrap_files]]
    path = "SOUL.md"
    content = "Be kind."`;

  it('holds the bootstrap files while the agent runs, with their checksums in the snapshots', async () => {
    let content = '';
    let root = '';
    const looking: ChatProvider = {
      label: 'looking',
      async chat() {
        [root = ''] = (await leftovers()).map((name) => join(tmpdir(), name));
        content = await readFile(join(root, 'docs', 'AGENTS.md'), 'utf8');
        await writeFile(join(root, 'made.txt'), '');
        return { content: 'ok', toolCalls: [] };
      },
    };
    const run = await runAgent(caseOf(files), looking, { recorder: RECORDER, signal: NEVER });
    assert.equal(content, 'Bootstrapped instructions for the DSL test.');
    assert.equal(run.workspaceRoot, root);
    assert.equal(existsSync(root), false);
    const [soul, agents] = run.before.files;
    assert.deepEqual(
      run.before.files.map(({ relative_path, size_bytes }) => [relative_path, size_bytes]),
      [
        ['SOUL.md', 8],
        ['docs/AGENTS.md', 43],
      ],
    );
    // Printed by Rust's DefaultHasher for these bytes.
    assert.equal(agents?.checksum, 4067029223755827488n);
    assert.ok(Math.abs((soul?.modified_ms ?? 0) - run.startedAtMs) < 60_000);
    assert.deepEqual(
      run.after.files.map(({ relative_path }) => relative_path),
      ['SOUL.md', 'docs/AGENTS.md', 'made.txt'],
    );
  });

  it('is not made for a case without files', async () => {
    const during: string[] = [];
    const looking: ChatProvider = {
      label: 'looking',
      async chat() {
        during.push(...(await leftovers()));
        return { content: 'ok', toolCalls: [] };
      },
    };
    const run = await runAgent(caseOf(WEATHER), looking, { recorder: RECORDER, signal: NEVER });
    assert.deepEqual(during, []);
    const { workspaceRoot, before, after, outputText } = run;
    assert.deepEqual([before, after, outputText], [{ files: [] }, { files: [] }, 'ok']);
    assert.equal(dirname(workspaceRoot), tmpdir());
    assert.match(basename(workspaceRoot), /^tapedeck-\d+-\w{6}$/);
    assert.equal(existsSync(workspaceRoot), false);
  });

  it('refuses files that cannot be written, and names them', async () => {
    const clash = caseOf(`name = "n"\nprompt = "p"
      [[bootstrap_files]]
      path = "a"
      content = ""
      [[bootstrap_files]]
      path = "a/b"
      content = ""`);
    const run = await runAgent(clash, new Answers([]), { recorder: RECORDER, signal: NEVER });
    assert.ok(run.error instanceof AgentError);
    assert.match(run.error.message, /`a\/b` cannot be written: (ENOTDIR|EEXIST)/);
    assert.equal(run.error.kind, 'case');

    const escaping = { ...clash, bootstrapFiles: [{ path: '../outside.md', content: '' }] };
    const escaped = await runAgent(escaping, new Answers([]), { recorder: RECORDER, signal: NEVER });
    assert.match(escaped.error?.message ?? '', /outside the workspace/);
    assert.equal(existsSync(join(tmpdir(), 'outside.md')), false);
    assert.deepEqual(await leftovers(), []);
  });

  it('removes the folders of killed runs a day later, and nothing else', async () => {
    await inFolder(async (folder) => {
      const dead = 99_999_999;
      const alive = process.pid;
      const names = [
        `tapedeck-${dead}-AbCdEf`,
        `tapedeck-${alive}-AbCdEf`,
        `tapedeck-${dead}-New123`,
        'tapedeck-cache',
        'other',
      ];
      const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
      for (const name of names) {
        await mkdir(join(folder, name));
        await writeFile(join(folder, name, 'file'), '');
        if (!name.includes('New')) await utimes(join(folder, name), longAgo, longAgo);
      }
      await sweepTemporaryFolders(folder);
      assert.deepEqual((await readdir(folder)).sort(), names.slice(1).sort());
    });
  });
});

describe('the system prompt', () => {
  async function promptOf(toml: string): Promise<string | null | undefined> {
    const testCase = caseOf(`name = "n"\nprompt = "p"\n${toml}\n[llm]\nresponses = ["ok"]`);
    const run = await runAgent(testCase, createScripted(testCase), {
      recorder: RECORDER,
      signal: NEVER,
    });
    return run.lastRequest?.messages[0]?.content;
  }

  it("is MoFA's identity without a name, and a description counts only beside one", async () => {
    assert.match((await promptOf('')) ?? '', /^# Agent\n\nYou are Agent, A helpful AI assistant\./);
    assert.match((await promptOf('[agent]\ndescription = "a poet"')) ?? '', /You are Agent, A helpful AI assistant\./);
    const named = await promptOf('[agent]\nname = "Ode"\ndescription = "a poet"');
    assert.match(named ?? '', /^# Ode\n\nYou are Ode, a poet\./);
  });

  it('has the bootstrap files as sections', async () => {
    const prompt = await promptOf('[[bootstrap_files]]\npath = "AGENTS.md"\ncontent = "Do good."');
    assert.match(prompt ?? '', /\n\n## AGENTS\.md\n\nDo good\.$/);
  });

  it('is replaced as a whole by `system`', async () => {
    const toml = '[agent]\nname = "Ode"\nsystem = "Only this."\n[[bootstrap_files]]\npath = "A.md"\ncontent = "x"';
    assert.equal(await promptOf(toml), 'Only this.');
  });

  it('is the same in every run', async () => {
    const toml = '[[bootstrap_files]]\npath = "AGENTS.md"\ncontent = "Do good."';
    assert.equal(await promptOf(toml), await promptOf(toml));
  });
});
