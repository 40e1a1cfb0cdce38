import assert from 'node:assert/strict';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { serve } from '../../harness/support';

const HEAD = 'name = "n"\nprompt = "p"\n';
const TOOL = '[[tools]]\nname = "add"\ndescription = "Adds."\nschema = {}\nresult = { sum = 3 }\n';
const call = (tool: string, more = '') =>
  `[[llm.steps]]\ntype = "tool_call"\ntool = "${tool}"\narguments = {}\n${more}`;
const SAY = '[[llm.steps]]\ntype = "text"\ncontent = "done"\n';

const inCase = (text: string, test: (project: TestProject) => Promise<void>, files = {}) =>
  inProject({ 'a.toml': text, ...files }, test);

describe('test-dsl does what MoFA does', function () {
  this.timeout(60_000);

  it('a call of an unknown tool fails the run, which fails the case only where something is asserted', async () => {
    const text = `${HEAD}${TOOL}${call('ghost')}${SAY}`;
    await inCase(text, async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', 'a.toml', '--artifact-out', 'x.json');
      assert.equal(code, 0);
      assert.match(stdout, /\nstatus: failed\nduration_ms/);
      assert.match(stderr, /^the run failed: Agent execution failed: Tool not found: ghost\n/);
      assert.equal((await project.json('x.json')).runner_error, 'Agent execution failed: Tool not found: ghost');
      await project.write('a.toml', `${text}[assert]\ntool_called = "ghost"`);
      assert.equal((await tapedeck(project, 'test-dsl', 'a.toml')).code, 1);
    });
  });

  it('ten rounds of calls end with a sentence of the agent, and pass', async () => {
    await inCase(`${HEAD}${TOOL}${call('add').repeat(12)}${SAY}`, async (project) => {
      const { code, stdout } = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.equal(code, 0);
      assert.match(
        stdout,
        /output: I've completed processing but hit the maximum iteration limit\.\ntool_calls: (add, ){9}add\n/,
      );
    });
  });

  for (const args of [
    ['--output', 'json', 'test-dsl', 'a.toml'],
    ['-o', 'json', 'test-dsl', 'a.toml'],
    ['test-dsl', 'a.toml', '-o=json'],
    ['-v', '--output=json', 'test-dsl', 'a.toml', '-c', 'mofa.toml'],
    ['--config', 'mofa.toml', 'test-dsl', '--verbose', 'a.toml', '--output', 'json'],
  ])
    it(`takes ${args.join(' ')}`, async () => {
      await inCase(`${HEAD}${SAY}`, async (project) => {
        const { code, stdout } = await tapedeck(project, ...args);
        assert.equal(code, 0);
        assert.equal(JSON.parse(stdout).case.output_text, 'done');
      });
    });

  it('refuses a flag that is given twice, and a tool without a schema', async () => {
    await inCase(`${HEAD}${TOOL.replace('schema = {}\n', '')}${SAY}`, async (project) => {
      const twice = await tapedeck(project, 'test-dsl', 'a.toml', '--fail-on-diff', '--fail-on-diff');
      assert.deepEqual([twice.code, twice.stderr.includes('only once')], [2, true]);
      const { code, stderr } = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.equal(code, 1);
      assert.match(stderr, /^DSL test failed: failed to parse TOML DSL: missing field `schema`\n {2}a\.toml:3:/);
    });
  });

  it('writes the artifact and the report that MoFA writes', async () => {
    const two = TOOL + TOOL.replace('"add"', '"find"');
    const text = `${HEAD}${two}${call('find', 'content = "Let me see."\n')}${call('add')}${SAY}[assert]\ntool_called = "add"\ncontains = "gone"`;
    await inCase(text, async (project) => {
      const flags = ['--artifact-out', 'x.json', '--report-out', 'r.json'];
      assert.equal((await tapedeck(project, 'test-dsl', 'a.toml', ...flags)).code, 1);
      const { agent, session_id, session_snapshot, workspace_after, assertions, llm_request } = (await project.json(
        'x.json',
      )) as never as {
        agent: { name: string };
        session_id: string;
        session_snapshot: unknown;
        workspace_after: { files: { relative_path: string }[] };
        assertions: { actual: unknown }[];
        llm_request: { messages: { content: string }[] };
      };
      assert.equal(agent.name, 'LLMExecutor');
      assert.deepEqual(session_snapshot, {
        messages: [
          { role: 'user', content: 'p' },
          { role: 'assistant', content: 'done' },
        ],
      });
      assert.deepEqual(
        workspace_after.files.map(({ relative_path }) => relative_path),
        [`sessions/${session_id}.jsonl`],
      );
      assert.deepEqual(
        assertions.map(({ actual }) => actual),
        ['done', ['add', 'find']],
      );
      assert.equal(llm_request.messages[2]?.content, 'Let me see.');
      assert.match(llm_request.messages[0]?.content ?? '', /## Current Time\n.*\n\n## Workspace\n/);
      const report = await project.read('r.json');
      assert.match(report, /\n {4}"pass_rate": 0\.0\n/);
      assert.match(report, /"error": "assertion failed: contains"/);
      assert.match(report, /"tool_calls": "2"/);
    });
  });

  it('ignores what MoFA does not know', async () => {
    const own = `${HEAD}${SAY}[agent]\nmax_iterations = 0\ncommand = ["false"]\n[assert]\nnot_contains = "done"\nmax_ms = "x"`;
    await inCase(own, async (project) => assert.equal((await tapedeck(project, 'test-dsl', 'a.toml')).code, 0));
  });

  const TAPE = '{"version":1,"case_name":"n","interactions":[{"response":"ok"}]}';
  const REFUSED: readonly (readonly [string, string | Uint8Array])[] = [
    ['a byte order mark', `\uFEFF${TAPE}`],
    ['what is not UTF-8', Buffer.from(TAPE.replace('ok', '\u00e9'), 'latin1')],
    ['half a surrogate pair', TAPE.replace('ok', '\\ud83d')],
    ['the other half', TAPE.replace('ok', '\\ude00 \\ud83d\\ude00')],
    ['a field twice', TAPE.replace('{"version":1', '{"version":1,"version":1')],
    ['more than 127 levels', TAPE.replace('"response"', `"x":${'['.repeat(127)}${']'.repeat(127)},"response"`)],
    ['a float as version', TAPE.replace('1', '1.0')],
  ];
  for (const [what, tape] of REFUSED)
    it(`refuses a tape with ${what}`, async () => {
      await inProject({ 'a.toml': `${HEAD}[llm]\ntape = "t.json"`, 't.json': '' }, async (project) => {
        await project.write('t.json', tape as string);
        const { code, stderr } = await tapedeck(project, 'test-dsl', 'a.toml');
        assert.equal(code, 1);
        assert.match(stderr, /^DSL test failed: replay error: failed to (?:parse tape JSON|read tape file): /);
      });
    });

  it('refuses a baseline whose fields have other types, and says where', async () => {
    await inCase(`${HEAD}${SAY}`, async (project) => {
      await tapedeck(project, 'test-dsl', 'a.toml', '--baseline-out', 'b.json');
      const baseline = await project.read('b.json');
      for (const [right, wrong] of [
        ['"name": "LLMExecutor"', '"name": 7'],
        ['"duration_ms": ', '"duration_ms": -1'],
        ['"status": "passed"', '"status": "passed", "status": "passed"'],
      ] as const) {
        await project.write('b.json', baseline.replace(right, wrong));
        const { code, stderr } = await tapedeck(project, 'test-dsl', 'a.toml', '--baseline-in', 'b.json');
        assert.equal(code, 1, wrong);
        assert.match(stderr, /^failed to read the baseline: it is not an artifact: .*\n {2}b\.json:\d+:\d+\n/);
      }
    });
  });
});

