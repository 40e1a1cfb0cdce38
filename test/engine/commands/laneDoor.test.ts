import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { BegunLane } from '../../../src/engine/proxy/server/controlApi';
import type { LaneResult } from '../../../src/engine/proxy/session/laneResult';
import type { RecoverDocument } from '../../../src/engine/reporters/jsonDocuments';
import { buildEngine, ended, inProject, startEngine, type TestProject } from '../../harness/builtEngine';
import { completion, sendJson, serve } from '../../harness/support';

/** A server of lanes, as a test runner speaks to it. */
interface Lanes {
  readonly variables: Readonly<Record<string, string>>;
  put(lane: string, plan: object): Promise<BegunLane & { readonly status: number; readonly said: string }>;
  get(lane: string): Promise<LaneResult>;
  end(lane: string, outcome?: string): Promise<LaneResult & { readonly status: number; readonly said: string }>;
  /** Resolves with the status. */
  ask(base: string | undefined, text: string): Promise<number>;
}

async function withLanes(
  {
    project,
    mode,
    env,
  }: { readonly project: TestProject; readonly mode: string; readonly env: Record<string, string> },
  use: (lanes: Lanes) => Promise<void>,
): Promise<string> {
  const args = ['serve', '--tape', 'tapes/{lane}.tape.jsonl', mode, '--forward', '--attached', '--json'];
  const child = startEngine(args, { cwd: project.root, env });
  const end = ended(child);
  try {
    const [line] = (await Promise.race([
      once(child.stdout, 'data'),
      end.then(({ stderr }) => assert.fail(stderr)),
    ])) as [string];
    const variables = JSON.parse(line) as Record<string, string>;
    const call = async (method: string, lane: string, query = '', body?: string) => {
      const address = `${variables.TAPEDECK_PROXY}/~${encodeURIComponent(lane)}${query}`;
      const response = await fetch(address, { method, ...(body !== undefined && { body }) });
      const said = await response.text();
      return { status: response.status, said, ...JSON.parse(said) };
    };
    await use({
      variables,
      put: (lane, plan) => call('PUT', lane, '', JSON.stringify(plan)),
      get: (lane) => call('GET', lane),
      end: (lane, outcome = 'passed') => call('DELETE', lane, `?outcome=${outcome}`),
      ask: async (base, text) => {
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] });
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body });
        await response.text();
        return response.status;
      },
    });
  } finally {
    child.stdin.end();
  }
  return (await end).stderr;
}

async function withUpstream(
  test: (project: TestProject, env: Record<string, string>, requests: () => number) => Promise<void>,
): Promise<void> {
  const server = await serve((response, _, count) => sendJson(response, 200, completion(`answer ${count}`)));
  try {
    await inProject({ 'tapedeck.toml': '' }, (project) =>
      test(project, { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'k' }, () => server.requests.length),
    );
  } finally {
    await server.close();
  }
}

