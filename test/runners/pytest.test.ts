import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RecoverDocument } from '../../src/engine/reporters/jsonDocuments';
import { buildEngine, type Ended, ended, inProject, type TestProject } from '../harness/builtEngine';
import { PYTHON_PEERS, pythonWith } from '../harness/peers';
import type { PythonPeer } from '../harness/pythonPeer';
import { completion, sendJson, serve, type TestServer } from '../harness/support';

const PROJECT = join(__dirname, '../..');

/** Asks in every way that a suite may; `QUESTION` in the environment is the word that changes. */
const SUITE = `import asyncio, http.client, json, os, subprocess, sys, urllib.parse, urllib.request
import openai, pytest, requests, aiohttp, urllib3
pytestmark = pytest.mark.tapedeck
MODULE_CLIENT = openai.OpenAI(api_key="k", max_retries=0)
MODULE_ASYNC = openai.AsyncOpenAI(api_key="k", max_retries=0)
WORD = os.environ.get("WORD", "France")
UPSTREAM = os.environ["OPENAI_BASE_URL"]
def asked(text): return dict(model="m", messages=[{"role": "user", "content": text}])
def ask(text, client=None):
    client = client or openai.OpenAI(max_retries=0)
    return client.chat.completions.create(**asked(text)).choices[0].message.content
def test_plain(): assert ask("The capital of France?").startswith("answer to The capital")
@pytest.mark.parametrize("city", ["Paris", "Rome/Lazio", "São Paulo"])
def test_city(city): assert city in ask(city)
class TestOrders:
    def test_two(self): assert ask("one") != ask("two")
def test_module_client(): assert ask("by the client of the module", MODULE_CLIENT)
def test_async():
    async def run(): return (await MODULE_ASYNC.chat.completions.create(**asked("async"))).choices[0].message.content
    assert "async" in asyncio.run(run())
def test_word(): assert ask("The capital of " + WORD + "?")
def test_swallowed():
    try: ask("swallowed " + WORD)
    except openai.APIError: pass
def test_requests():
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    response = requests.post(url, json=asked("requests"), timeout=20)
    assert response.status_code == 200
def test_aiohttp():
    async def run():
        async with aiohttp.ClientSession() as session:
            async with session.post(UPSTREAM + "/chat/completions", json=asked("aiohttp")) as response: return await response.json()
    assert "aiohttp" in asyncio.run(run())["choices"][0]["message"]["content"]
POOL = urllib3.PoolManager()
def test_urllib3():
    response = POOL.request("POST", UPSTREAM + "/chat/completions", json=asked("urllib3"), timeout=20)
    assert "urllib3" in response.json()["choices"][0]["message"]["content"]
@pytest.mark.parametrize("n", [1, 2])
def test_urllib(n):
    content = json.dumps(asked(f"urllib {n}")).encode()
    request = urllib.request.Request(UPSTREAM + "/chat/completions", content, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as response: assert f"urllib {n}" in response.read().decode()
PLACE = urllib.parse.urlsplit(UPSTREAM)
CONNECTION = http.client.HTTPConnection(PLACE.netloc, timeout=20)
@pytest.mark.parametrize("n", [1, 2])
def test_http_client(n):
    content = json.dumps(asked(f"http.client {n}")).encode()
    CONNECTION.request("POST", PLACE.path + "/chat/completions", content, {"content-type": "application/json"})
    assert f"http.client {n}" in CONNECTION.getresponse().read().decode()
def test_program():
    code = "import openai; print(openai.OpenAI(max_retries=0).chat.completions.create(model='m', messages=[{'role': 'user', 'content': 'program'}]).choices[0].message.content)"
    assert "program" in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
def test_fixture(tapedeck):
    ask("fixture")
    assert tapedeck.requests == 1 and tapedeck.path.name == "test_fixture.tape.jsonl"
`;
const TESTS = 18;

