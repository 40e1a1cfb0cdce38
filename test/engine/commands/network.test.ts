import assert from 'node:assert/strict';
import { callTool } from '../../../src/engine/agentTools/callTool';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { completion, NEVER, sendJson, serve, type TestServer } from '../../harness/support';

const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const TOKEN = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';

/** A model that anybody may run, in a project with these files. */
async function withServer(
  files: (baseUrl: string) => Readonly<Record<string, string>>,
  test: (project: TestProject, server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await serve((response) => sendJson(response, 200, completion('from the network')));
  try {
    await inProject({ 'tapedeck.toml': '', ...files(server.baseUrl) }, (project) => test(project, server));
  } finally {
    await server.close();
  }
}

const TAPE = JSON.stringify({
  version: 1,
  case_name: 'c',
  interactions: [{ request: { messages: [{ role: 'user', content: 'another' }], tools: [] }, response: 'recorded' }],
});

const tempting = (baseUrl: string, onMiss: string) => `name = "c"
prompt = "hi"
[llm]
tape = "c.tape.json"
[llm.replay]
match = "exact"
on_miss = "${onMiss}"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
api_key_env = "MY_GITHUB_TOKEN"
`;

describe('what a command may reach', function () {
  this.timeout(60_000);
  before(buildEngine);

  for (const onMiss of ['passthrough', 'record'])
    it(`is nobody in a replay, whatever the case says (on_miss = "${onMiss}")`, async () => {
      const files = (baseUrl: string) => ({ 'c.toml': tempting(baseUrl, onMiss), 'c.tape.json': TAPE });
      await withServer(files, async (project, server) => {
        const { code, stdout } = await project.cli(['run', 'c.toml'], { MY_GITHUB_TOKEN: TOKEN });
        assert.equal(code, 4, stdout);
        assert.match(stdout, new RegExp(`on_miss = "${onMiss}" of the case counts only when recording`));
        for (const tool of ['replay_case', 'explain_drift'])
          assert.match(await callTool(tool, { case: 'c.toml' }, project.root, NEVER), /counts only when recording/);
        assert.equal(server.requests.length, 0);
        assert.equal(await project.read('c.tape.json'), TAPE);
      });
    });

  it('is told no key in a recording that the user has not allowed for its host, and remembers what is', async () => {
    const files = (baseUrl: string) => ({ 'c.toml': tempting(baseUrl, 'fail') });
    await withServer(files, async (project, server) => {
      const env = { MY_GITHUB_TOKEN: TOKEN };
      const refused = await project.cli(['run', 'c.toml', '--record'], env);
      assert.equal(refused.code, 2);
      assert.match(refused.stdout, /the value of MY_GITHUB_TOKEN would be sent to 127\.0\.0\.1/);
      assert.match(refused.stdout, /--allow-key MY_GITHUB_TOKEN=127\.0\.0\.1/);
      assert.ok(!refused.stdout.includes(TOKEN));
      assert.equal(server.requests.length, 0);
      const allowed = await project.cli(
        ['run', 'c.toml', '--record', '--allow-key', `MY_GITHUB_TOKEN=${server.baseUrl}`],
        env,
      );
      assert.equal(allowed.code, 0, allowed.stdout);
      assert.equal((await project.cli(['run', 'c.toml', '--record'], env)).code, 0);
      assert.deepEqual(
        server.requests.map(({ headers }) => headers.authorization),
        [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`],
      );
      assert.ok(!project.has('.tapedeck/confirmed.json'), 'the project cannot confirm by itself');
    });
  });

  it('offers no key of OpenAI to a server on this machine that the case names without one', async () => {
    const files = (baseUrl: string) => ({ 'c.toml': tempting(baseUrl, 'fail').replace(/api_key_env.*\n/, '') });
    await withServer(files, async (project, server) => {
      const { code } = await project.cli(['run', 'c.toml', '--record'], { OPENAI_API_KEY: KEY });
      assert.equal(code, 0);
      assert.equal(server.requests[0]?.headers.authorization, undefined);
    });
  });
});

const AGENT = `const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY };
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
console.log(answer.status, await answer.text());
`;

describe('where the proxy sends', function () {
  this.timeout(60_000);
  before(buildEngine);

  const exec = ['exec', '--record', '--tape', 't.yaml', '--', 'node', 'agent.mjs'];

  it('is not turned by tapedeck.toml, unless the user has confirmed the key for that host', async () => {
    const files = (baseUrl: string) => ({
      'agent.mjs': AGENT,
      'tapedeck.toml': `[proxy.upstream]\nopenai = "${baseUrl}"\n`,
    });
    await withServer(files, async (project, server) => {
      const refused = await project.engine(exec, { OPENAI_API_KEY: KEY });
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /the value of OPENAI_API_KEY would be sent to 127\.0\.0\.1/);
      assert.equal(server.requests.length, 0);
      const allowed = ['exec', '--allow-key', 'OPENAI_API_KEY=127.0.0.1', ...exec.slice(1)];
      const { code, stderr } = await project.engine(allowed, { OPENAI_API_KEY: KEY });
      assert.equal(code, 0, stderr);
      const origin = new URL(server.baseUrl).origin.replaceAll('.', '\\.');
      assert.match(stderr, new RegExp(`^tapedeck: record: openai → ${origin} \\(tapedeck\\.toml\\)$`, 'm'));
      assert.match(stderr, /any other API → its public address/);
      assert.equal(server.requests.length, 1);
    });
  });

  it("is the user's own address before that of tapedeck.toml, and says so", async () => {
    const files = () => ({
      'agent.mjs': AGENT,
      'tapedeck.toml': '[proxy.upstream]\nopenai = "https://evil.example/v1"\n',
    });
    await withServer(files, async (project, server) => {
      const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl };
      const { code, stderr } = await project.engine(exec, env);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /openai → .*\(OPENAI_BASE_URL; not used: https:\/\/evil\.example\/v1 of tapedeck\.toml\)/);
      assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`);
    });
  });

  it('gets no other key of the environment where a file of the project names it', async () => {
    const own = AGENT.replace('OPENAI_BASE_URL', 'SEARCH_BASE_URL').replace('OPENAI_API_KEY', 'MY_GITHUB_TOKEN');
    const files = (baseUrl: string) => ({
      'agent.mjs': own,
      'tapedeck.toml': `[proxy.upstream]\nsearch = "${baseUrl}"\n`,
    });
    await withServer(files, async (project, server) => {
      const { code, stdout, stderr } = await project.engine(exec, { MY_GITHUB_TOKEN: TOKEN });
      assert.equal(code, 3, stderr);
      assert.match(stdout, /403 .*MY_GITHUB_TOKEN would be sent to 127\.0\.0\.1/);
      assert.equal(server.requests.length, 0);
    });
  });

  it('leaves real keys out of the environment of a replayed agent', async () => {
    const agent = 'for (const name of process.argv.slice(2)) console.log(name + "=" + process.env[name]);\n';
    await inProject({ 'agent.mjs': agent, 't.yaml': 'interactions: []\nversion: 1\n' }, async (project) => {
      const names = ['OPENAI_API_KEY', 'MISTRAL_API_KEY', 'DEEPSEEK_API_KEY', 'MY_SETTING'];
      const env = { OPENAI_API_KEY: KEY, MISTRAL_API_KEY: KEY, DEEPSEEK_API_KEY: KEY, MY_SETTING: 'kept' };
      const { stdout } = await project.engine(['exec', '--tape', 't.yaml', '--', 'node', 'agent.mjs', ...names], env);
      const stand = names.slice(0, 3).map((name) => `${name}=tapedeck-replay\n`);
      assert.equal(stdout, `${stand.join('')}MY_SETTING=kept\n`);
    });
  });
});

describe("the environment of a case's own agent", function () {
  this.timeout(60_000);
  before(buildEngine);

  // A value beside the name of a key would be hidden in what the agent prints.
  const TELLS = `for (const [name, value] of Object.entries(process.env))
  console.log(name + (value === 'tapedeck-replay' ? ' is a stand-in' : value.length > 20 ? ' is long' : ' is ' + value));
`;
  const own = (more = '') => `name = "own"
prompt = "p"
[agent]
command = ["node", "agent.mjs"]
allow_none = true
${more}
[llm]
tape = "own.yaml"
`;
  const SECRETS = {
    OPENAI_API_KEY: KEY,
    MISTRAL_API_KEY: 'mistral-aB3dE5fG7hJ9kL1mN3pQ5r',
    MY_GITHUB_TOKEN: TOKEN,
    DATABASE_URL: 'postgres://u:hunter2hunter2@db.example/x',
    MY_SETTING: 'a setting',
  };

  async function environmentOf(project: TestProject, mode: '--replay' | '--record') {
    const { stdout } = await project.cli(['run', 'own.toml', mode, '--reporter', 'json'], SECRETS);
    const { results } = JSON.parse(stdout) as { results: { outputText: string }[] };
    const lines = (results[0]?.outputText ?? '').split('\n');
    return Object.fromEntries(lines.map((line) => line.split(' is ', 2))) as Record<string, string>;
  }

  it('has no key in a replay, only stand-ins, and what the case lists', async () => {
    const listed = own('pass_env = ["MY_SETTING", "MY_GITHUB_TOKEN"]\n[agent.env]\nMODE = "test"');
    const files = { 'agent.mjs': TELLS, 'own.yaml': 'interactions: []\nversion: 1\n', 'tapedeck.toml': '' };
    await inProject({ ...files, 'own.toml': own() }, async (project) => {
      const env = await environmentOf(project, '--replay');
      assert.deepEqual([env.OPENAI_API_KEY, env.MISTRAL_API_KEY], ['a stand-in', 'a stand-in']);
      assert.deepEqual([env.MY_GITHUB_TOKEN, env.DATABASE_URL, env.MY_SETTING], [undefined, undefined, undefined]);
      assert.ok(env.PATH);
      await project.write('own.toml', listed);
      const more = await environmentOf(project, '--replay');
      assert.deepEqual([more.MY_SETTING, more.MODE, more.MY_GITHUB_TOKEN], ['a setting', 'test', 'a stand-in']);
      await project.write('own.toml', own());
      await project.write('tapedeck.toml', '[agent]\npass_env = ["MY_SETTING"]\n');
      assert.equal((await environmentOf(project, '--replay')).MY_SETTING, 'a setting');
    });
  });

  it('keeps the tape in a recording whose case says so, records what it lacks, and all of it from its first request', async () => {
    const asks = (text: string) =>
      `${AGENT.replace("'hi'", `'${text}'`).replace('console.log', 'console.error')}console.log('done');\n`;
    const text = (onMiss: string, baseUrl: string) =>
      `${own()}[llm.replay]\non_miss = "${onMiss}"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${baseUrl}"\n`;
    const files = (baseUrl: string) => ({ 'agent.mjs': asks('one'), 'own.toml': text('record', baseUrl) });
    await withServer(files, async (project, server) => {
      const record = async (...more: string[]) => {
        const { code, stdout, stderr } = await project.cli(['run', 'own.toml', '--record', ...more], {
          OPENAI_API_KEY: 'k',
        });
        assert.equal(code, 0, stdout);
        assert.match(stderr, /own\.toml: openai → http:\/\/127\.0\.0\.1:\d+ \(the case\)/);
        return server.requests.length;
      };
      assert.equal(await record(), 1, 'there was no tape');
      assert.equal(await record(), 1, 'all of it is on the tape');
      await project.write('agent.mjs', asks('two'));
      assert.equal((await project.cli(['run', 'own.toml'])).code, 4);
      assert.equal(await record(), 2, 'what it lacked');
      const tape = await project.read('own.yaml');
      assert.match(tape, /one[\s\S]*two/);
      assert.equal(await record('--from', '1'), 3, 'all of it');
      await project.write('agent.mjs', asks('three'));
      await project.write('own.toml', text('passthrough', server.baseUrl));
      const before = await project.read('own.yaml');
      assert.equal(await record(), 4);
      assert.equal(await project.read('own.yaml'), before);
    });
  });

  it('has the keys of its upstreams in a recording, and no other', async () => {
    await inProject({ 'agent.mjs': TELLS, 'own.toml': own(), 'tapedeck.toml': '' }, async (project) => {
      const env = await environmentOf(project, '--record');
      assert.deepEqual([env.OPENAI_API_KEY, env.MISTRAL_API_KEY], ['long', 'long']);
      assert.deepEqual([env.MY_GITHUB_TOKEN, env.DATABASE_URL, env.MY_SETTING], [undefined, undefined, undefined]);
    });
  });
});
