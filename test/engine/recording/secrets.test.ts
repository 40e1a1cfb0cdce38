import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact } from '../../../src/core/model/artifact';
import type { RunResult } from '../../../src/core/model/run';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { inWords } from '../../../src/core/text/notice';
import { callTool } from '../../../src/engine/agentTools/callTool';
import { type RunCaseOptions, runCase } from '../../../src/engine/cases/runCase';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { createRecorders } from '../../../src/engine/recording/openRecorder';
import { Recorder } from '../../../src/engine/recording/recorder';
import { createApi } from '../../../src/engine/rpc/api';
import { recordTakes } from '../../../src/engine/stability/recordTakes';
import { artifactOf } from '../../core/cases/artifacts';
import { recordingWith } from '../../harness/network';
import { noDebugger } from '../../harness/noDebugger';
import { completion, type Handler, inFolder, NEVER, RECORDERS, sendJson, serve } from '../../harness/support';

const KEY = 'key-of-the-provider-Zx81Qp40';
const OTHER_KEY = 'another-service-9fK2mQ7vB1xR';
const GITHUB = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
const CUSTOMER = 'CUST-20417733';
const SECRETS = [KEY, OTHER_KEY, GITHUB, CUSTOMER];

const PATTERNS = '[redact]\npatterns = ["CUST-\\\\d+"]\n';

function caseText(baseUrl: string, more = ''): string {
  return `name = "c"
prompt = "Look up ${CUSTOMER} with ${GITHUB}"
[llm]
tape = "c.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
${more}`;
}

interface Project {
  readonly root: string;
  readonly casePath: string;
  readonly told: string[];
  run(options: Partial<RunCaseOptions> & Pick<RunCaseOptions, 'mode'>): Promise<RunResult>;
}

/** A project with one case, whose provider is `handler`, and two keys in the environment. */
async function inProject(
  handler: Handler,
  test: (project: Project) => Promise<void>,
  { more = '', config = PATTERNS, key = KEY }: { more?: string; config?: string; key?: string } = {},
): Promise<void> {
  const server = await serve(handler);
  try {
    await inFolder(async (root) => {
      const casePath = join(root, 'c.toml');
      await writeFile(casePath, caseText(server.baseUrl, more));
      await writeFile(join(root, 'tapedeck.toml'), config);
      const told: string[] = [];
      const environment = { OPENAI_API_KEY: key, OTHER_API_KEY: OTHER_KEY };
      const run: Project['run'] = (options) =>
        runCase(casePath, {
          root,
          permitStart: startedByUser,
          signal: NEVER,
          recorders: createRecorders(environment),
          network: recordingWith(environment),
          onInteraction: (_, summary) => told.push(summary),
          onNotice: (notice) => told.push(inWords(notice)),
          ...options,
        });
      await test({ root, casePath, told, run });
    });
  } finally {
    await server.close();
  }
}

const ECHO = `You sent ${KEY}; also try ${OTHER_KEY} and ${GITHUB} for ${CUSTOMER}.`;

/** What the test itself wrote, and what hides the rest from git. */
const NOT_RECORDED = ['c.toml', 'tapedeck.toml', join('.tapedeck', '.gitignore')];

/** Everything else on the disk below a folder. */
async function written(root: string): Promise<string> {
  const texts = (await readdir(root, { recursive: true })).map(async (name) => {
    const path = join(root, name);
    if (NOT_RECORDED.includes(name) || !(await stat(path)).isFile()) return '';
    return readFile(path, 'utf8');
  });
  return (await Promise.all(texts)).join('\n');
}

