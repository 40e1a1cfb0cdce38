import assert from 'node:assert/strict';
import { buildEngine, inProject, type TestProject, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { completion, sendJson, serve } from '../../harness/support';

const ASKED = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const SAID = { choices: [{ index: 0, message: { role: 'assistant', content: 'recorded' }, finish_reason: 'stop' }] };
const URL = 'https://api.openai.com/v1/chat/completions';
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What other programs wrote, with names that a tape may have. */
const OTHERS: Readonly<Record<string, string>> = {
  'tapes/sent.json': json({
    version: 1,
    interactions: [
      {
        request: { method: 'POST', uri: URL, headers: {}, sent: ASKED },
        response: { status: 200, headers: {}, received: SAID },
      },
    ],
  }),
  'tapes/payload.yaml': `interactions:
- request:
    body: '${JSON.stringify(ASKED)}'
    headers: {}
    method: POST
    uri: ${URL}
  response:
    headers: {}
    payload: '${JSON.stringify(SAID)}'
    status: {code: 200, message: OK}
version: 1
`,
  'tapes/unknown.json': json({
    version: 1,
    recorded_by: 'some recorder',
    interactions: [
      {
        request: { method: 'POST', url: URL, headers: {}, body: { json: ASKED } },
        response: { status_code: 200, headers: {}, body: { json: SAID } },
      },
    ],
  }),
  'tapes/easyvcr.json': json([
    {
      duration: 12,
      request: { method: 'POST', uri: URL, headers: {}, body: JSON.stringify(ASKED) },
      response: { status: { code: 200 }, headers: {}, http_version: '1.1', body: JSON.stringify(SAID) },
    },
  ]),
};

const AGENT = `const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'something new' }] });
const headers = { 'content-type': 'application/json' };
await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
`;

const caseOf = (tape: string, baseUrl: string): string => `name = "c"
prompt = "hi"
[llm]
record_tape = "${tape}"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
model = "m"
`;

/** Says no word of restoring or recording again, which would not help. */
const REFUSED = /Tapedeck does not overwrite it: record to another file, or delete this one/;

describe('a tape of which a part was not read', function () {
  this.timeout(120_000);
  let server: Awaited<ReturnType<typeof serve>>;

  before(async function () {
    buildEngine.call(this);
    server = await serve((response) => sendJson(response, 200, completion('fresh')));
  });
  after(() => server.close());

  const inOthers = (test: (project: TestProject) => Promise<void>): Promise<void> =>
    inProject({ ...OTHERS, 'agent.mjs': AGENT, 'tapedeck.toml': '' }, test);

  async function isUntouched(project: TestProject, path: string): Promise<void> {
    assert.equal(await project.read(path), OTHERS[path], `${path} was changed`);
    assert.ok(!project.has('.tapedeck/takes'), 'a take was kept');
  }

  it('is not recorded over, nor added to, by an agent', async () => {
    await inOthers(async (project) => {
      for (const path of Object.keys(OTHERS)) {
        for (const mode of ['--auto', '--record']) {
          const args = ['exec', '--tape', path, mode, '--upstream', `openai=${server.baseUrl}`];
          const { code, stderr } = await project.engine([...args, '--', 'node', 'agent.mjs']);
          assert.deepEqual([code, REFUSED.test(stderr)], [2, true], `${path} ${mode}: ${stderr}`);
          await isUntouched(project, path);
        }
      }
      assert.equal(server.requests.length, 0, 'nothing was sent in vain');
    });
  });

  it('is not recorded over by a case', async () => {
    await inOthers(async (project) => {
      for (const path of Object.keys(OTHERS)) {
        await project.write('c.toml', caseOf(path, server.baseUrl));
        const ran = await tapedeck(project, 'run', 'c.toml', '--record');
        assert.notEqual(ran.code, 0, ran.stdout);
        assert.match(ran.stdout + ran.stderr, /record to another file, or delete this one/, path);
        await isUntouched(project, path);
        const { code, stderr } = await tapedeck(project, 'test-dsl', 'c.toml');
        assert.deepEqual([code === 0, REFUSED.test(stderr)], [false, true], stderr);
        await isUntouched(project, path);
      }
      assert.equal(server.requests.length, 0, 'nothing was sent in vain');
    });
  });

  it('is not converted, nor converted over', async () => {
    await inOthers(async (project) => {
      await project.write('own.tape.json', tapeOf('own', ['a']));
      for (const path of Object.keys(OTHERS)) {
        const away = await tapedeck(project, 'convert', path, 'out.tape.json', '--to', 'mofa');
        assert.deepEqual([away.code, project.has('out.tape.json')], [2, false], path);
        const over = await tapedeck(project, 'convert', 'own.tape.json', path, '--to', 'vcrpy', '--force');
        assert.deepEqual([over.code, REFUSED.test(over.stderr)], [2, true], over.stderr);
        await isUntouched(project, path);
      }
    });
  });

  it('is not replayed as if it were empty, and fails verify without the word of a truncation', async () => {
    await inOthers(async (project) => {
      for (const path of Object.keys(OTHERS)) {
        const { code, stderr } = await project.engine(['exec', '--tape', path, '--', 'node', 'agent.mjs']);
        assert.deepEqual([code, REFUSED.test(stderr)], [2, true], stderr);
        const verified = await tapedeck(project, 'verify', path);
        assert.deepEqual([verified.code, /truncated/.test(verified.stdout)], [1, false], verified.stdout);
        assert.match(verified.stdout, /error: .* \[not-read\]/);
      }
    });
  });

  it('may be restored to an earlier take, which is a way out', async () => {
    await inProject({ 'tapedeck.toml': '', 't.tape.json': tapeOf('old', ['a']) }, async (project) => {
      const whole = await project.read('t.tape.json');
      await project.write('c.toml', caseOf('t.tape.json', server.baseUrl));
      assert.equal((await tapedeck(project, 'run', 'c.toml', '--record')).code, 0);
      await project.write('t.tape.json', (await project.read('t.tape.json')).replace('"request"', '"asked"'));
      assert.equal((await tapedeck(project, 'verify', 't.tape.json')).code, 1);
      const { code, stdout, stderr } = await tapedeck(project, 'takes', 't.tape.json');
      assert.equal(code, 0, stderr);
      const [take] = /\S+\.json(?=\s)/.exec(stdout.replace('t.tape.json', '')) ?? [];
      assert.equal((await tapedeck(project, 'takes', 't.tape.json', '--restore', take ?? '')).code, 0, stdout);
      assert.equal(await project.read('t.tape.json'), whole);
    });
  });
});
