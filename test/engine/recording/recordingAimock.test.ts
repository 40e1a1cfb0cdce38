import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { runAgent } from '../../../src/engine/execution/runAgent';
import { takeCount } from '../../../src/engine/recording/takes';
import { liveCase, Studio } from '../../harness/studio';
import { inFolder, NEVER, RECORDER, replayOf } from '../../harness/support';

/** aimock speaks the protocol as OpenAI does, and was not written by us. */
describe('a recording of aimock', () => {
  let mock: LLMock;

  beforeEach(async () => {
    mock = new LLMock({ port: 0 });
    mock.on(
      { userMessage: 'weather in Berlin', hasToolResult: false },
      { toolCalls: [{ id: 'call_w', name: 'weather', arguments: '{"city":"Berlin"}' }] },
    );
    mock.on(
      { toolResultContains: '9007199254740993' },
      {
        content: 'It is sunny in Berlin: 21 °C, and not a cloud to be seen – enjoy it! 🌞',
        usage: { prompt_tokens: 40, completion_tokens: 20 },
      },
    );
    await mock.start();
  });

  afterEach(() => mock.stop());

  for (const stream of [false, true]) {
    it(`${stream ? 'streamed' : 'at once'} makes a tape that replays to the same result`, async () => {
      await inFolder(async (folder) => {
        const studio = new Studio(folder);
        const testCase = liveCase(`${mock.url}/v1`, `stream = ${stream}`);
        const recorded = await studio.record(testCase);
        assert.equal(recorded.error, null);
        assert.equal(recorded.outputText, 'It is sunny in Berlin: 21 °C, and not a cloud to be seen – enjoy it! 🌞');
        assert.deepEqual(
          recorded.toolCalls.map(({ tool_name, input, success }) => ({ tool_name, input, success })),
          [{ tool_name: 'weather', input: { city: 'Berlin' }, success: true }],
        );
        assert.equal(mock.getRequests().length, 2);

        const text = await studio.tape();
        const tape = readTape(tapeFileFromText(text));
        assert.deepEqual(tape?.problems, []);
        assert.equal(tape?.name, 'live');
        assert.deepEqual(tape?.interactions[0]?.response?.toolCalls, [
          { id: 'call_w', name: 'weather', arguments: { city: 'Berlin' } },
        ]);
        assert.deepEqual(tape?.interactions[1]?.response?.usage, {
          promptTokens: 40,
          completionTokens: 20,
          totalTokens: 60,
        });

        const replayed = await runAgent(testCase, await replayOf(studio.tapePath), {
          recorder: RECORDER,
          signal: NEVER,
        });
        assert.equal(replayed.error, null);
        assert.equal(replayed.outputText, recorded.outputText);
        assert.deepEqual(replayed.session, recorded.session);
        assert.deepEqual(replayed.lastRequest, recorded.lastRequest, 'a replay sends what was recorded');
        assert.deepEqual(tape?.interactions[1]?.request?.messages, replayed.lastRequest?.messages);

        await studio.record(testCase);
        assert.equal(await studio.tape(), text, 'the same responses make the same tape');
        assert.equal(await takeCount(studio.root, studio.tapePath), 2);
      });
    });
  }

  it('that sends a request without a response keeps the tape', async () => {
    await inFolder(async (folder) => {
      const studio = new Studio(folder);
      mock.clearFixtures();
      const { error } = await studio.untouched(() => studio.record(liveCase(`${mock.url}/v1`)));
      assert.match(error?.message ?? '', /refused the request: HTTP 404: /);
    });
  });
});
