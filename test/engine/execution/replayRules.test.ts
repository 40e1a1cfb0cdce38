import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT_CODES, exitCode } from '../../../src/core/cases/runOutcome';
import type { ChatRequest } from '../../../src/core/model/message';
import type { RequestedMode, RunResult } from '../../../src/core/model/run';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { tapedeckFormat } from '../../../src/core/tapes/formats/tapedeck/index';
import { runCase } from '../../../src/engine/cases/runCase';
import { AgentConversation } from '../../../src/engine/execution/agentConversation';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import { keysOf } from '../../harness/network';
import { caseOf, inFolder, NEVER, RECORDERS } from '../../harness/support';

const caseText = (prompt: string, replay: string, more = ''): string =>
  `name = "shop"\nprompt = "${prompt}"\n${more}\n[llm]\ntape = "t.tape.json"\n[llm.replay]\n${replay}\n`;

/** The first request of a case's agent. */
const asked = (prompt: string, more = ''): ChatRequest =>
  new AgentConversation(caseOf(caseText(prompt, '', more))).request();
const answer = (content: string) => ({ content, toolCalls: [] });

/** Replays a case against a tape of these requests. */
async function replayed(text: string, tape: string, mode: RequestedMode = 'replay', project = ''): Promise<RunResult> {
  let result: RunResult | undefined;
  await inFolder(async (root) => {
    await writeFile(join(root, 'shop.toml'), text);
    await writeFile(join(root, 't.tape.json'), tape);
    await writeFile(join(root, 'tapedeck.toml'), project);
    result = await runCase(join(root, 'shop.toml'), {
      root,
      permitStart: startedByUser,
      recorders: RECORDERS,
      mode,
      signal: NEVER,
      network: NetworkPolicy.for(mode, keysOf({})),
    });
  });
  assert.ok(result);
  return result;
}

const tapeOf = (...prompts: string[]): string =>
  mofaFormat.serialise(
    'shop',
    prompts.map((prompt) => ({ request: asked(prompt), response: answer(`to ${prompt}`) })),
  );
const verdicts = ({ interactions = [] }: RunResult) => interactions.map(({ verdict, index }) => [verdict, index]);