function assertNone(text: string, where: string): void {
  for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} is in ${where}`);
}

describe('a recording by the built-in agent', () => {
  it('hides a secret that comes into an artifact after the artifact was searched', () => {
    const recorder = new Recorder({ environments: [{ OTHER_API_KEY: OTHER_KEY }], keys: {}, patterns: [] });
    const written = (artifact: Artifact): string => `${recorder.artifact(artifact).bytes}`;
    const searched = recorder.hiddenArtifact(artifactOf({ output_text: OTHER_KEY }));
    assert.equal(written(searched), written(artifactOf({ output_text: OTHER_KEY })));
    const changed = { ...searched, case_name: GITHUB, runner_error: OTHER_KEY };
    for (const text of [written(searched), written(changed)])
      for (const secret of SECRETS) assert.ok(!text.includes(secret));
  });

  it('hides what shapes, patterns, and all values of the environment tell: in tape, artifact, baseline, and result', async () => {
    await inProject(
      (response) => sendJson(response, 200, completion(ECHO)),
      async ({ root, told, run }) => {
        const result = await run({ mode: 'record', updateBaseline: true });
        assert.equal(result.status, 'passed', JSON.stringify(result.failures));
        assert.match(await readFile(join(root, 'c.tape.json'), 'utf8'), /You sent \[redacted/);
        assertNone(await written(root), 'a file');
        assertNone(JSON.stringify(result), 'the result');
        assertNone(told.join('\n'), 'what is told while it runs');
        assert.match(told.join('\n'), /responds: You sent \[redacted/);
      },
    );
  });

  it('hides them in arguments of tools, in a stream, and in the take that it replaces', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'login', arguments: JSON.stringify({ with: ECHO }) } };
    const more = '[[tools]]\nname = "login"\ndescription = "Logs in."\nschema = { type = "object" }\nresult = "ok"\n';
    await inProject(
      (response, _, count) => {
        const message = count % 2 === 1 ? { role: 'assistant', content: null, tool_calls: [call] } : undefined;
        sendJson(response, 200, message ? { choices: [{ index: 0, message }] } : completion(ECHO));
      },
      async ({ root, run }) => {
        for (const mode of ['record', 'record', 'replay'] as const) {
          const result = await run({ mode });
          assert.equal(result.status, 'passed', JSON.stringify(result.failures));
          assertNone(JSON.stringify(result), 'the result');
        }
        assertNone(await written(root), 'a file');
        assert.match(await written(root), /login/);
      },
      { more },
    );
  });

  it('hides them when it goes on from an interaction, and leaves the kept ones as they are', async () => {
    await inProject(
      (response) => sendJson(response, 200, completion(ECHO)),
      async ({ root, run }) => {
        await run({ mode: 'record' });
        const result = await run({ mode: 'record', from: 0 });
        assert.equal(result.status, 'passed', JSON.stringify(result.failures));
        assertNone(await written(root), 'a file');
      },
    );
  });

  it('hides them in what a model of the editor responds', async () => {
    await inProject(
      () => assert.fail('no request'),
      async ({ root, casePath, run }) => {
        await writeFile(
          casePath,
          `name = "c"\nprompt = "p"\n[llm]\ntape = "c.tape.json"\n[llm.provider]\nkind = "vscode_lm"\n`,
        );
        const result = await run({ mode: 'record', askEditor: async () => ({ content: ECHO, toolCalls: [] }) });
        assert.equal(result.status, 'passed', JSON.stringify(result.failures));
        assertNone((await written(root)) + JSON.stringify(result), 'a file or the result');
      },
    );
  });

  it('hides them in the errors of a provider, and before these are cut', async () => {
    const long = `${'x '.repeat(95)}${KEY} is refused, like ${CUSTOMER}`;
    await inProject(
      (response) => sendJson(response, 401, { error: { message: long } }),
      async ({ root, told, run }) => {
        const result = await run({ mode: 'record' });
        assert.equal(result.status, 'failed');
        const all = JSON.stringify(result) + told.join('\n') + (await written(root));
        assertNone(all, 'an error');
        assert.ok(!all.includes(KEY.slice(0, 12)), 'not even a part of it is told');
      },
    );
  });

  it('compares as equal with what was recorded under another key', async () => {
    let key = KEY;
    const handler: Handler = (response) => sendJson(response, 200, completion(`Your key is ${key}.`));
    await inProject(handler, async ({ run }) => {
      await run({ mode: 'record', updateBaseline: true });
      key = 'the-next-key-of-it-7Hq2Lw93Zt';
      const environment = { OPENAI_API_KEY: key };
      const later = { recorders: createRecorders(environment), env: () => key };
      for (const mode of ['replay', 'record'] as const) {
        const result = await run({ mode, ...later });
        assert.deepEqual([result.status, result.failures], ['passed', []], mode);
        assert.match(result.compared, /Matches baseline/);
      }
    });
  });

  it('still finds the recording of a request that has a secret, by exact matching', async () => {
    await inProject(
      (response) => sendJson(response, 200, completion('ok')),
      async ({ run }) => {
        await run({ mode: 'record' });
        const result = await run({ mode: 'replay' });
        assert.deepEqual([result.status, result.failures], ['passed', []]);
        assert.match(result.compared, /1 of 1 request exact/);
      },
      { more: '[llm.replay]\nmatch = "exact"\n' },
    );
  });

  it('writes nothing of a run where it is not known what to hide', async () => {
    await inProject(
      (response) => sendJson(response, 200, completion(ECHO)),
      async ({ root, run }) => {
        const result = await run({ mode: 'record' });
        assert.equal(result.status, 'failed');
        assert.match(result.failures[0]?.message ?? '', /tapedeck\.toml:2:/);
        const { failures, sources, compared } = JSON.parse(await written(root)) as Record<string, unknown>;
        assert.deepEqual([failures, sources], [result.failures, []]);
        assert.equal(compared, 'Nothing checked: the case did not finish');
      },
      { config: '[redact]\npatterns = ["("]\n' },
    );
  });

  it('hides them in takes that are recorded to compare them', async () => {
    await inProject(
      (response) => sendJson(response, 200, completion(ECHO)),
      async ({ root, casePath }) => {
        const environment = { OPENAI_API_KEY: KEY, OTHER_API_KEY: OTHER_KEY };
        const recorder = await createRecorders(environment)(root);
        const found = await recordTakes(casePath, {
          root,
          recorder,
          times: 2,
          signal: NEVER,
          network: recordingWith(environment),
        });
        assert.equal(found.takes.length, 2, JSON.stringify(found.failed));
        assertNone(await written(root), 'a take');
        assertNone(JSON.stringify(found.takes.map(({ artifact }) => artifact)), 'the artifact of a take');
      },
    );
  });
});

describe('the tools for coding agents', () => {
  it('tell a model no secret of a tape that another program recorded', async () => {
    await inFolder(async (root) => {
      await mkdir(join(root, 'cases'));
      await writeFile(join(root, 'tapedeck.toml'), PATTERNS);
      const messages = [{ role: 'user', content: `${GITHUB} ${CUSTOMER}`, toolCalls: [] }];
      const request = { model: 'm', messages, tools: [], params: {} };
      const response = { content: `It is ${GITHUB}`, toolCalls: [] };
      const tape = mofaFormat.serialise?.('t', [{ request, response }]) ?? '';
      assert.ok(tape.includes(GITHUB));
      await writeFile(join(root, 'cases/t.tape.json'), tape);
      const text = `name = "c"\nprompt = "Look up ${CUSTOMER}"\n[llm]\ntape = "t.tape.json"\n[assert]\ncontains = "nothing"\n`;
      await writeFile(join(root, 'cases/c.toml'), text);
      const calls: [string, unknown][] = [
        ['read_interaction', { tape: 'cases/t.tape.json', index: 0 }],
        ['replay_case', { case: 'cases/c.toml' }],
        ['explain_drift', { case: 'cases/c.toml' }],
        ['list_cases', {}],
        ['propose_acceptance', { case: 'cases/c.toml', reason: 'r' }],
      ];
      for (const [name, input] of calls) {
        const told = await callTool(name, input, root, NEVER).catch((error: Error) => error.message);
        assertNone(told, name);
        if (name !== 'propose_acceptance') assert.match(told, /redacted|cases\/c\.toml/, name);
      }
    });
  });
});

describe('the tools of the editor’s language models', () => {
  it('tell a model no key that the editor stores', async () => {
    await inFolder(async (root) => {
      const key = 'Zx9Tr4Vb6Ny8Kp3Wd5q7Lm2';
      const messages = [{ role: 'user', content: `It is ${key}.`, toolCalls: [] }];
      const request = { model: 'm', messages, tools: [], params: {} };
      const response = { content: 'yes', toolCalls: [] };
      await writeFile(join(root, 't.tape.json'), mofaFormat.serialise?.('t', [{ request, response }]) ?? '');
      const { api } = createApi(
        () => undefined,
        () => Promise.reject(new Error('no model')),
        noDebugger,
      );
      const call = { root, name: 'read_interaction', input: { tape: 't.tape.json', index: 0 } };
      assert.match(await api.callTool({ ...call, keys: {} }, NEVER), new RegExp(key));
      assert.doesNotMatch(await api.callTool({ ...call, keys: { MY_KEY: key } }, NEVER), new RegExp(key));
    });
  });
});

describe('a run without secrets', () => {
  it('is recorded as it is', async () => {
    await inProject(
      (response) => sendJson(response, 200, completion('The sea is wet, see https://example.com/a?b=c.')),
      async ({ root, casePath, run }) => {
        await writeFile(casePath, (await readFile(casePath, 'utf8')).replace(/prompt = .*/, 'prompt = "Tell me."'));
        await run({ mode: 'record' });
        const hidden = await readFile(join(root, 'c.tape.json'), 'utf8');
        await run({ mode: 'record', recorders: RECORDERS });
        assert.equal(await readFile(join(root, 'c.tape.json'), 'utf8'), hidden);
        assert.ok(!hidden.includes('redacted'));
      },
    );
  });
});
