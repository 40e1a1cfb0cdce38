import assert from 'node:assert/strict';
import { writeArtifact } from '../../../../src/core/cases/artifactFile';
import type { Artifact } from '../../../../src/core/model/artifact';
import { artifactPath, baselinePath, decisionPath, owningCasePath } from '../../../../src/core/project/layout';
import { decide, writeDecisions } from '../../../../src/core/review/decisions';
import { type ReviewFile, type ReviewFiles, readReview } from '../../../../src/host/stores/reviews/readReview';

const BASELINE: Artifact = {
  case_name: 'refund_question',
  status: 'passed',
  output_text: 'We refund 42.50 EUR.',
  runner_error: null,
  duration_ms: 12,
  started_at_ms: 1_700_000_000_000,
  execution_id: 'run-1',
  session_id: null,
  workspace_root: '/project',
  agent: { id: 'agent', name: 'Agent' },
  assertions: [],
  tool_calls: [],
  llm_request: null,
  llm_response: null,
  session_snapshot: null,
  workspace_before: { files: [] },
  workspace_after: { files: [] },
};
const RUN: Artifact = {
  ...BASELINE,
  execution_id: 'run-2',
  status: 'failed',
  output_text: 'We refund 40 EUR.',
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (name: string, artifact: Artifact): ReviewFile => ({ name, bytes: bytesOf(writeArtifact(artifact)) });
const run = file('.tapedeck/runs/refund.artifact.json', RUN);
const baseline = file('refund.baseline.json', BASELINE);
/** The decision file in which these changes of the review are rejected. */
const rejecting = (ids: readonly string[]): ReviewFile => ({
  name: '.tapedeck/reviews/refund.json',
  bytes: bytesOf(writeDecisions(decide({}, ids, 'rejected', 'not what we promise'))),
});

describe('readReview', () => {
  it('has nothing to decide about a run that ended in an error, and says why', async () => {
    const drifted = file('.tapedeck/runs/refund.artifact.json', { ...RUN, runner_error: 'no recording for request 1' });
    const { changes, pending, problem } = await readReview({ artifact: drifted, baseline });
    assert.deepEqual([changes, pending], [[], 0]);
    assert.equal(problem, 'The last run ended in an error, so there is nothing to review: no recording for request 1');
  });

  it('lists what differs, all of it open', async () => {
    const { changes, hidden, pending, problem } = await readReview({ artifact: run, baseline });
    assert.deepEqual(
      changes.map(({ title, decision }) => [title, decision]),
      [
        ['Status', 'open'],
        ['Output', 'open'],
      ],
    );
    assert.deepEqual(
      hidden.map(({ place, rules }) => [place.path.join('.'), rules]),
      [['execution_id', ['run']]],
    );
    assert.equal(pending, 2);
    assert.equal(problem, undefined);
  });

  it('marks what was rejected, with the reason, in this run and in a later one that differs in the same', async () => {
    const [status] = (await readReview({ artifact: run, baseline })).changes;
    const later = file('later', { ...RUN, execution_id: 'run-3', started_at_ms: 5 });
    for (const artifact of [run, later]) {
      const review = await readReview({ artifact, baseline, decisions: rejecting([status?.id ?? '']) });
      assert.deepEqual(
        review.changes.map(({ decision, reason }) => [decision, reason]),
        [
          ['rejected', 'not what we promise'],
          ['open', undefined],
        ],
      );
      assert.equal(review.pending, 1);
    }
  });

  it('asks again when the difference is another one, and forgets a broken decision file', async () => {
    const ids = (await readReview({ artifact: run, baseline })).changes.map(({ id }) => id);
    const other = file('other', { ...RUN, output_text: 'We refund 30 EUR.' });
    assert.equal((await readReview({ artifact: other, baseline, decisions: rejecting(ids) })).pending, 1);
    assert.equal(
      (await readReview({ artifact: run, baseline, decisions: { name: 'd', bytes: bytesOf('{') } })).pending,
      2,
    );
  });

  it('hides what the project says means nothing', async () => {
    const config = { name: 'tapedeck.toml', bytes: bytesOf('[normalise]\nignore = ["output_text"]\n') };
    const { changes } = await readReview({ artifact: run, baseline, config });
    assert.deepEqual(
      changes.map(({ title }) => title),
      ['Status'],
    );
  });

  it('hides what the case says means nothing, besides what the project says', async () => {
    const rules = (ignored: string): string => `[normalise]\nignore = ["${ignored}"]\n`;
    const ofCase = (toml: string) => ({ name: 'a.toml', bytes: bytesOf(`name = "a"\nprompt = "p"\n${toml}`) });
    const config = { name: 'tapedeck.toml', bytes: bytesOf(rules('status')) };
    const titles = async (files: Pick<ReviewFiles, 'case' | 'config'>): Promise<readonly string[]> =>
      (await readReview({ artifact: run, baseline, ...files })).changes.map(({ title }) => title);
    assert.deepEqual(await titles({ case: ofCase(rules('output_text')) }), ['Status']);
    assert.deepEqual(await titles({ case: ofCase(rules('output_text')), config }), []);
    assert.deepEqual(await titles({ case: ofCase('') }), ['Status', 'Output']);
    assert.deepEqual(await titles({ case: ofCase('[normalise\n') }), ['Status', 'Output']);
  });

  it('has nothing for a run like its baseline', async () => {
    assert.deepEqual((await readReview({ artifact: file('run', BASELINE), baseline })).changes, []);
  });

  it('takes all of a first run for new', async () => {
    const review = await readReview({ artifact: run });
    assert.equal(review.baseline, undefined);
    assert.ok(review.changes.length > 0 && review.changes.every(({ before }) => before === ''));
  });

  it('names the broken file, the place and the way out', async () => {
    const { problem, artifact, changes, pending } = await readReview({
      artifact: { name: run.name, bytes: bytesOf('{\n  "case_name": oops') },
      baseline,
    });
    assert.match(problem ?? '', /^\.tapedeck\/runs\/refund\.artifact\.json, line 2, column \d+: .+\. .+\.$/s);
    assert.deepEqual([artifact, changes, pending], [undefined, [], 0]);
  });

  it('does not take a broken baseline for none, which would invite to overwrite it', async () => {
    const review = await readReview({ artifact: run, baseline: { name: baseline.name, bytes: bytesOf('{}') } });
    assert.match(review.problem ?? '', /^refund\.baseline\.json, line 1, column 1: .*case_name/);
    assert.equal(review.artifact?.execution_id, 'run-2');
    assert.equal(review.pending, 0);
  });
});

describe('casePathOf', () => {
  it('is the way back from the files of a case', () => {
    for (const path of ['refund.toml', 'cases/eu/refund.toml', 'a.b.toml', 'with space/x.toml'])
      for (const place of [artifactPath, baselinePath, decisionPath]) assert.equal(owningCasePath(place(path)), path);
  });

  it('knows no case for other files', () => {
    for (const path of [
      'refund.toml',
      '.tapedeck/takes/x.json',
      '.tapedeck/runs/x.log',
      '.tapedeck/runs',
      'cases/.baseline.json',
    ])
      assert.equal(owningCasePath(path), undefined);
  });

  it('takes no file of Tapedeck for a baseline', () => {
    assert.equal(owningCasePath('.tapedeck/takes/x.baseline.json'), undefined);
  });
});
