import assert from 'node:assert/strict';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { withServe } from '../../harness/servedTape';
import { completion, type Handler, sendJson, serve } from '../../harness/support';

/** An agent in no more than the language has. */
const AGENT = `const [,, text = 'hello there', more] = process.argv;
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] });
const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY };
const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
console.log(answer.status, (await answer.text()).length > 0);
if (more) process.exit(Number(more));
if (!answer.ok) process.exit(9);
`;
const TAPE = 'tapes/agent.tape.jsonl';
const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

const answers: Handler = (response) => sendJson(response, 200, completion('fine'));

/** A project with an agent, and with a tape of it where that is wanted. */
async function withAgent(
  isRecorded: boolean,
  test: (project: TestProject, baseUrl: string) => Promise<void>,
): Promise<void> {
  const server = await serve(answers);
  try {
    await inProject({ 'agent.mjs': AGENT, 'tapedeck.toml': '' }, async (project) => {
      const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY };
      if (isRecorded)
        assert.equal((await project.engine(['exec', '--record', '--', 'node', 'agent.mjs'], env)).code, 0);
      await test(project, server.baseUrl);
    });
  } finally {
    await server.close();
  }
}

describe('tapedeck exec', () => {
  before(buildEngine);

  it('records an agent, without its key, and replays it without the network', async () => {
    await withAgent(true, async (project) => {
      const text = await project.read(TAPE);
      assert.match(text, /hello there/);
      assert.ok(!text.includes('sk-proj'));
      const { code, stdout, stderr } = await project.engine(['exec', '--', 'node', 'agent.mjs']);
      assert.deepEqual([code, stdout], [0, '200 true\n'], stderr);
      assert.match(stderr, /replay: 1 exact/);
    });
  });

  it('ends with 4 when a request drifted, and says how', async () => {
    await withAgent(true, async (project) => {
      const { code, stderr } = await project.engine(['exec', '--', 'node', 'agent.mjs', 'hello you']);
      assert.equal(code, 4);
      assert.match(stderr, /request 1: drifted\n.*differs from interaction 1 in one place/);
      assert.match(stderr, /--record/);
    });
  });

  it('ends with 5 for unused recordings where that is asked for, and with 1 when the agent failed', async () => {
    await withAgent(true, async (project) => {
      await project.write('idle.mjs', 'process.exit(0)');
      const exec = async (...args: string[]) => (await project.engine(['exec', '--tape', TAPE, ...args])).code;
      assert.equal(
        await exec('--', 'node', 'idle.mjs'),
        1,
        'an agent that asks for nothing may have gone past the tape',
      );
      assert.equal(await exec('--allow-none', '--', 'node', 'idle.mjs'), 0);
      assert.equal(await exec('--allow-none', '--fail-on-unused', '--', 'node', 'idle.mjs'), 5);
      assert.equal(await exec('--', 'node', 'agent.mjs', 'hello there', '7'), 1);
      assert.equal(await exec('--', 'no-such-program-anywhere'), 3);
      assert.equal(await exec('--replay', '--record', '--', 'node', 'agent.mjs'), 2);
      assert.equal(await exec(), 2);
    });
  });

  it('ends with 3 when the upstream cannot be reached', async () => {
    await withAgent(false, async (project) => {
      const args = ['exec', '--record', '--upstream', 'openai=http://127.0.0.1:9/v1', '--', 'node', 'agent.mjs'];
      const { code, stderr } = await project.engine(args);
      assert.equal(code, 3);
      assert.match(stderr, /openai at http:\/\/127\.0\.0\.1:9 cannot be reached/);
    });
  });

  it('keeps the tape when the agent of a recording fails', async () => {
    await withAgent(true, async (project, baseUrl) => {
      const before = await project.read(TAPE);
      const args = ['exec', '--record', '--tape', TAPE, '--', 'node', 'agent.mjs', 'other', '3'];
      const { code, stderr } = await project.engine(args, { OPENAI_BASE_URL: baseUrl });
      assert.equal(code, 1);
      assert.match(stderr, /the tape is unchanged: the run failed\. 1 recorded interaction kept/);
      assert.equal(await project.read(TAPE), before);
      const listed = await project.cli(['recover']);
      assert.match(listed.stdout, /1 interaction of a recording begun \S+, whose run failed/);
      assert.equal((await project.cli(['recover', '--save', TAPE])).code, 0);
      assert.match(await project.read(TAPE), /other/);
    });
  });

  it('records in CI only what the command line asks for', async () => {
    await withAgent(false, async (project, baseUrl) => {
      const env = { OPENAI_BASE_URL: baseUrl, CI: 'true', TAPEDECK_MODE: 'once' };
      const refused = await project.engine(['exec', '--', 'node', 'agent.mjs'], env);
      assert.equal(refused.code, 4, 'a replay without a tape');
      assert.match(refused.stderr, /tapes are not recorded in CI/);
      assert.ok(!project.has(TAPE));
      assert.equal((await project.engine(['exec', '--', 'node', 'agent.mjs'], { ...env, CI: '' })).code, 0);
      assert.ok(project.has(TAPE));
      for (const mode of ['auto', 'record', 'passthrough']) {
        const replayed = await project.engine(['exec', '--', 'node', 'agent.mjs', 'new'], {
          ...env,
          TAPEDECK_MODE: mode,
        });
        assert.equal(replayed.code, 4, `${mode} is a replay there`);
      }
    });
  });

  it('overwrites nothing that is no tape', async () => {
    await withAgent(false, async (project, baseUrl) => {
      await project.write('notes.md', '# Notes\n');
      const args = ['exec', '--record', '--tape', 'notes.md', '--', 'node', 'agent.mjs'];
      assert.equal((await project.engine(args, { OPENAI_BASE_URL: baseUrl })).code, 2);
      assert.equal(await project.read('notes.md'), '# Notes\n');
    });
  });
});

