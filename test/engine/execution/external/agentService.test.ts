import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../../../src/engine/network/debugPort';
import { buildEngine, inProject } from '../../../harness/builtEngine';
import { tapedeck } from '../../../harness/inProcess';
import { completion, type Handler, sendJson, serve, type TestServer } from '../../../harness/support';

const PROMPT = 'How is the weather in Berlin?';

const caseOf = (url: string, agent = '') => `name = "weather"
prompt = ${JSON.stringify(PROMPT)}
[agent]
url = "${url}"
${agent}
[llm]
tape = "weather.tape.jsonl"
[assert]
contains = "21"
`;

/** The user's agent as a service: asks the model at `base`, or where each request says that it is. */
function agentService(base?: string): Promise<TestServer> {
  return serve((response, { body }) => {
    const { prompt, variables } = JSON.parse(body) as { prompt: string; variables: Record<string, string> };
    const model = `${base ?? variables.OPENAI_BASE_URL}/chat/completions`;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] }),
    };
    const answer = async () => {
      const said = (await (await fetch(model, init)).json()) as {
        choices?: { message: { content: string } }[];
        error?: { message: string };
      };
      const text = said.choices?.[0]?.message.content;
      if (text === undefined) sendJson(response, 500, { error: said.error?.message });
      else sendJson(response, 200, { result: { said: text } });
    };
    answer().catch((error) => sendJson(response, 500, { error: String(error) }));
  });
}

const model: Handler = (response) => sendJson(response, 200, completion('It is 21 °C.'));

describe('a case whose agent is a service', () => {
  before(buildEngine);

  /** Records the case, takes the model away, and replays it. */
  async function recordedAndReplayed(agent: TestServer, more = ''): Promise<void> {
    const upstream = await serve(model);
    const files = { 'weather.toml': caseOf(`http://${agent.host}/run`, `response_path = "result.said"\n${more}`) };
    await inProject({ ...files, 'tapedeck.toml': '' }, async (project) => {
      const env = { OPENAI_BASE_URL: upstream.baseUrl };
      const first = await project.engine(['run', 'weather.toml', '--record'], env);
      assert.equal(first.code, 0, first.stdout + first.stderr);
      assert.equal(upstream.requests.length, 1);
      await upstream.close();
      const { code, stdout } = await project.engine(['run', 'weather.toml', '--reporter', 'json'], env);
      assert.equal(code, 0, stdout);
      const [result] = (JSON.parse(stdout) as { results: { outputText: string; interactions: unknown[] }[] }).results;
      assert.equal(result?.outputText, 'It is 21 °C.');
      assert.equal(result?.interactions.length, 1);
      await project.write('weather.toml', (await project.read('weather.toml')).replace('in Berlin?', 'in Hamburg?'));
      const drifted = await tapedeck(project, 'run', 'weather.toml');
      assert.equal(drifted.code, 4, drifted.stdout);
      assert.match(drifted.stdout, /\[-Berlin-\]\{\+Hamburg\+\}/);
    });
  }

  it('is recorded and replayed where the service asks the model that each request names', async () => {
    const agent = await agentService();
    try {
      await recordedAndReplayed(agent);
      const { body, headers } = agent.requests[0] ?? assert.fail();
      assert.equal(headers['content-type'], 'application/json');
      const asked = JSON.parse(body) as { case: string; prompt: string; workspace: string };
      assert.deepEqual([asked.case, asked.prompt], ['weather', PROMPT]);
      assert.match(asked.workspace, /\S/);
    } finally {
      await agent.close();
    }
  });

  it('is recorded and replayed where the service was configured once with the address of its model', async () => {
    const port = await freePort();
    const agent = await agentService(`http://127.0.0.1:${port}/tape/openai`);
    try {
      await recordedAndReplayed(agent, `proxy_port = ${port}`);
    } finally {
      await agent.close();
    }
  });

  it('reports failures: an unreachable service, a failing one, a slow one, a port in use', async () => {
    const failing = await serve((response) => response.writeHead(503).end('the database is away'));
    const slow = await serve((response) => void wait(20_000).then(() => response.end('late')));
    const other = await serve((response) => sendJson(response, 200, { result: { said: '21' }, list: [{ id: 7 }] }));
    const text = await serve((response) => response.end('It is 21'));
    const port = await freePort();
    const files = {
      'tapedeck.toml': '',
      'elsewhere.toml': caseOf(`http://${other.host}/run`, 'response_path = "nope.x"'),
      'text.toml': caseOf(`http://${text.host}/run`, 'response_path = "said"'),
      'unreachable.toml': caseOf(`http://127.0.0.1:${port}/run`),
      'failing.toml': caseOf(`http://${failing.host}/run`),
      'slow.toml': caseOf(`http://${slow.host}/run`, 'timeout_ms = 200'),
      'taken.toml': caseOf(`http://${slow.host}/run`, `proxy_port = ${failing.host.split(':')[1]}`),
      'both.toml': caseOf(`http://${slow.host}/run`, 'command = ["node", "agent.mjs"]'),
      'address.toml': caseOf('run.sh'),
    };
    try {
      await inProject(files, async (project) => {
        const said = async (name: string) => {
          const { code, stdout, stderr } = await tapedeck(project, 'run', name, '--record');
          return `${code} ${stdout}${stderr}`;
        };
        assert.match(
          await said('unreachable.toml'),
          /^3 [\s\S]*cannot be reached: connect ECONNREFUSED[\s\S]*Start the service/,
        );
        assert.match(await said('failing.toml'), /responded with status 503[\s\S]*the database is away/);
        assert.match(
          await said('elsewhere.toml'),
          /^1 [\s\S]*responded with status 200\n +response_path `nope\.x` was not found: the response has result\.said, list\.0\.id\n/,
        );
        assert.match(await said('text.toml'), /^1 [\s\S]*response_path `said` was not found: the response is text/);
        assert.match(await said('slow.toml'), /took longer than 200 ms[\s\S]*Raise timeout_ms/);
        assert.match(await said('taken.toml'), /port \d+ is in use/);
        assert.match(await said('both.toml'), /^2 [\s\S]*both\.toml:4:7[\s\S]*a `command` or a `url`, not both/);
        assert.match(await said('address.toml'), /^2 [\s\S]*`url` is not an http\(s\) address/);
      });
    } finally {
      await Promise.all([failing, slow, other, text].map((server) => server.close()));
    }
  });
});
