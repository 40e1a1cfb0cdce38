import assert from 'node:assert/strict';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkagentFormat } from '../../../src/core/tapes/formats/checkagent/index';
import { readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { readTestFile } from '../../../src/core/tapeTests/registry';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { lensPytest } from '../../harness/lensPytest';
import { pythonPeer } from '../../harness/pythonPeer';

const FILE = 'tests/test_agent.py';
const SOURCE = `
import pytest

def agent(prompt):
    return "a new answer to " + prompt

@pytest.mark.agent_test(layer="replay")
async def test_recorded(ca_cassette):
    assert await ca_cassette.arun(agent, "hello") == "On its way."

class TestMarked:
    @pytest.mark.cassette(path="tapes/marked.json")
    async def test_marked(self, ca_cassette):
        assert ca_cassette.is_replaying() and await ca_cassette.arun(agent, "hello") == "On its way."

@pytest.mark.parametrize("n", [1])
async def test_family(ca_cassette, n):
    await ca_cassette.arun(agent, str(n))
`;
const CASSETTE = checkagentFormat.serialise('t', [
  {
    kind: 'llm',
    request: { messages: [{ role: 'user', content: 'hello', toolCalls: [] }], tools: [], params: {} },
    response: { content: 'On its way.', toolCalls: [] },
  },
]);
const RECORDED = 'tests/cassettes/test_agent/test_recorded.json';

describe('the commands of the lenses, with the real pytest and CheckAgent', function () {
  this.timeout(400_000);
  let python = '';

  before(async function () {
    buildEngine.call(this);
    this.timeout(400_000);
    const peer = await pythonPeer('checkagent', ['checkagent==2.1.0']);
    if ('missing' in peer) {
      console.error(
        `NOT TESTED: the lenses of pytest with the real checkagent; it cannot be installed: ${peer.missing}`,
      );
      this.skip();
    }
    python = peer.python;
  });

  const pytest = (project: TestProject, name: string, mode: 'replay' | 'record'): Promise<number> =>
    lensPytest(project, { python, file: FILE, source: SOURCE }, name, mode);

  it('replay the tapes that we say the tests use, and `run` comes to the same verdicts', async () => {
    const files = { [FILE]: SOURCE, [RECORDED]: CASSETTE, 'tapes/marked.json': CASSETTE };
    await inProject(files, async (project) => {
      assert.deepEqual(
        readTestFile(FILE, SOURCE).tests.flatMap(({ uses }) => uses.map(({ paths }) => paths[0])),
        [RECORDED, 'tapes/marked.json', 'tests/cassettes/test_agent/test_family.json'],
      );
      assert.equal(await pytest(project, 'test_recorded', 'replay'), 0);
      assert.equal(await pytest(project, 'test_marked', 'replay'), 0);
      assert.equal((await project.engine(['run', RECORDED])).code, 0);
      await project.write(RECORDED, '{"meta": {"schema_version": 1}, "interactions": [{"request": {"kind": 7}}]}');
      assert.equal(await pytest(project, 'test_recorded', 'replay'), 1);
      assert.equal((await project.engine(['run', RECORDED])).code, 1);
      // Where they differ: CheckAgent replays what was tampered with and says nothing.
      await project.write(RECORDED, CASSETTE.replace(/("content_hash": ")..../, '$10000'));
      assert.equal(await pytest(project, 'test_recorded', 'replay'), 0);
      const { code, stdout } = await project.engine(['run', RECORDED]);
      assert.equal(code, 1);
      assert.match(stdout, /content_hash/);
    });
  });

  it('record where the tape is out of the way', async () => {
    await inProject({ [FILE]: SOURCE, [RECORDED]: CASSETTE }, async (project) => {
      await mkdir(dirname(project.path('aside/x')), { recursive: true });
      await rename(project.path(RECORDED), project.path('aside/x'));
      // The test wants the old answer: it fails, and CheckAgent has saved the new one all the same.
      assert.equal(await pytest(project, 'test_recorded', 'record'), 1);
      const tape = readTape(tapeFileFromText(await project.read(RECORDED)));
      assert.equal(tape?.interactions[0]?.response?.content, 'a new answer to hello');
      assert.deepEqual(tape?.problems, []);
    });
  });

  it('record a tape for each set of parameters, which are known as those of the test', async () => {
    await inProject({ [FILE]: SOURCE }, async (project) => {
      assert.equal(await pytest(project, 'test_family', 'record'), 0);
      assert.ok(project.has('tests/cassettes/test_agent/test_family_1.json'));
      await writeFile(project.path('tests/cassettes/test_agent/test_gone.json'), CASSETTE);
      const { code, stdout } = await project.engine(['verify', 'tests']);
      assert.equal(code, 1);
      assert.match(stdout, /test_gone\.json[\s\S]*no test in tests\/test_agent\.py uses it/);
      assert.doesNotMatch(stdout, /test_family_1\.json[\s\S]*orphan/);
    });
  });
});
