import assert from 'node:assert/strict';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import { checkagentFormat } from '../../../../src/core/tapes/formats/checkagent/index';
import { reynFormat } from '../../../../src/core/tapes/formats/reyn/index';
import { inProject } from '../../../harness/builtEngine';
import { tapedeck } from '../../../harness/inProcess';

const llm: RecordedInteraction = {
  kind: 'llm',
  request: { model: 'm', messages: [{ role: 'user', content: 'Where is it?', toolCalls: [] }], tools: [], params: {} },
  response: { content: 'On its way.', toolCalls: [], usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 } },
};
const tool: RecordedInteraction = {
  kind: 'tool',
  request: {
    messages: [{ role: 'assistant', content: null, toolCalls: [{ id: '', name: 'lookup', arguments: { id: 7 } }] }],
    tools: [],
    params: {},
  },
  response: { content: 'shipped', toolCalls: [] },
};
const CASSETTE = checkagentFormat.serialise('tests/test_a.py::test_order', [tool, llm]);
const FIXTURE = reynFormat.serialise('a fixture', [llm]);
const PATH = 'tests/cassettes/test_a/test_order.json';

describe('a recorded tape as a case', function () {
  this.timeout(30_000);

  const results = (stdout: string) => JSON.parse(stdout).results as Record<string, never>[];

  it('is found in folders of cassettes and fixtures, and replayed from its first recording to its last', async () => {
    const files = { [PATH]: CASSETTE, 'tests/fixtures/llm/a.jsonl': FIXTURE, 'tests/cassettes/other.json': '{"a": 1}' };
    await inProject(files, async (project) => {
      const { code, stdout } = await tapedeck(project, 'run', '--reporter', 'json');
      const found = results(stdout);
      assert.deepEqual(
        found.map(({ name, status, mode, toolCalls, outputText }) => [name, status, mode, toolCalls, outputText]),
        [
          ['test_order', 'passed', 'replay', ['lookup'], 'On its way.'],
          ['a', 'passed', 'replay', [], 'On its way.'],
        ],
      );
      assert.equal(code, 0);
    });
  });

  it('fails where it is not what it says, at the place', async () => {
    const broken = CASSETTE.replace('On its way.', 'Lost.');
    await inProject({ [PATH]: broken }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'run', PATH);
      assert.equal(code, 1);
      assert.match(stdout, /content_hash/);
    });
  });

  it('is compared with its baseline', async () => {
    await inProject({ [PATH]: CASSETTE }, async (project) => {
      assert.equal((await tapedeck(project, 'run', PATH, '--update-baselines')).code, 0);
      assert.equal((await tapedeck(project, 'run', PATH, '--fail-on-diff')).code, 0);
      const other = { ...llm, response: { content: 'Delivered.', toolCalls: [] } };
      await project.write(PATH, checkagentFormat.serialise('tests/test_a.py::test_order', [tool, other]));
      const { code, stdout } = await tapedeck(project, 'run', PATH, '--fail-on-diff');
      assert.equal(code, 1, stdout);
    });
  });

  it('is recorded by its own framework, and says so', async () => {
    await inProject({ [PATH]: CASSETTE }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'run', PATH, '--record');
      assert.equal(code, 2, stdout);
      assert.match(stdout, /is recorded by the test that uses it/);
    });
  });
});