describe('pytest with Tapedeck', () => {
  let peer: PythonPeer;
  before(async function () {
    buildEngine.call(this);
    this.timeout(400_000);
    peer = await pythonWith('runners');
    if ('missing' in peer)
      throw new Error(`NOT TESTED: there is no Python with ${PYTHON_PEERS.runners.join(', ')}: ${peer.missing}`);
  });

  const start = (
    project: TestProject,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): ChildProcess => {
    if ('missing' in peer) throw new Error(peer.missing);
    const { PATH = '', HOME = '' } = process.env;
    const all = ['-m', 'pytest', '-p', 'pytest_tapedeck.plugin', '-p', 'no:cacheprovider', ...args];
    return spawn(peer.python, all, {
      cwd: project.root,
      env: {
        PATH,
        HOME,
        PYTHONPATH: join(PROJECT, 'src/runners/python'),
        PYTHONDONTWRITEBYTECODE: '1',
        TAPEDECK_ENGINE: `${process.execPath} ${join(PROJECT, 'dist/engine.js')}`,
        OPENAI_API_KEY: 'sk-of-the-user-1234567890',
        ...env,
      },
    });
  };
  const pytest = (...given: Parameters<typeof start>): Promise<Ended> => ended(start(...given) as never);

  const inSuite = async (
    files: Readonly<Record<string, string>>,
    test: (project: TestProject, upstream: TestServer, env: Record<string, string>) => Promise<void>,
  ): Promise<void> => {
    const upstream = await serve((response, { body }) => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
      sendJson(response, 200, completion(`answer to ${messages.at(-1)?.content}`));
    });
    try {
      await inProject({ 'tapedeck.toml': '', 'pytest.ini': '[pytest]\n', ...files }, (project) =>
        test(project, upstream, { OPENAI_BASE_URL: upstream.baseUrl }),
      );
    } finally {
      await upstream.close();
    }
  };
  const tapes = (project: TestProject, folder = 'tests/tapes/test_agents'): readonly string[] =>
    project.has(folder) ? readdirSync(project.path(folder)).sort() : [];
  const kept = async (project: TestProject): Promise<readonly string[]> => {
    const { stdout } = await project.engine(['recover', '--json']);
    return (JSON.parse(stdout) as RecoverDocument).recordings.map(({ tape }) => tape);
  };
  /** Where nobody answers. */
  const GONE = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', CI: '1' };

  it('records each test once, and replays it to that test alone, with the upstream gone', () =>
    inSuite({ 'tests/test_agents.py': SUITE }, async (project, upstream, env) => {
      const recorded = await pytest(project, [], env);
      assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
      assert.match(recorded.stdout, new RegExp(`tapedeck: ${TESTS} recorded`));
      assert.equal(tapes(project).length, TESTS);
      assert.ok(tapes(project).includes('test_city[Paris].tape.jsonl'));
      assert.match(tapes(project).join(), /test_city\[Rome-Lazio\]-[0-9a-f]{8}\.tape\.jsonl/);
      const tape = await project.read('tests/tapes/test_agents/test_city[Paris].tape.jsonl');
      assert.match(
        tape,
        /^\{"tapedeck":"tape","version":1,"name":"[^"]*","test":"tests\/test_agents\.py::test_city\[Paris\]"\}/,
      );
      assert.doesNotMatch(tape, /sk-of-the-user/);
      const asked = upstream.requests.length;
      const replayed = await pytest(project, [], GONE);
      assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
      assert.match(replayed.stdout, new RegExp(`tapedeck: ${TESTS} tapes played`));
      const parallel = await pytest(project, ['-n', '2'], GONE);
      assert.equal(parallel.code, 0, parallel.stdout + parallel.stderr);
      assert.match(parallel.stdout, new RegExp(`tapedeck: ${TESTS} tapes played`));
      assert.equal(upstream.requests.length, asked);
    }));

  it('records in the workers of xdist, each test on its tape', () =>
    inSuite({ 'tests/test_agents.py': SUITE }, async (project, _, env) => {
      const recorded = await pytest(project, ['-n', '3'], env);
      assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
      assert.match(recorded.stdout, new RegExp(`tapedeck: ${TESTS} recorded`));
      const replayed = await pytest(project, [], GONE);
      assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
    }));

  it('fails just the tests whose words changed, swallowed or not, and says it first', () =>
    inSuite({ 'tests/test_agents.py': SUITE }, async (project, _, env) => {
      await pytest(project, [], env);
      for (const parallel of [[], ['-n', '2']]) {
        const { code, stdout } = await pytest(project, parallel, { ...GONE, WORD: 'Italy' });
        assert.equal(code, 1, stdout);
        assert.match(stdout, new RegExp(`2 failed, ${TESTS - 2} passed`));
        const [, shown = ''] =
          /_+ test_word _+\n(?:\[gw\d\][^\n]*\n)?([\s\S]*?)\n(?:_+ |=+ |tapedeck: )/.exec(stdout) ?? [];
        const lines = shown.split('\n').filter((line) => line !== '');
        assert.equal(lines[0], 'Tapedeck: the request is not on tests/tapes/test_agents/test_word.tape.jsonl', shown);
        assert.match(shown, /"The capital of \[-France-\]\{\+Italy\+\}\?"/);
        assert.match(shown, /Record it again: pytest --tapedeck=rewrite tests\/test_agents\.py::test_word/);
        assert.match(shown, /tests\/test_agents\.py:\d+: in test_word/);
        assert.doesNotMatch(shown, /site-packages/);
        assert.ok(lines.length < 20, shown);
        assert.match(stdout, /FAILED tests\/test_agents\.py::test_word - Tapedeck: .*Italy/);
        assert.match(stdout, /FAILED tests\/test_agents\.py::test_swallowed - Tapedeck: .*Italy/);
        assert.match(stdout, /The test itself passed/);
      }
    }));

  const OUTCOMES = `import os, openai, pytest
pytestmark = pytest.mark.tapedeck
def ask(text): return openai.OpenAI(max_retries=0).chat.completions.create(model="m", messages=[{"role": "user", "content": text + os.environ.get("WORD", "")}])
def test_good(): ask("good")
def test_bad():
    ask("bad")
    assert not os.environ.get("BAD")
def test_skipped():
    ask("skipped")
    pytest.skip("later")
@pytest.mark.xfail
def test_expected():
    ask("expected")
    assert False
@pytest.fixture
def client():
    ask("setup")
    yield
    ask("teardown")
def test_around(client): ask("call")
`;

  it('keeps what passed where another test fails, and the old tape of one that is rewritten and fails', () =>
    inSuite({ 'tests/test_agents.py': OUTCOMES }, async (project, _, env) => {
      const first = await pytest(project, [], { ...env, BAD: '1' });
      assert.equal(first.code, 1);
      assert.match(first.stdout, /1 failed, 2 passed, 1 skipped, 1 xfailed/);
      assert.deepEqual(
        tapes(project).map((name) => name.split('.')[0]),
        ['test_around', 'test_expected', 'test_good'],
      );
      assert.match(first.stdout, /2 recordings of failed tests kept, their tapes are unchanged: tapedeck recover/);
      assert.deepEqual([...(await kept(project))].sort(), [
        'tests/tapes/test_agents/test_bad.tape.jsonl',
        'tests/tapes/test_agents/test_skipped.tape.jsonl',
      ]);
      await pytest(project, [], env);
      assert.ok(tapes(project).includes('test_bad.tape.jsonl'));
      const before = await project.read('tests/tapes/test_agents/test_bad.tape.jsonl');
      const rewritten = await pytest(project, ['--tapedeck=rewrite'], { ...env, BAD: '1', WORD: '!' });
      assert.equal(rewritten.code, 1);
      assert.equal(await project.read('tests/tapes/test_agents/test_bad.tape.jsonl'), before);
      assert.match(await project.read('tests/tapes/test_agents/test_good.tape.jsonl'), /good!/);
      const around = await project.read('tests/tapes/test_agents/test_around.tape.jsonl');
      assert.match(around, /setup![\s\S]*call![\s\S]*teardown!/);
    }));

  it('takes cassettes of pytest-recording and their marks as they are', () =>
    inSuite(
      {
        'tests/test_agents.py': SUITE.replace('pytest.mark.tapedeck', 'pytest.mark.vcr').replace(
          'def test_plain',
          '@pytest.mark.default_cassette("named")\ndef test_plain',
        ),
        'conftest.py': 'def pytest_recording_configure(config, vcr):\n    raise AssertionError("there is no vcrpy")\n',
      },
      async (project, _, env) => {
        const recorded = await pytest(project, ['--strict-markers'], env);
        assert.equal(recorded.code, 1, 'the fixture names another file');
        assert.match(await project.read('tests/cassettes/test_agents/test_city[Paris].yaml'), /^interactions:/m);
        for (const name of ['TestOrders.test_two.yaml', 'named.yaml'])
          assert.ok(tapes(project, 'tests/cassettes/test_agents').includes(name), name);
        const replayed = await pytest(project, ['--record-mode=none', '--block-network', '-k', 'not fixture'], GONE);
        assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
      },
    ));

  it('records only marked tests, all with an ini value, or none; and counts what is not used', () =>
    inSuite({ 'tests/test_agents.py': OUTCOMES.replace('pytestmark', 'mark') }, async (project, upstream, env) => {
      await pytest(project, [], env);
      assert.deepEqual(tapes(project), []);
      const off = await pytest(project, ['-o', 'tapedeck=all', '--tapedeck=off'], env);
      assert.equal(off.code, 0, off.stdout);
      assert.deepEqual(tapes(project), []);
      await pytest(project, ['-o', 'tapedeck=all'], env);
      assert.equal(tapes(project).length, 4);
      const asked = upstream.requests.length;
      const suite = await project.read('tests/test_agents.py');
      await project.write(
        'tests/test_agents.py',
        suite.replace('    ask("teardown")', '').replace('test_good', 'test_new'),
      );
      const args = ['-o', 'tapedeck=all', '-k', 'around or new'];
      const part = await pytest(project, args, { ...env, CI: '1' });
      assert.match(part.stdout, /test_new/);
      assert.match(part.stdout, /No recording yet: .*test_new\.tape\.jsonl does not exist/);
      assert.match(part.stdout, /1 unused recording in 1 tape/);
      const whole = await pytest(project, ['-o', 'tapedeck=all', '--tapedeck-unused=fail'], GONE);
      assert.match(
        whole.stdout,
        /Tapedeck: the test did not use all of tests\/tapes\/test_agents\/test_around\.tape\.jsonl: 3/,
      );
      assert.match(whole.stdout, /1 tape without a test \(tests\/tapes\/test_agents\/test_good\.tape\.jsonl\)/);
      assert.equal(upstream.requests.length, asked);
    }));

  it('loses nothing that passed where the runner is killed, and leaves no server', () =>
    inSuite(
      {
        'tests/test_agents.py': `${OUTCOMES}\ndef test_late():\n    ask("late")\n    print("ASKED", flush=True)\n    import time; time.sleep(60)\n`,
      },
      async (project, _, env) => {
        const child = start(project, ['-s', '-k', 'good or late'], env);
        await new Promise<void>((resolve) => {
          let text = '';
          child.stdout?.on('data', (chunk) => {
            text += chunk;
            if (text.includes('ASKED')) resolve();
          });
        });
        child.kill('SIGKILL');
        const until = Date.now() + 10_000;
        while ((await kept(project)).length === 0 && Date.now() < until)
          await new Promise((resolve) => setTimeout(resolve, 100));
        assert.deepEqual(tapes(project), ['test_good.tape.jsonl']);
        assert.deepEqual(await kept(project), ['tests/tapes/test_agents/test_late.tape.jsonl']);
      },
    ));
});