describe('a replay by the rules of its case', () => {
  it('serves the recording of the request, wherever it stands', async () => {
    const result = await replayed(caseText('two', 'match = "exact"'), tapeOf('one', 'two', 'three'));
    assert.deepEqual([result.status, result.outputText], ['passed', 'to two']);
    assert.deepEqual(verdicts(result), [
      ['exact', 1],
      ['unused', 0],
      ['unused', 2],
    ]);
    assert.match(result.compared, /1 of 1 request exact · 2 of 3 recordings unused/);
  });

  it('fails with code 4 where the request drifted, and says how', async () => {
    const result = await replayed(caseText('Refund order 18', 'match = "exact"'), tapeOf('Refund order 17'));
    assert.equal(exitCode([result]), EXIT_CODES.drifted);
    const [failure] = result.failures;
    assert.match(
      failure?.message ?? '',
      /^this request is not on t\.tape\.json: it differs from interaction 1 in one place/,
    );
    assert.match(failure?.message ?? '', /message 2 \(user\) edited: "Refund order \[-17-\]\{\+18\+\}"/);
    assert.match(failure?.fix ?? '', /tapedeck run shop\.toml --record --from 1/);
    assert.deepEqual([failure?.miss?.at, failure?.miss?.nearest, failure?.miss?.masks], [0, 0, []]);
    assert.deepEqual(verdicts(result)[0], ['drifted', undefined]);
  });

  it('serves under the masks of the case what differs in a date only, and proposes the mask where it is missing', async () => {
    const tape = tapeOf('Today is 2026-04-04. Any news?');
    const prompt = 'Today is 2026-11-22. Any news?';
    const missed = await replayed(caseText(prompt, 'match = "exact"'), tape);
    const { masks, line } = missed.failures[0]?.miss ?? {};
    assert.deepEqual([masks, line], [['date'], 'user: 2026-04-04 → 2026-11-22']);
    const served = await replayed(caseText(prompt, 'match = "exact"\nmask = ["date"]'), tape);
    assert.deepEqual(verdicts(served), [['masked', 0]]);
  });

  it('fails with code 5 where recordings are left, and that is to fail', async () => {
    const result = await replayed(caseText('one', 'match = "exact"\nfail_on_unused = true'), tapeOf('one', 'two'));
    assert.equal(exitCode([result]), EXIT_CODES.unused);
    assert.deepEqual(
      result.failures.map(({ message }) => message),
      ['t.tape.json: interaction 2 was not used'],
    );
  });

  it('reports expired recordings', async () => {
    const recorded = { request: asked('one'), response: answer('old'), timing: { recordedAt: '2020-01-01T00:00:00Z' } };
    const tape = tapedeckFormat.serialise('shop', [recorded]);
    const reported = await replayed(caseText('one', 'match = "exact"\nmax_age_days = 30'), tape);
    assert.deepEqual([reported.status, verdicts(reported)], ['passed', [['expired', 0]]]);
    const rules = 'match = "exact"\nmax_age_days = 30\nfail_on_expired = true';
    const failed = await replayed(caseText('one', rules), tape);
    assert.equal(exitCode([failed]), EXIT_CODES.unused);
    assert.match(failed.failures[0]?.message ?? '', /interaction 1 was recorded more than 30 days ago/);
  });

  it('says that the age of recordings without a date is not known', async () => {
    const rules = 'match = "exact"\nmax_age_days = 30\nfail_on_expired = true';
    const undated = await replayed(caseText('one', rules), tapeOf('one', 'two'));
    assert.equal(undated.status, 'passed');
    assert.match(undated.compared, /max_age_days does not apply to the recordings: the tape does not say when/);
    const timing = { recordedAt: new Date().toISOString() };
    const dated = tapedeckFormat.serialise('shop', [{ request: asked('one'), response: answer('new'), timing }]);
    assert.doesNotMatch((await replayed(caseText('one', rules), dated)).compared, /max_age_days/);
    assert.doesNotMatch((await replayed(caseText('one', 'match = "exact"'), tapeOf('one'))).compared, /max_age_days/);
  });

  it('without rules refuses what is not the next request as it was recorded', async () => {
    const result = await replayed(caseText('another', ''), tapeOf('one'));
    assert.equal(exitCode([result]), EXIT_CODES.drifted);
    assert.deepEqual([result.outputText, verdicts(result)[0]], [undefined, ['drifted', undefined]]);
    assert.match(result.failures[0]?.message ?? '', /message 2 \(user\) edited: "one" → "another"/);
    assert.match(result.failures[0]?.fix ?? '', /tapedeck run shop\.toml --record --from 1/);
  });

  it('serves what drifted where the case says so, and counts and explains it', async () => {
    for (const match of ['sequence', 'exact', 'subset', 'keyed']) {
      const result = await replayed(caseText('another', `match = "${match}"\non_drift = "warn"`), tapeOf('one'));
      assert.deepEqual([result.status, result.outputText, verdicts(result)], ['passed', 'to one', [['differs', 0]]]);
      assert.match(result.compared, /1 of 1 request is not as recorded \(on_drift = "warn"\)/);
      assert.match(result.interactions?.[0]?.explanation ?? '', /message 2 \(user\) edited: "one" → "another"/);
    }
  });

  it('takes the rules of the project where the case has none, and adds up the masks', async () => {
    const project = '[replay]\nmatch = "exact"\nmask = ["date"]\non_drift = "warn"\n';
    const tape = tapeOf('zero', 'On 2026-04-04, in room /tmp/a1');
    const passed = await replayed(caseText('another', ''), tape, 'replay', project);
    assert.deepEqual([passed.status, verdicts(passed)[0]], ['passed', ['differs', 0]]);
    const failed = await replayed(caseText('another', 'on_drift = "fail"'), tape, 'replay', project);
    assert.deepEqual([failed.status, verdicts(failed)[0]], ['failed', ['drifted', undefined]]);
    const masked = await replayed(
      caseText('On 2026-11-22, in room /tmp/b2', 'mask = ["temp-path"]'),
      tape,
      'replay',
      project,
    );
    assert.deepEqual(verdicts(masked)[0], ['masked', 1]);
    const broken = await replayed(caseText('another', ''), tape, 'replay', '[replay]\non_drift = "never"\n');
    assert.equal(broken.status, 'failed', 'the strictest rules hold where the configuration is broken');
  });

  it('fails where the tape lacks a request, and says when on_miss counts', async () => {
    const provider = '[llm.provider]\nkind = "practice"';
    for (const onMiss of ['record', 'passthrough']) {
      const missed = await replayed(
        caseText('new', `match = "exact"\non_miss = "${onMiss}"\n${provider}`),
        tapeOf('one'),
      );
      assert.deepEqual(
        [missed.status, verdicts(missed)[0], missed.recording],
        ['failed', ['drifted', undefined], undefined],
      );
      assert.match(
        missed.failures[0]?.fix ?? '',
        new RegExp(`on_miss = "${onMiss}" of the case counts only when recording`),
      );
    }
  });

  it('in a recording sends requests that the tape lacks to a model, and appends the responses, as the case says', async () => {
    const provider = '[llm.provider]\nkind = "practice"';
    const tape = tapeOf('one');
    const passed = await replayed(
      caseText('new', `match = "exact"\non_miss = "passthrough"\n${provider}`),
      tape,
      'record',
    );
    assert.deepEqual(
      [passed.status, verdicts(passed)[0], passed.recording],
      ['passed', ['passed', undefined], undefined],
    );
    assert.match(passed.compared, /on_miss = "passthrough": 1 request without a recording passed on/);
    const kept = await replayed(caseText('new', `match = "exact"\non_miss = "record"\n${provider}`), tape, 'record');
    assert.deepEqual([kept.status, verdicts(kept)[0]], ['passed', ['recorded', undefined]]);
    assert.deepEqual([kept.recording?.interactions, kept.recording?.kept], [2, 1]);
    const lost = await replayed(caseText('new', 'match = "exact"\non_miss = "record"'), tape, 'record');
    assert.match(lost.failures[0]?.message ?? '', /no provider is configured/);
  });

  it('gives the agent the pinned time, so that no date breaks the match', async () => {
    const agent = '[agent]\nclock = "2026-04-04T14:22:00Z"';
    assert.match(asked('one', agent).messages[0]?.content ?? '', /## Current Time\n2026-04-04 14:22 \(Saturday\)$/);
    const tape = mofaFormat.serialise('shop', [{ request: asked('one', agent), response: answer('yes') }]);
    assert.deepEqual(verdicts(await replayed(caseText('one', 'match = "exact"', agent), tape)), [['exact', 0]]);
  });
});