describe('a recording by test-dsl, as MoFA makes it', function () {
  this.timeout(60_000);

  const recorded = (address: string, tape = 'r.tape.json') =>
    `${HEAD}[llm]\nrecord_tape = "${tape}"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${address}"\n`;
  const SAID = '{"choices":[{"message":{"role":"assistant","content":"Three."}}]';

  async function against(
    status: number,
    body: string,
    test: (address: string, paths: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const paths: string[] = [];
    const server = await serve((response, { url }) => {
      paths.push(url);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    try {
      await test(server.baseUrl.replace(/\/v1$/, ''), paths);
    } finally {
      await server.close();
    }
  }

  it('asks a provider that fails once, and ends with 0', async () => {
    await against(500, 'down', async (address, paths) => {
      await inCase(recorded(`${address}/v1`), async (project) => {
        const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', 'a.toml');
        assert.deepEqual([code, paths.length], [0, 1]);
        assert.match(stdout, /status: failed/);
        assert.match(
          stderr,
          /^the run failed: Agent execution failed: provider returned 500 Internal Server Error: down\n/,
        );
        assert.equal(project.has('r.tape.json'), false);
      });
    });
  });

  it('refuses a response with a part of the usage', async () => {
    await against(200, `${SAID},"usage":{"prompt_tokens":1}}`, async (address) => {
      await inCase(recorded(`${address}/v1`), async (project) => {
        const { stderr } = await tapedeck(project, 'test-dsl', 'a.toml');
        assert.match(stderr, /^the run failed: Serialization error: error decoding response body\n/);
      });
    });
  });

  it('takes a base_url that ends in /completions as it is', async () => {
    await against(200, `${SAID}}`, async (address, paths) => {
      await inCase(recorded(`${address}/v1/completions`), async (project) => {
        assert.equal((await tapedeck(project, 'test-dsl', 'a.toml')).code, 0);
        assert.deepEqual(paths, ['/v1/completions']);
      });
    });
  });

  it('records beside the folder of a case that is named from elsewhere, and run replays it', async () => {
    await against(200, `${SAID}}`, async (address) => {
      const files = {
        'cases/a.toml': recorded(`${address}/v1`, '../fixtures/r.tape.json'),
        'fixtures/x': '',
        'else/x': '',
      };
      await inProject(files, async (project) => {
        const { code, stderr } = await tapedeck(
          { root: project.path('else') },
          'test-dsl',
          project.path('cases/a.toml'),
        );
        assert.deepEqual([code, stderr], [0, '']);
        const tape = await project.json('fixtures/r.tape.json');
        assert.match(JSON.stringify(tape), /## Workspace/);
        const replayed = await tapedeck(project, 'run', 'cases/a.toml', '--reporter', 'json');
        assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
        assert.match(replayed.stdout, /"exact"/);
      });
    });
  });
});
