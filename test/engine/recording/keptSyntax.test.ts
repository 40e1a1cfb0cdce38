import assert from 'node:assert/strict';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { withServe } from '../../harness/servedTape';
import { completion, sendJson, serve } from '../../harness/support';

const URL = 'https://api.openai.com/v1/chat/completions';
const ASKED = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
const SAID = JSON.stringify(completion('recorded'));
const HEADERS = { 'content-type': ['application/json'] };

/** Cassettes as vcrpy, Betamax, and VCR write them in JSON. */
const CASSETTES: Readonly<Record<string, string>> = {
  'vcrpy.json': `${JSON.stringify(
    {
      version: 1,
      interactions: [
        {
          request: { method: 'POST', uri: URL, body: ASKED, headers: HEADERS },
          response: { status: { code: 200, message: 'OK' }, headers: HEADERS, body: { string: SAID } },
        },
      ],
    },
    null,
    4,
  )}\n`,
  'betamax.json': JSON.stringify({
    http_interactions: [
      {
        request: { body: { encoding: 'utf-8', string: ASKED }, headers: HEADERS, method: 'POST', uri: URL },
        response: {
          body: { encoding: 'UTF-8', string: SAID },
          headers: HEADERS,
          status: { code: 200, message: 'OK' },
          url: URL,
        },
        recorded_at: '2026-01-01T00:00:00',
      },
    ],
    recorded_with: 'betamax/0.9.0',
  }),
  'vcr.json': JSON.stringify(
    {
      http_interactions: [
        {
          request: { method: 'post', uri: URL, body: { encoding: 'UTF-8', string: ASKED }, headers: HEADERS },
          response: {
            status: { code: 200, message: 'OK' },
            headers: HEADERS,
            body: { encoding: 'UTF-8', string: SAID },
          },
          recorded_at: 'Thu, 01 Jan 2026 00:00:00 GMT',
        },
      ],
      recorded_with: 'VCR 6.2.0',
    },
    null,
    2,
  ),
};

describe('a cassette in JSON that is recorded', function () {
  this.timeout(120_000);
  let server: Awaited<ReturnType<typeof serve>>;

  before(async () => {
    server = await serve((response, { body }) => {
      if (!body.includes('picture')) return sendJson(response, 200, completion('fresh'));
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0, 255, 254]));
    });
  });
  after(() => server.close());

  const inCassettes = (test: (project: TestProject) => Promise<void>): Promise<void> =>
    inProject({ ...CASSETTES, 'tapedeck.toml': '' }, test);

  /** Asks for each of these through the tape. */
  const ask = (project: TestProject, path: string, mode: string, ...contents: readonly string[]) =>
    withServe(project, ['--tape', path, mode, '--upstream', `openai=${server.baseUrl}`], async (base) => {
      for (const content of contents) {
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${base}/openai/chat/completions`, { method: 'POST', headers, body });
        assert.ok(answer.ok, await answer.text());
      }
    });

  it('stays JSON in the layout that it has, whether it is added to or recorded anew', async () => {
    for (const path of Object.keys(CASSETTES)) {
      for (const mode of ['--auto', '--record']) {
        await inCassettes(async (project) => {
          const old = await project.read(path);
          const { code, stderr } = await ask(project, path, mode, 'hi', 'brand new');
          assert.equal(code, 0, stderr);
          const text = await project.read(path);
          const document = JSON.parse(text);
          const { interactions, http_interactions: entries = interactions, recorded_with: recorder } = document;
          assert.equal(entries.length, 2);
          assert.equal(JSON.stringify(document, null, indentOf(old)), text.trimEnd());
          assert.equal(text.endsWith('\n'), old.endsWith('\n'));
          const before = JSON.parse(old).recorded_with;
          const wrote = mode === '--auto' ? before : before?.replace('6.2.0', '6.4.0').replace(/\/.*/, '');
          assert.ok(wrote === undefined ? recorder === undefined : recorder.startsWith(wrote), recorder);
          if (path === 'betamax.json') assert.ok(entries.every((one: { response: object }) => 'url' in one.response));
          assert.equal((await ask(project, path, '--replay', 'hi', 'brand new')).code, 0, 'it replays');
          assert.equal((await tapedeck(project, 'verify', path)).code, 0);
        });
      }
    }
  });

  it('stays as it is where bytes come that it cannot hold', async () => {
    await inCassettes(async (project) => {
      const { code, stderr } = await ask(project, 'vcrpy.json', '--auto', 'picture');
      assert.notEqual(code, 0);
      assert.match(stderr, /vcrpy\.json .*cannot hold .*binary bodies of responses/, 'before the first request');
      assert.match(stderr, /vcrpy\.json was not written: 1 recorded interaction does not fit into its format/);
      assert.equal(await project.read('vcrpy.json'), CASSETTES['vcrpy.json']);
      assert.equal((await ask(project, 'betamax.json', '--auto', 'picture')).code, 0);
      assert.match(await project.read('betamax.json'), /"base64_string":"AP\/\+"/);
    });
  });

  it('is converted to the syntax that the new name asks for', async () => {
    await inCassettes(async (project) => {
      const convert = async (...args: readonly string[]): Promise<string> => {
        const { code, stderr } = await tapedeck(project, 'convert', ...args);
        assert.equal(code, 0, stderr);
        return project.read(args[1] ?? '');
      };
      assert.match(await convert('vcr.json', 'a.json', '--to', 'vcrpy'), /^\{\n {4}"version": 1/);
      assert.match(await convert('vcr.json', 'a.yaml', '--to', 'vcrpy'), /^interactions:\n/);
      assert.match(await convert('a.yaml', 'b.json', '--to', 'vcrpy'), /^\{\n {4}"version": 1/);
      assert.match(await convert('b.json', 'c.yml', '--to', 'vcrpy'), /^interactions:\n/);
      assert.equal(await convert('c.yml', 'd.json'), await project.read('c.yml'), 'without --to, a copy');
      assert.match(await convert('a.json', 'e.json', '--to', 'ruby-vcr'), /^\{\n {2}"http_interactions"/);
      assert.match(await convert('a.json', 'e.yaml', '--to', 'ruby-vcr'), /^---\nhttp_interactions/);
    });
  });
});

function indentOf(text: string): number {
  return /^\{\n( +)/.exec(text)?.[1]?.length ?? 0;
}
