import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import type { RunResult } from '../../../src/core/model/run';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { reynFormat } from '../../../src/core/tapes/formats/reyn/index';
import { tapedeckFormat } from '../../../src/core/tapes/formats/tapedeck/index';
import { vcrpyFormat } from '../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { type RunCaseOptions, runCase } from '../../../src/engine/cases/runCase';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import { keysOf } from '../../harness/network';
import { inFolder, NEVER, RECORDERS, requestOf } from '../../harness/support';

const CALLS = 40;
/** The request after this many answers is the first that changes. */
const KEPT = 24;

const name = (step: number): string => `step_${step}`;
const result = (step: number, word = 'done'): string => `result-${String(step).padStart(2, '0')}-${word}`;

/** An agent that calls one tool after the other; what the tool before the 25th request answers can be changed. */
function caseText(baseUrl: string, tape: string, word = 'done', replay = ''): string {
  const tools = Array.from({ length: CALLS - 1 }, (_, at) => {
    const said = at + 1 === KEPT ? result(at + 1, word) : result(at + 1);
    return `[[tools]]\nname = "${name(at + 1)}"\ndescription = "Does step ${at + 1}."\nresult = "${said}"\n`;
  });
  return `name = "forty"
prompt = "Do all the steps."
${tools.join('')}
[agent]
max_iterations = 60
[llm]
tape = "${tape}"
${replay}
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
model = "gpt-4o"
`;
}

/** Requests one step after another, in words that identify the take. */
function playSteps(mock: LLMock, take: string): void {
  mock.clearFixtures();
  const call = (step: number) => ({
    toolCalls: [{ id: `call_${take}_${step}`, name: name(step), arguments: JSON.stringify({ take, step }) }],
  });
  for (const word of ['done', 'changed'])
    for (let step = CALLS - 1; step >= 1; step -= 1)
      mock.on(
        { toolResultContains: result(step, word) },
        step === CALLS - 1 ? { content: `All done in the ${take} take.` } : call(step + 1),
      );
  mock.on({ userMessage: 'Do all the steps', hasToolResult: false }, call(1));
}

/** A server that was not written by us, and counts what it is asked. */
describe('re-recording from here', function () {
  this.timeout(60_000);
  let mock: LLMock;

  before(async () => {
    mock = new LLMock({ port: 0 });
    await mock.start();
  });

  after(() => mock.stop());

  const formats = [
    { format: mofaFormat, file: 't.tape.json' },
    { format: vcrpyFormat, file: 't.yaml' },
    { format: reynFormat, file: 't.jsonl' },
    { format: tapedeckFormat, file: 't.tape.jsonl' },
  ];
  for (const { format, file } of formats)
    for (const from of [KEPT, 'drift'] as const)
      it(`asks nothing before the 25th request, and keeps the first 24 of a ${format.label} (from ${from})`, async () => {
        await inFolder(async (root) => {
          const casePath = join(root, 'forty.toml');
          const tapePath = join(root, file);
          const run = (options: Pick<RunCaseOptions, 'mode'> & Partial<RunCaseOptions>): Promise<RunResult> =>
            runCase(casePath, {
              root,
              permitStart: startedByUser,
              recorders: RECORDERS,
              signal: NEVER,
              network: NetworkPolicy.for(options.mode, keysOf({ OPENAI_API_KEY: 'k' })),
              ...options,
            });
          await mkdir(root, { recursive: true });
          const before = { request: requestOf('hello'), response: { content: 'old', toolCalls: [] } };
          await writeFile(tapePath, format.serialise('forty', [before]));
          playSteps(mock, 'first');
          await writeFile(casePath, caseText(`${mock.url}/v1`, file));
          const recorded = await run({ mode: 'record' });
          assert.deepEqual([recorded.failures, recorded.recording?.interactions], [[], CALLS]);
          const old = await readFile(tapePath, 'utf8');
          const kept = old.slice(0, format.read(tapeFileFromText(old)).interactions[KEPT - 1]?.source.end);

          await writeFile(casePath, caseText(`${mock.url}/v1`, file, 'changed'));
          playSteps(mock, 'second');
          mock.clearRequests();
          const again = await run({ mode: 'record', from });
          assert.deepEqual([again.failures, again.outputText], [[], 'All done in the second take.']);
          assert.equal(mock.getRequests().length, CALLS - KEPT, 'calls of the server');
          const text = await readFile(tapePath, 'utf8');
          assert.ok(text.startsWith(kept), 'the first 24 are the same, byte for byte');
          const { interactions, problems } = format.read(tapeFileFromText(text));
          assert.deepEqual([interactions.length, problems.filter(({ severity }) => severity === 'error')], [CALLS, []]);
          assert.deepEqual(again.recording, { ...again.recording, interactions: CALLS, kept: KEPT });

          const match = format === reynFormat ? 'keyed' : 'exact';
          await writeFile(
            casePath,
            caseText(`${mock.url}/v1`, file, 'changed', `[llm.replay]\nmatch = "${match}"\nunused = "fail"`),
          );
          mock.clearRequests();
          const replayed = await run({ mode: 'replay' });
          assert.deepEqual([replayed.failures, replayed.outputText], [[], 'All done in the second take.']);
          assert.deepEqual(
            replayed.interactions?.map(({ verdict }) => verdict),
            interactions.map(() => 'exact'),
          );
          assert.equal(mock.getRequests().length, 0);
        });
      });
});
