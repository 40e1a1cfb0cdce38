import assert from 'node:assert/strict';
import { buildEngine, inProject, type TestProject } from '../../../harness/builtEngine';
import { withServe } from '../../../harness/servedTape';
import { sendJson, serve, type TestServer } from '../../../harness/support';

/** An upstream whose responses name addresses of its own, as Anthropic's batches and Gemini's files do. */
function upstream(): Promise<TestServer> {
  return serve((response, { url, body, headers }) => {
    const own = `http://${headers.host}`;
    if (url === '/v1/messages/batches')
      return sendJson(response, 200, {
        id: 'b',
        results_url: `${own}/v1/messages/batches/b/results`,
        docs: 'https://docs.example/x',
      });
    if (url === '/v1/messages/batches/b/results')
      return sendJson(response, 200, { custom_id: 'a', text: 'the result' });
    if (url.startsWith('/upload/')) {
      response.setHeader('x-goog-upload-url', `${own}/resumable?id=7`);
      return sendJson(response, 200, {});
    }
    if (url === '/resumable?id=7') return sendJson(response, 200, { file: { uri: `${own}/v1beta/files/f` } });
    if (url === '/v1/moved') {
      response.setHeader('location', `${own}/v1/there`);
      return sendJson(response, 202, {});
    }
    // What a model says is not changed.
    return sendJson(response, 200, { content: [{ type: 'text', text: 'x' }], url: `${own}/v1/said`, got: body });
  });
}

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Sends everything that a client would, following the addresses that it is given, and returns what it saw. */
async function follow(base: string): Promise<readonly string[]> {
  const post = async (url: string, body: unknown = {}): Promise<Seen> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), redirect: 'manual' });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const led = (address: unknown): string => {
    assert.ok(String(address).startsWith(`${base}/`), `${address} leads past the proxy`);
    return String(address);
  };
  const batch = JSON.parse((await post(`${base}/anthropic/v1/messages/batches`)).text);
  assert.equal(batch.docs, 'https://docs.example/x');
  const results = await post(led(batch.results_url));
  const moved = await post(`${base}/anthropic/v1/moved`);
  led(moved.headers.get('location'));
  const begun = await post(`${base}/gemini/upload/v1beta/files`);
  const uploaded = JSON.parse((await post(led(begun.headers.get('x-goog-upload-url')))).text);
  const asked = await post(`${base}/gemini/v1beta/models/m:generateContent`, {
    contents: [{ role: 'user', parts: [{ fileData: { fileUri: led(uploaded.file.uri) } }] }],
  });
  const said = await post(`${base}/anthropic/v1/messages`, { model: 'm', messages: [] });
  return [results, moved, asked, said].map(({ status, text }) => `${status} ${text}`);
}

const serving = (project: TestProject, args: readonly string[], test: (base: string) => Promise<void>) =>
  withServe(project, ['--tape', 't.tape.jsonl', ...args], test);

describe('addresses in responses', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('lead back to the proxy, recorded as they are and in a replay, whatever its address', async () => {
    const server = await upstream();
    try {
      await inProject({ 'tapedeck.toml': '' }, async (project) => {
        const upstreams = ['anthropic', 'gemini'].flatMap((api) => ['--upstream', `${api}=http://${server.host}`]);
        let seen: readonly string[] = [];
        await serving(project, ['--record', ...upstreams], async (base) => {
          seen = await follow(base);
        });
        assert.equal(server.requests.length, 7);
        assert.match(seen[2] ?? '', /"got":.*fileUri\\":\\"http:\/\/127\.0\.0\.1:\d+\/v1beta\/files\/f/);
        const tape = await project.read('t.tape.jsonl');
        assert.ok(tape.includes(`http://${server.host}/v1/messages/batches/b/results`), 'as it was');
        assert.ok(!tape.includes('/anthropic/v1'), 'no address of the proxy');
        for (const args of [upstreams, []]) {
          const { stderr } = await serving(project, args, async (base) => {
            assert.deepEqual(await follow(base), seen);
          });
          assert.match(stderr, /replay: 7 exact/);
        }
        assert.equal(server.requests.length, 7);
      });
    } finally {
      await server.close();
    }
  });
});
