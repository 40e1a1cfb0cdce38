import assert from 'node:assert/strict';
import { buildEngine, inProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { completion, sendJson, serve } from '../../harness/support';

const URL = 'https://api.openai.com/v1/chat/completions';
const ASKED = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
const SAID = JSON.stringify(completion('recorded'));

const VCRPY = `# recorded for ticket 17; do not re-record
interactions:
# first question
- request:
    body: '${ASKED}'
    headers:
      content-type: [application/json]
      x-custom: [keep me]
    method: post
    uri: ${URL}
  response:
    body:
      string: '${SAID}'
    headers:
      content-type: [application/json]
    status: {code: 200, message: OK}
  recorded_at: 2025-01-01
metadata: {owner: someone}
version: 1
`;

const GO = `---
version: 1
interactions:
- request:
    body: '${ASKED}'
    form: {}
    headers:
      Content-Type:
      - application/json
    url: ${URL}
    method: POST
  response:
    body: '${SAID}'
    headers:
      Content-Type:
      - application/json
    status: 200 OK
    code: 200
    duration: 1.5s
`;

const CHROME = JSON.stringify(
  {
    log: {
      version: '1.2',
      creator: { name: 'WebInspector', version: '537.36' },
      pages: [{ startedDateTime: '2025-01-01T00:00:00.000Z', id: 'page_1', title: 'x', pageTimings: {} }],
      entries: [
        {
          _initiator: { type: 'script' },
          pageref: 'page_1',
          startedDateTime: '2025-01-01T00:00:00.000Z',
          time: 5,
          request: {
            method: 'POST',
            url: URL,
            headers: [{ name: 'content-type', value: 'application/json' }],
            postData: { mimeType: 'application/json', text: ASKED },
          },
          response: {
            status: 200,
            headers: [{ name: 'content-type', value: 'application/json' }],
            content: { size: SAID.length, mimeType: 'application/json', text: SAID },
          },
          serverIPAddress: '192.0.2.4',
          timings: { send: 1, wait: 3, receive: 1, _blocked_queueing: 0.5 },
        },
      ],
    },
  },
  null,
  3,
);

const TAPES: Readonly<Record<string, string>> = {
  'vcrpy.yaml': VCRPY,
  'crlf.yaml': VCRPY.replaceAll('\n', '\r\n'),
  'go.yaml': GO,
  'chrome.har': CHROME,
};

const AGENT = `for (const content of process.argv.slice(2)) {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
  if (!answer.ok) process.exit(9);
}
`;

describe('exec --auto', function () {
  this.timeout(120_000);
  let server: Awaited<ReturnType<typeof serve>>;

  before(async function () {
    buildEngine.call(this);
    server = await serve((response) => sendJson(response, 200, completion('fresh')));
  });
  after(() => server.close());

  for (const [path, old] of Object.entries(TAPES))
    it(`adds to ${path}, and leaves what is in it`, async () => {
      await inProject({ [path]: old, 'agent.mjs': AGENT, 'tapedeck.toml': '' }, async (project) => {
        const exec = (...args: readonly string[]) =>
          project.engine(['exec', '--tape', path, '--upstream', `openai=${server.baseUrl}`, ...args]);
        const { code, stderr } = await exec('--auto', '--', 'node', 'agent.mjs', 'hi', 'brand new');
        assert.equal(code, 0, stderr);
        assert.match(stderr, /now has 2 interactions/);
        const text = await project.read(path);
        let same = 0;
        while (old[same] === text[same]) same += 1;
        assert.ok(text.endsWith(old.slice(same)), text);
        assert.equal((await exec('--replay', '--', 'node', 'agent.mjs', 'hi', 'brand new')).code, 0, 'it replays');
        const verified = await tapedeck(project, 'verify', path);
        assert.equal(verified.code, 0, verified.stdout);
      });
    });
});
