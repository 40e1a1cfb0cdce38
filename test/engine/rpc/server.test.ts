import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import {
  type ChatParams,
  type EditorApi,
  engine,
  type RunEvent,
  type RunParams,
} from '../../../src/contracts/engine/engine';
import type { TrialEvent } from '../../../src/contracts/engine/trials';
import { encodeLine, LineSplitter } from '../../../src/contracts/rpc/ndjson';
import type { Channel } from '../../../src/contracts/rpc/rpc';
import type { RequestedMode } from '../../../src/core/model/run';
import {
  buildEngine,
  type Ended,
  ended,
  inProject,
  SLOW_CASE,
  scripted,
  startEngine,
  type TestProject,
  taped,
  tapeOf,
} from '../../harness/builtEngine';
import { callerOf, type NamedCaller } from '../../harness/contractEnds';
import { noDebugger } from '../../harness/noDebugger';
import { git, inRepository, NEW, OLD } from '../../harness/repository';
import { completion, sendJson, serve } from '../../harness/support';

/** The engine as the extension talks to it. */
class Client {
  readonly peer: NamedCaller<typeof engine>;
  /** What the engine has asked of the editor's models. */
  readonly asked: ChatParams[] = [];
  answer: EditorApi['chat'] = async () => ({ content: 'from the editor', toolCalls: [] });
  readonly events: RunEvent[] = [];
  /** Whatever the engine has sent. */
  readonly frames: unknown[] = [];
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.process = startEngine(['rpc'], { env });
    this.ended = ended(this.process);
    const lines = new LineSplitter();
    const channel: Channel = {
      send: (message) => void this.process.stdin.write(encodeLine(message)),
      onMessage: (listener) => {
        // Whatever is on stdout has to be a frame: a line that is none fails the test here.
        this.process.stdout.on('data', (chunk: string) => {
          for (const line of lines.push(chunk)) {
            this.frames.push(JSON.parse(line));
            listener(this.frames.at(-1));
          }
        });
        return () => undefined;
      },
    };
    this.peer = callerOf(engine, channel, {
      chat: (params, signal) => {
        this.asked.push(params);
        return this.answer(params, signal);
      },
      ...noDebugger,
    });
    this.peer.on('run', (event) => this.events.push(event));
  }

  run({ root }: TestProject, cases: readonly string[], more: Partial<RunParams> = {}, signal?: AbortSignal) {
    const casePaths = cases.map((name) => `${root}/${name}`);
    const mode: RequestedMode = 'replay';
    const params = { runId: 'r1', root, casePaths, mode, keys: {}, ...more };
    return this.peer.call('run', params, signal ? { signal } : {});
  }

  /** Waits until an event is there. */
  async event(matches: (event: RunEvent) => boolean): Promise<void> {
    while (!this.events.some(matches)) await once(this.process.stdout, 'data');
  }

  async close(): Promise<Ended> {
    this.process.stdin.end();
    return this.ended;
  }
}

/** Runs the test with an engine, and sees it end by itself. */
async function withEngine(
  test: (client: Client) => Promise<void>,
  env?: Readonly<Record<string, string>>,
): Promise<Ended> {
  const client = new Client(env);
  try {
    await test(client);
    const end = await client.close();
    assert.equal(end.code, 0, end.stderr);
    return end;
  } finally {
    client.process.kill('SIGKILL');
  }
}

const workspacesOf = async (pid: number | undefined): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`tapedeck-${pid}-`));

