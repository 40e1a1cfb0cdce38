import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import type { RunResult } from '../../../../src/core/model/run';
import { reynFormat } from '../../../../src/core/tapes/formats/reyn/index';
import { tapedeckFormat } from '../../../../src/core/tapes/formats/tapedeck/index';
import { vcrpyFormat } from '../../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { type RunCaseOptions, runCase } from '../../../../src/engine/cases/runCase';
import { startedByUser } from '../../../../src/engine/execution/runnableCase';
import { NetworkPolicy } from '../../../../src/engine/network/policy';
import { keysOf } from '../../../harness/network';
import { inFolder, NEVER, RECORDERS, requestOf } from '../../../harness/support';

/** An agent of the user's own, which asks one question after the other; the third can be changed. */
const AGENT = `
const questions = ['first question', 'second question', process.argv[2], 'last question'];
for (const content of questions) {
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  console.log(answer.choices[0].message.content);
}
`;
const KEPT = 2;

describe("re-recording from here, for the user's own agent", function () {
  this.timeout(60_000);
  let mock: LLMock;

  before(async () => {
    mock = new LLMock({ port: 0 });
    for (const word of ['first', 'second', 'third', 'other', 'last'])
      mock.on({ userMessage: `${word} question` }, { content: `The ${word} answer.` });
    await mock.start();
  });

  after(() => mock.stop());

  for (const { format, file } of [
    { format: vcrpyFormat, file: 't.yaml' },
    { format: reynFormat, file: 't.jsonl' },
    { format: tapedeckFormat, file: 't.tape.jsonl' },
  ])
    for (const from of [KEPT, 'drift'] as const)
      it(`keeps the start of a ${format.label}, and asks nothing before (from ${from})`, async () => {
        await inFolder(async (root) => {
          const casePath = join(root, 'own.toml');
          const tapePath = join(root, file);
          const match = format === reynFormat ? 'keyed' : 'exact';
          const write = (third: string) =>
            writeFile(
              casePath,
              `name = "own"\nprompt = "p"\n[agent]\ncommand = ["node", "agent.mjs", "${third}"]\n[llm]\ntape = "${file}"\n` +
                `[llm.replay]\nmatch = "${match}"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${mock.url}/v1"\n`,
            );
          const run = (options: Pick<RunCaseOptions, 'mode'> & Partial<RunCaseOptions>): Promise<RunResult> =>
            runCase(casePath, {
              root,
              permitStart: startedByUser,
              recorders: RECORDERS,
              signal: NEVER,
              network: NetworkPolicy.for(options.mode, keysOf({ OPENAI_API_KEY: 'k' })),
              ...options,
            });
          await writeFile(join(root, 'agent.mjs'), AGENT);
          const before = { request: requestOf('hello'), response: { content: 'old', toolCalls: [] } };
          await writeFile(tapePath, format.serialise('own', [before]));
          await write('third question');
          const recorded = await run({ mode: 'record' });
          assert.deepEqual([recorded.failures, recorded.recording?.interactions], [[], 4]);
          const old = await readFile(tapePath, 'utf8');
          const kept = old.slice(0, format.read(tapeFileFromText(old)).interactions[KEPT - 1]?.source.end);

          await write('other question');
          mock.clearRequests();
          const again = await run({ mode: 'record', from });
          assert.deepEqual([again.failures, again.recording?.interactions, again.recording?.kept], [[], 4, KEPT]);
          assert.equal(mock.getRequests().length, 2, 'calls of the server');
          assert.ok((await readFile(tapePath, 'utf8')).startsWith(kept), 'the start is the same, byte for byte');

          mock.clearRequests();
          const replayed = await run({ mode: 'replay' });
          assert.deepEqual([replayed.failures, mock.getRequests().length], [[], 0]);
          assert.match(replayed.outputText ?? '', /The other answer\.\nThe last answer\./);
        });
      });
});
