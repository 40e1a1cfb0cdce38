import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { inProject, taped, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { assertMofaTape } from './mofaTape';

const OLD = tapeOf('the old take', []);
const TOOL = `
[[tools]]
name = "weather"
description = "Looks the weather up."
schema = { type = "object", properties = { city = { type = "string" } }, required = ["city"] }
result = { sky = "sunny" }
`;

/** aimock speaks the protocol as OpenAI does, and was not written by us. */
describe('a recording by test-dsl', function () {
  this.timeout(30_000);
  let mock: LLMock;

  beforeEach(async () => {
    mock = new LLMock({ port: 0 });
    mock.on(
      { userMessage: 'weather', hasToolResult: false },
      { toolCalls: [{ id: 'call_w', name: 'weather', arguments: '{"city":"Berlin"}' }] },
    );
    const usage = { prompt_tokens: 40, completion_tokens: 20 };
    mock.on({ toolResultContains: 'sunny' }, { content: 'It is sunny – enjoy it! 🌞', usage });
    await mock.start();
  });
  afterEach(() => mock.stop());

  const recordCase = (baseUrl: string) =>
    `name = "weather"\nprompt = "How is the weather?"\n${TOOL}
[llm]
record_tape = "w.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}/v1"
model = "m"
[assert]
contains = "sunny"
tool_called = "weather"
`;

  it('makes a tape that MoFA reads, and that replays to the same result', async () => {
    const replay = taped('weather', 'w.tape.json', TOOL);
    await inProject({ 'a.toml': recordCase(mock.url), 'b.toml': replay }, async (project) => {
      const recorded = await tapedeck(project, 'test-dsl', 'a.toml', '--artifact-out', 'a.json');
      assert.deepEqual([recorded.code, recorded.stderr], [0, '']);
      assert.match(recorded.stdout, /output: It is sunny – enjoy it! 🌞\ntool_calls: weather\n/);
      assertMofaTape(await project.read('w.tape.json'));
      const tape = await project.json('w.tape.json');
      assert.equal(tape.case_name, 'weather');
      assert.equal((tape.interactions as unknown[]).length, 2);

      const asked = mock.getRequests().length;
      const flags = ['--baseline-in', 'a.json', '--fail-on-diff'];
      const replayed = await tapedeck(project, 'test-dsl', 'b.toml', ...flags);
      // MoFA compares the outcome of assertions, which the replaying case does not have.
      assert.match(replayed.stdout, /baseline: mismatch\ndifference: assertions\n$/);
      assert.match(replayed.stdout, /output: It is sunny – enjoy it! 🌞\ntool_calls: weather\n/);
      assert.equal(mock.getRequests().length, asked, 'a replay calls nobody');
    });
  });

  it('keeps the take it replaces, and replaces nothing when it ends in an error', async () => {
    await inProject({ 'a.toml': recordCase(mock.url), 'w.tape.json': OLD }, async (project) => {
      mock.clearFixtures();
      const failed = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /^the run failed: Agent execution failed: provider returned 404 Not Found: /);
      assert.equal(await project.read('w.tape.json'), OLD);
      assert.equal(project.has('.tapedeck/takes'), false);

      mock.on({ userMessage: 'weather' }, { content: 'sunny' });
      const recorded = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.match(recorded.stderr, /^DSL test failed: expected tool `weather` to be called, found tool calls: \[\]/);
      assertMofaTape(await project.read('w.tape.json'));
      assert.equal(project.has('.tapedeck/takes/w.tape.json'), true);
    });
  });

  it('replaces nothing that is no tape', async () => {
    await inProject({ 'a.toml': recordCase(mock.url), 'w.tape.json': 'notes' }, async (project) => {
      mock.clearRequests();
      const { code, stderr } = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.equal(code, 1);
      assert.match(stderr, /w\.tape\.json is not a tape in a known format/);
      assert.equal(mock.getRequests().length, 0, 'nobody is asked for what cannot be kept');
      assert.equal(await project.read('w.tape.json'), 'notes');
    });
  });
});