describe('the engine over stdio', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('says hello, and ends when its stdin does', async () => {
    const { stderr } = await withEngine(async ({ peer }) => {
      const { protocol, version } = await peer.call('hello', undefined);
      assert.equal(protocol, 1);
      assert.match(version, /^\d+\.\d+\.\d+/);
    });
    assert.equal(stderr, '');
  });

  it('says in the language of the window what it stores in English, and leaves what an agent wrote', async () => {
    const agent = `["node", "-e", "console.error('status: failed'); process.exit(3)"]`;
    const files = {
      'own.toml': `name = "own"\nprompt = "p"\n[agent]\ncommand = ${agent}\n[llm]\ntape = "own.tape.jsonl"\n`,
      'own.tape.jsonl': '',
      'broken.toml': 'name = 3\nprompt = "p"\n',
      'gone.toml': taped('gone', 'no.json'),
    };
    await inProject(files, async (project) => {
      const inChinese = { TAPEDECK_LANG: 'zh-cn' };
      await withEngine(async (client) => {
        const results = await client.run(project, ['own.toml', 'broken.toml', 'gone.toml'], { mode: 'record' });
        const replayed = await client.run(project, ['gone.toml']);
        const finished = client.events.flatMap((event) => (event.type === 'finished' ? [event.result] : []));
        for (const { failures, compared } of [...results, ...replayed, ...finished]) {
          assert.notDeepEqual(failures, []);
          for (const { message } of failures) assert.match(message, /\p{Script=Han}/u);
          assert.match(compared, /\p{Script=Han}/u);
        }
        assert.equal(results[0]?.failures[0]?.fix, 'status: failed');
        for (const name of ['own', 'broken', 'gone']) {
          const stored = JSON.parse(await readFile(project.path(`.tapedeck/runs/${name}.result.json`), 'utf8'));
          assert.doesNotMatch(JSON.stringify(stored), /\p{Script=Han}/u);
        }
        const { peer } = client;
        const unknown = { root: project.root, session: 's', outcome: 'save' } as const;
        await assert.rejects(peer.call('closeSession', unknown), /\p{Script=Han}/u);
      }, inChinese);
    });
  });

  it('runs cases with an event for each step, and gives the results in the order of the cases', async () => {
    const files = { 'a.toml': scripted('a', ['hello']), 'b/b.toml': taped('b', 'no.json') };
    await inProject(files, async (project) => {
      await withEngine(async (client) => {
        const results = await client.run(project, ['a.toml', 'b/b.toml']);
        assert.deepEqual(
          results.map(({ name, status }) => [name, status]),
          [
            ['a', 'passed'],
            ['b', 'failed'],
          ],
        );
        assert.ok(client.events.every(({ runId }) => runId === 'r1'));
        const ofA = client.events.filter(({ casePath }) => casePath === project.path('a.toml'));
        assert.deepEqual(
          ofA.map(({ type }) => type),
          ['started', 'interaction', 'finished'],
        );
        assert.deepEqual(ofA.at(-1)?.type === 'finished' && ofA.at(-1), {
          runId: 'r1',
          type: 'finished',
          casePath: project.path('a.toml'),
          result: results[0],
        });
        assert.ok(project.has('.tapedeck/runs/a.artifact.json'));
      });
    });
  });

  it('accepts and rejects, and refuses a decision about an older run with the way out', async () => {
    await inProject({ 'a.toml': scripted('a', ['x']) }, async (project) => {
      await withEngine(async (client) => {
        await client.run(project, ['a.toml']);
        const { root } = project;
        const subject = { kind: 'run', path: 'a.toml' } as const;
        const review = await client.peer.call('review', { root, subject });
        assert.ok(review);
        const changes = review.changes.map(({ id }) => id);
        const params = { root, subject, verdict: 'accepted', changes, stamp: review.stamp } as const;
        assert.deepEqual(await client.peer.call('decide', { ...params, verdict: 'rejected' }), []);
        assert.equal(project.has('.tapedeck/reviews/a.json'), true);
        assert.deepEqual(await client.peer.call('decide', params), []);
        assert.equal(project.has('a.baseline.json'), true);
        assert.deepEqual(await client.peer.call('undo', params), [{ kind: 'run', path: 'a.toml' }]);
        assert.equal(project.has('a.baseline.json'), false);
        await client.run(project, ['a.toml']);
        await assert.rejects(client.peer.call('decide', params), {
          code: 'failed',
          message: 'a.toml has changed since this review. Review it again, then decide.',
        });
      });
    });
  });

  it('cancels a run: the results say so, the workspaces are gone, and the engine goes on', async () => {
    await inProject({ 'a.toml': SLOW_CASE, 'b.toml': scripted('b', ['x']) }, async (project) => {
      await withEngine(async (client) => {
        const abort = new AbortController();
        const running = client.run(project, ['a.toml'], {}, abort.signal);
        await client.event(({ type }) => type === 'interaction');
        abort.abort();
        assert.deepEqual(
          (await running).map(({ status }) => status),
          ['cancelled'],
        );
        assert.deepEqual(await workspacesOf(client.process.pid), []);
        assert.deepEqual(
          (await client.run(project, ['b.toml'])).map(({ status }) => status),
          ['passed'],
        );
      });
    });
  });

  it('dies with the window: what runs is cancelled and cleaned up', async () => {
    await inProject({ 'a.toml': SLOW_CASE }, async (project) => {
      let pid: number | undefined;
      const started = Date.now();
      await withEngine(async (client) => {
        pid = client.process.pid;
        client.run(project, ['a.toml']).catch(() => undefined);
        await client.event(({ type }) => type === 'interaction');
      });
      assert.ok(Date.now() - started < 15_000, 'it waited for the tool');
      assert.deepEqual(await workspacesOf(pid), []);
    });
  });

  it('refuses parameters that do not fit, unknown methods, and passes over junk', async () => {
    await withEngine(async (client) => {
      const call = client.peer.call.bind(client.peer) as (method: string, params: unknown) => Promise<unknown>;
      client.process.stdin.write('junk\n{"v":2,"id":1}\n[]\nnull\n{"v":1,"id":"x","method":"hello"}\n\u0000\n\n');
      await assert.rejects(call('run', { runId: 'r' }), { code: 'invalid-params' });
      await assert.rejects(call('run', { runId: 'r', root: '/', casePaths: [1], mode: 'replay', keys: {} }), {
        code: 'invalid-params',
      });
      await assert.rejects(call('hello', { surprise: true }), { code: 'invalid-params' });
      client.process.stdin.write('{"v":1,"id":1000,"method":"toString"}\n');
      assert.deepEqual(await call('run', { runId: 'r', root: '/', casePaths: [], mode: 'replay', keys: {} }), []);
      const error = { code: 'unknown-method', message: 'there is no method toString' };
      assert.deepEqual(client.frames.at(-2), { v: 1, id: 1000, error });
    });
  });

  it('makes a failure of a case that is outside the project or not there', async () => {
    await inProject({ 'in/a.toml': scripted('a', ['x']), 'b.toml': scripted('b', ['x']) }, async (project) => {
      await withEngine(async (client) => {
        const root = project.path('in');
        const results = await client.run(project, ['b.toml', 'in/no.toml'], { root });
        assert.deepEqual(
          results.map(({ failures }) => failures[0]?.kind),
          ['case', 'case'],
        );
        assert.match(results[0]?.failures[0]?.message ?? '', /b\.toml is outside the project/);
        assert.match(results[1]?.failures[0]?.message ?? '', /^no\.toml: there is no such file/);
      });
    });
  });

  it('makes a failure of an artifact that cannot be written', async () => {
    await inProject({ 'a.toml': scripted('a', ['x']), '.tapedeck': 'a file' }, async (project) => {
      await withEngine(async (client) => {
        const [result] = await client.run(project, ['a.toml']);
        assert.equal(result?.status, 'failed');
        assert.match(result?.failures[0]?.message ?? '', /\.tapedeck.*: /);
        assert.equal(result?.outputText, 'x', 'what is known is told');
      });
    });
  });

  it('takes keys with a run, prefers those of the environment, and writes them nowhere', async () => {
    const server = await serve((response, { headers }) =>
      sendJson(response, 401, { error: { message: `no: ${headers.authorization}` } }),
    );
    try {
      const text = `${taped('a', 't.json')}[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${server.baseUrl}"\napi_key_env = "THE_KEY"\n`;
      const files = { 'a.toml': text, 'b.toml': text.replace('THE_KEY', 'OTHER_KEY'), 't.json': tapeOf('a', ['x']) };
      await inProject(files, async (project) => {
        const keys = { THE_KEY: 'sk-secret-from-params', OTHER_KEY: 'sk-secret-not-wanted' };
        const { stdout, stderr } = await withEngine(
          async (client) => {
            const casePaths = ['a.toml', 'b.toml'].map((name) => project.path(name));
            const [refused] = await client.run(project, ['a.toml'], { mode: 'record', keys });
            assert.match(refused?.failures[0]?.message ?? '', /the value of THE_KEY would be sent to 127\.0\.0\.1/);
            const asked = { root: project.root, casePaths, storedKeys: Object.keys(keys) };
            const targets = await client.peer.call('recordingTargets', asked);
            assert.deepEqual(
              targets.map(({ host, variable, known, confirmed, isSet, setBy }) => [
                ...[host, variable, known, confirmed, isSet, setBy],
              ]),
              [
                ['127.0.0.1', 'THE_KEY', false, false, true, 'the case'],
                ['127.0.0.1', 'OTHER_KEY', false, false, true, 'the case'],
              ],
            );
            await client.peer.call('confirmKeys', { root: project.root, targets });
            const again = await client.peer.call('recordingTargets', asked);
            assert.ok(again.every(({ confirmed }) => confirmed));
            for (const name of ['a.toml', 'b.toml']) await client.run(project, [name], { mode: 'record', keys });
          },
          { OTHER_KEY: 'sk-secret-of-environment' },
        );
        assert.deepEqual(
          server.requests.map(({ headers }) => headers.authorization),
          ['Bearer sk-secret-from-params', 'Bearer sk-secret-of-environment'],
        );
        const written = await project.read('.tapedeck/runs/a.artifact.json');
        for (const text of [stdout, stderr, written]) assert.equal(text.includes('sk-secret'), false);
      });
    } finally {
      await server.close();
    }
  });

  it("gives a stored key to the user's own agent in a recording, once its host is confirmed, and writes it nowhere", async () => {
    const key = 'sk-stored-4Hq8Zt1VbN7xRw2LmK9pYc3D';
    const server = await serve((response) => sendJson(response, 200, completion('hello')));
    const agent = `fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'p' }] }) }).then(() => console.log('done'))`;
    const command = JSON.stringify([process.execPath, 'agent.cjs']);
    const files = {
      'tapedeck.toml': `[proxy.upstream]\nopenai = "${server.baseUrl}"\n`,
      'agent.cjs': agent,
      'own.toml': `name = "own"\nprompt = "p"\n[agent]\ncommand = ${command}\n[llm]\ntape = "own.tape.json"\n`,
    };
    try {
      await inProject(files, async (project) => {
        await withEngine(async (client) => {
          const asked = { root: project.root, casePaths: [project.path('own.toml')], storedKeys: ['OPENAI_API_KEY'] };
          const targets = await client.peer.call('recordingTargets', asked);
          const found = targets.find(({ variable }) => variable === 'OPENAI_API_KEY');
          assert.equal(found?.host, '127.0.0.1');
          await client.peer.call('confirmKeys', { root: project.root, targets });
          const [result] = await client.run(project, ['own.toml'], { mode: 'record', keys: { OPENAI_API_KEY: key } });
          assert.deepEqual(result?.failures, []);
        });
        assert.deepEqual(
          server.requests.map(({ headers }) => headers.authorization),
          [`Bearer ${key}`],
        );
        for (const path of ['own.tape.json', '.tapedeck/runs/own.artifact.json'])
          assert.equal((await project.read(path)).includes(key), false, path);
      });
    } finally {
      await server.close();
    }
  });

  it('answers again after a provider that was recorded', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('recorded')));
    try {
      const text = `${taped('a', 't.json')}[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${server.baseUrl}"\n`;
      await inProject({ 'a.toml': text }, async (project) => {
        await withEngine(async (client) => {
          const [recorded] = await client.run(project, ['a.toml'], { mode: 'record' });
          assert.equal(recorded?.recording?.interactions, 1);
          const [replayed] = await client.run(project, ['a.toml']);
          assert.equal(replayed?.outputText, 'recorded');
        });
      });
    } finally {
      await server.close();
    }
  });

  it("records from the editor's models, and says why when one refuses", async () => {
    const text = `${taped('a', 't.json')}[llm.provider]\nkind = "vscode_lm"\nmodel = "copilot/gpt-4o"\n`;
    await inProject({ 'a.toml': text }, async (project) => {
      await withEngine(async (client) => {
        const [recorded] = await client.run(project, ['a.toml'], { mode: 'record' });
        assert.equal(recorded?.outputText, 'from the editor');
        assert.equal(client.asked[0]?.model, 'copilot/gpt-4o');
        assert.equal(client.asked[0]?.messages.at(-1)?.content, 'hi');
        const tape = await project.read('t.json');
        assert.match(tape, /from the editor/);
        client.answer = async () => {
          throw new Error('Tapedeck was not allowed to ask GPT-4o');
        };
        const [refused] = await client.run(project, ['a.toml'], { mode: 'record' });
        assert.match(refused?.failures[0]?.message ?? '', /was not allowed to ask GPT-4o/);
        assert.equal(await project.read('t.json'), tape);
      });
      const { code, stdout } = await project.cli(['run', 'a.toml', '--record']);
      assert.equal(code, 1);
      assert.match(stdout, /which the command line does not have/);
    });
  });

  it('stages what is accepted, says what changed since a commit, and how stable a case is', async () => {
    const practice = 'name = "p"\nprompt = "hi"\n[llm]\ntape = "p.tape.json"\n[llm.provider]\nkind = "practice"\n';
    await inRepository({ 'a.tape.json': OLD, 'p.toml': practice }, async (project) => {
      await project.write('a.tape.json', NEW);
      await withEngine(async ({ peer, events }) => {
        const { root } = project;
        const none = { staged: [], pending: [{ path: 'a.tape.json', changes: 2 }] };
        assert.deepEqual(await peer.call('stage', { root }), none);
        await project.cli(['accept', 'a.tape.json']);
        assert.deepEqual(await peer.call('stage', { root }), { staged: ['a.tape.json'], pending: [] });
        git(project, 'commit', '-qm', 'second');
        assert.match(
          await peer.call('changesSince', { root, revision: 'HEAD~1..HEAD' }),
          /\| Response · tokens 10 → 12 in \| interaction 2 \|/,
        );
        await assert.rejects(
          peer.call('changesSince', { root, revision: '--output=x' }),
          /is not a revision\. Pass a branch/,
        );
        const params = { root, casePath: project.path('p.toml'), runId: 's', times: 2, keys: {} };
        const { takes, folder, varying, summary, snippets } = await peer.call('stability', params);
        assert.deepEqual([takes, folder], [2, '.tapedeck/stability/p']);
        assert.equal(varying[0]?.often, 'different in all 2 takes');
        assert.match(
          summary,
          /^p: \d things? (vary|varies) in 2 takes\. The report suggests rules that make the takes equal\.$/,
        );
        assert.equal(snippets[0]?.table, 'normalise');
        assert.deepEqual(
          events.map((event) => event.type === 'interaction' && event.summary),
          ['take 1 of 2', 'take 2 of 2'],
        );
      });
    });
  });

  it('tries models of the editor, tells each step, and adopts one', async () => {
    const text = `name = "p"\nprompt = "hi"\n[llm]\ntape = "p.tape.json"\n[llm.provider]\nkind = "vscode_lm"\nmodel = "own"\n`;
    await inProject({ 'tapedeck.toml': '', 'p.toml': text }, async ({ root }) => {
      await withEngine(async ({ peer, asked }) => {
        const steps: TrialEvent[] = [];
        peer.on('trial', (event) => steps.push(event));
        assert.equal(await peer.call('storedTrial', { root }), null);
        const params = { root, casePaths: [`${root}/p.toml`], models: ['vendor/a', 'b'], samples: 2 };
        const { samples, kept, notices } = await peer.call('trialPlan', params);
        assert.deepEqual([samples, kept, notices], [4, 0, ['1 case without a tape: not in the estimate.']]);
        const trial = await peer.call('trial', { ...params, trialId: 't1', keys: {} });
        assert.deepEqual(asked.map(({ model }) => model).sort(), ['b', 'b', 'vendor/a', 'vendor/a']);
        assert.deepEqual(await peer.call('storedTrial', { root }), trial);
        const finished = steps.filter(({ state }) => state === 'finished');
        assert.deepEqual(
          finished.map(({ trialId, casePath, verdict, done, of }) => [trialId, casePath, verdict, done, of]),
          [1, 2, 3, 4].map((done) => ['t1', 'p.toml', 'passed', done, 4]),
        );
        const { adopted } = await peer.call('adoptTrial', { root, model: 'vendor/a', casePaths: ['p.toml'] });
        assert.deepEqual(adopted, [{ casePath: 'p.toml', tapePath: 'p.tape.json', samples: [1], wroteModel: true }]);
      });
    });
  });
});