describe('a tape with requests whose responses were not kept', () => {
  before(buildEngine);

  const SENT = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello there' }] });
  const entry = (status: number, content: object, more: object = {}) => ({
    startedDateTime: '2025-01-01T00:00:00.000Z',
    time: 5,
    request: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: [],
      postData: { mimeType: 'application/json', text: SENT },
    },
    response: { status, headers: [], content, bodySize: -1, ...more },
  });
  const GOOD = entry(200, { mimeType: 'application/json', text: JSON.stringify(completion('fine')) });
  const LACKING = {
    'in a file': entry(200, { size: 223, mimeType: 'application/json', _file: 'a1b2c3.json' }),
    'left out': entry(200, { size: 223, mimeType: 'application/json' }),
    'with an unknown size': entry(200, { size: -1, mimeType: 'application/json' }),
    'of a failed request': entry(0, { size: 0, mimeType: 'x-unknown' }, { _error: 'net::ERR_ABORTED' }),
  };
  const har = (...entries: object[]) => JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries } });
  /** From this size on, what a replay needs is kept in a file of its own. */
  const LARGE = entry(200, { mimeType: 'text/plain', text: 'x'.repeat(300_000) });
  const other = { ...LARGE, request: { ...LARGE.request, url: 'https://api.openai.com/v1/models/x' } };
  /** What the agent is answered, and what is told of it. */
  const replay = async (project: TestProject, ...options: string[]) => {
    let status = 0;
    const { stderr } = await withServe(project, ['--tape', 'a.har', ...options], async (base) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${base}/openai/chat/completions`, { method: 'POST', headers, body: SENT });
      assert.ok((await answer.text()).length > 0);
      status = answer.status;
    });
    return { status, stderr };
  };

  for (const [what, lacking] of Object.entries(LACKING)) {
    it(`serves the next one in place of one ${what}, and none in place of the only one`, async () => {
      await inProject({ 'agent.mjs': AGENT, 'tapedeck.toml': '' }, async (project) => {
        for (const more of [[], [other]]) {
          await project.write('a.har', har(...more, lacking, GOOD));
          for (const _ of ['reads the tape', 'reads what was kept of it']) {
            const { status, stderr } = await replay(project);
            assert.equal(status, 200, stderr);
            assert.match(stderr, /replay: 1 exact\n/);
          }
          await project.write('a.har', har(...more, lacking));
          for (const _ of ['reads the tape', 'reads what was kept of it']) {
            const { status, stderr } = await replay(project);
            assert.equal(status, 400, stderr);
            assert.match(
              stderr,
              /request 1, \S+: missing\na\.har has this request as interaction \d, which is not replayed: the /,
            );
            assert.match(stderr, /replay: 1 missing\n/);
          }
        }
        const isFailed = what === 'of a failed request';
        const verified = await project.cli(['verify', 'a.har']);
        assert.equal(verified.code, isFailed ? 0 : 1, verified.stdout);
        assert.match(verified.stdout, /a\.har:1:\d+: (?:error|info): interaction 2 is not replayed: the /);
        await project.write('a.har', har(lacking));
        const server = await serve(answers);
        const recorded = await project.engine(['exec', '--auto', '--tape', 'a.har', '--', 'node', 'agent.mjs'], {
          OPENAI_BASE_URL: server.baseUrl,
        });
        await server.close();
        assert.equal(recorded.code, 0, recorded.stderr);
        const [kept, added] = JSON.parse(await project.read('a.har')).log.entries;
        assert.deepEqual([kept, added.response.status], [lacking, 200], 'it stays as it is');
        await project.write('a.har', har(lacking, GOOD));
        assert.equal(
          (await project.engine(['exec', '--tape', 'a.har', '--fail-on-unused', '--', 'node', 'agent.mjs'])).code,
          0,
          'it cannot be used',
        );
        const converted = await project.cli(['convert', 'a.har', 'a.yaml', '--to', 'vcrpy']);
        assert.equal(converted.code, isFailed ? 0 : 2);
        assert.match(
          converted.stderr,
          isFailed ? /1 of 2 interactions cannot be written/ : /interaction 1 is not replayed/,
        );
      });
    });
  }
});