describe('the door for lanes', () => {
  before(buildEngine);

  const NAMES = ['test_x[1]', 'cart > adds / one', 'tests/a.py::test_b[ü/../x?y#z]', '100%', '..', 'a:b'];

  it('gives each test a tape of its choice, in any format, whatever it is called', () =>
    withUpstream(async (project, env, requests) => {
      await withLanes({ project, mode: '--auto', env }, async ({ put, end, ask }) => {
        for (const [index, name] of NAMES.entries()) {
          const tape = `tests/cassettes/t${index}.${index % 2 ? 'yaml' : 'tape.jsonl'}`;
          const { mode, variables } = await put(name, { tape, mode: 'once', test: name });
          assert.equal(mode, 'record');
          assert.equal(await ask(variables.OPENAI_BASE_URL, name), 200, name);
          const { recorded, verdicts } = await end(name);
          assert.deepEqual([recorded, verdicts], [1, { recorded: 1 }]);
        }
      });
      assert.match(await project.read('tests/cassettes/t1.yaml'), /^interactions:/m);
      const testOf = async (): Promise<unknown> =>
        JSON.parse((await project.read('tests/cassettes/t2.tape.jsonl')).split('\n')[0] ?? '').test;
      assert.equal(await testOf(), NAMES[2]);
      await withLanes({ project, mode: '--auto', env }, async ({ put, end, ask }) => {
        for (const mode of ['new', 'rewrite']) {
          const { variables } = await put('no test', { tape: 'tests/cassettes/t2.tape.jsonl', mode });
          for (const text of [NAMES[2] ?? '', mode]) await ask(variables.OPENAI_BASE_URL, text);
          await end('no test');
          assert.equal(await testOf(), NAMES[2], 'whoever records it again');
        }
      });
      const asked = requests();
      await withLanes({ project, mode: '--replay', env }, async ({ put, get, end, ask }) => {
        for (const [index, name] of NAMES.entries()) {
          const tape = `tests/cassettes/t${index}.${index % 2 ? 'yaml' : 'tape.jsonl'}`;
          const { mode, variables } = await put(name, { tape, mode: 'once' });
          assert.equal(mode, 'replay');
          assert.deepEqual((await get(name)).unused, []);
          assert.equal(await ask(variables.OPENAI_BASE_URL, name), 200, name);
          assert.deepEqual((await end(name)).verdicts, { exact: 1 });
        }
      });
      assert.equal(requests(), asked);
    }));

  it('says what a test did, in words and as data, and how its runner records again', () =>
    withUpstream(async (project, env) => {
      await withLanes({ project, mode: '--auto', env }, async ({ put, end, ask }) => {
        const { variables } = await put('a', { tape: 't.tape.jsonl', mode: 'rewrite', test: 'test_a' });
        for (const text of ['the capital of France', 'two']) await ask(variables.OPENAI_BASE_URL, text);
        await end('a');
      });
      await project.write('told.jsonl', '');
      const told = { ...env, TAPEDECK_RESULTS: project.path('told.jsonl') };
      await withLanes({ project, mode: '--replay', env: told }, async ({ put, get, end, ask }) => {
        const rerecord = 'Record it again: pytest --tapedeck=rewrite test_a';
        const plan = { tape: 't.tape.jsonl', mode: 'none', test: 'test_a', rerecord };
        const { variables } = await put('a', plan);
        assert.equal(await ask(variables.OPENAI_BASE_URL, 'the capital of Italy'), 400);
        const { failures, unused, verdicts } = await get('a');
        assert.deepEqual([unused, verdicts], [[1, 2], { drifted: 1 }]);
        const [failure] = failures;
        assert.equal(failure?.request, 1);
        assert.equal(failure?.line, 'user: France → Italy');
        assert.match(failure?.explanation ?? '', /Record it again: pytest --tapedeck=rewrite test_a$/);
        assert.doesNotMatch(failure?.explanation ?? '', /--record\b/);
        assert.equal((await end('a', 'failed')).requests, 1);
        // Again, from its beginning.
        const retried = await put('a', { ...plan, on_drift: 'warn' });
        assert.equal(await ask(retried.variables.OPENAI_BASE_URL, 'the capital of Italy'), 200);
        assert.deepEqual((await end('a')).failures, []);
        await put('b', { tape: 'none.tape.jsonl', mode: 'none' });
        assert.equal(await ask((await put('b', { tape: 'none.tape.jsonl' })).variables.OPENAI_BASE_URL, 'x'), 400);
        const missing = await end('b', 'failed');
        assert.match(missing.failures[0]?.explanation ?? '', /none\.tape\.jsonl does not exist/);
      });
      // The editor that has made the file is told where to look, and nothing of what was said.
      const lines = (await project.read('told.jsonl')).trim().split('\n');
      const tape = project.path('t.tape.jsonl');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        [
          { tape, failures: [{ nearest: 1 }] },
          { tape, failures: [] },
        ],
      );
    }));

  it('keeps what a test recorded that failed, or that nobody ended, and adds to a tape that tests share', () =>
    withUpstream(async (project, env) => {
      await withLanes({ project, mode: '--auto', env }, async ({ put, end, ask }) => {
        const record = async (lane: string, tape: string) => {
          const { mode, variables } = await put(lane, { tape, mode: 'rewrite' });
          assert.equal(await ask(variables.OPENAI_BASE_URL, lane), 200);
          return mode;
        };
        await record('a', 'shared.tape.jsonl');
        await end('a');
        assert.equal(await record('b', 'shared.tape.jsonl'), 'auto');
        await end('b');
        await record('c', 'c.tape.jsonl');
        await end('c', 'failed');
        await record('d', 'd.tape.jsonl');
      });
      assert.match(await project.read('shared.tape.jsonl'), /"a"[\s\S]*"b"/);
      assert.equal(project.has('c.tape.jsonl'), false);
      const { stdout } = await project.cli(['recover', '--json']);
      const kept = (JSON.parse(stdout) as RecoverDocument).recordings.map(({ tape }) => tape);
      assert.deepEqual(kept.sort(), ['c.tape.jsonl', 'd.tape.jsonl']);
    }));

  it('takes requests to any address, from clients that a runner leads here', () =>
    withUpstream(async (project, env, requests) => {
      const upstream = new URL(env.OPENAI_BASE_URL ?? '');
      const led = (base: string | undefined) => `${base}/~a/@/http/${upstream.host}/v1`;
      const plan = { tape: 'a.tape.jsonl', mode: 'once' };
      await withLanes({ project, mode: '--auto', env }, async ({ variables, put, end, ask }) => {
        await put('a', plan);
        assert.equal(await ask(led(variables.TAPEDECK_PROXY), 'by address'), 200);
        await end('a');
      });
      assert.match(await project.read('a.tape.jsonl'), new RegExp(`"http://${upstream.host}/v1/chat/completions"`));
      assert.equal(requests(), 1);
      await withLanes({ project, mode: '--replay', env }, async ({ variables, put, end, ask }) => {
        await put('a', plan);
        assert.equal(await ask(led(variables.TAPEDECK_PROXY), 'by address'), 200);
        assert.deepEqual((await end('a')).verdicts, { exact: 1 });
      });
      assert.equal(requests(), 1);
    }));

  it('refuses what it cannot do, with the reason', () =>
    withUpstream(async (project, env) => {
      await withLanes({ project, mode: '--replay', env }, async ({ put }) => {
        const refused = async (plan: object) => {
          const { status, said } = await put('a', plan);
          return `${status} ${(JSON.parse(said) as { error: { message: string } }).error.message}`;
        };
        assert.match(await refused({ mode: 'rewrite' }), /^409 .*only replays/);
        assert.match(await refused({ mode: 'sometimes' }), /^409 .*unknown mode: sometimes/);
        assert.match(await refused({ mask: ['dates'] }), /^409 .*unknown mask: dates/);
        assert.match(await refused({ tape: 1 }), /^409 .*tape/);
        assert.match(await refused(['x']), /^409 /);
      });
      assert.equal(project.has('tapes'), false);
    }));

  it('leads each lane by variables of its own, with stand-ins for keys where it replays', () =>
    withUpstream(async (project, env) => {
      await withLanes({ project, mode: '--auto', env }, async ({ variables, put }) => {
        const lane = 'tests/a.py::test_b[1]';
        const begun = await put(lane, { mode: 'none' });
        assert.equal(
          begun.variables.OPENAI_BASE_URL,
          `${variables.TAPEDECK_PROXY}/~${encodeURIComponent(lane)}/openai`,
        );
        assert.notEqual(begun.variables.OPENAI_API_KEY, undefined);
        assert.equal(begun.variables.TAPEDECK_PROXY, variables.TAPEDECK_PROXY);
        // A replay reaches nobody: clients read a short list of certificates for each of their connection pools.
        assert.notEqual(begun.variables.SSL_CERT_FILE, variables.SSL_CERT_FILE);
        const { username, password } = new URL(begun.variables.HTTPS_PROXY ?? '');
        assert.equal(decodeURIComponent(username), lane);
        assert.equal(password, new URL(variables.HTTPS_PROXY ?? '').password);
        assert.equal((await put('b', { mode: 'new' })).variables.OPENAI_API_KEY, undefined);
      });
    }));
});
