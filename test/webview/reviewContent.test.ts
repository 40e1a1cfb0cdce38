import assert from 'node:assert/strict';
import { artifactPath, baselinePath, casePathOf, decisionPath } from '../../src/core/project/layout';
import type { Decision } from '../../src/core/review/changes';
import { type Artifact, writeArtifact } from '../../src/core/runs/artifact';
import { type ReviewFile, readReview } from '../../src/host/stores/readReview';

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
const RUN: Artifact = { ...BASELINE, execution_id: 'run-2', status: 'failed', output_text: 'We refund 40 EUR.' };

const file = (name: string, artifact: Artifact): ReviewFile => ({ name, text: writeArtifact(artifact) });
const run = file('.tapedeck/runs/refund.artifact.json', RUN);
const baseline = file('refund.baseline.json', BASELINE);
const decided = (decision: Decision): string => JSON.stringify(decision);

describe('readReview', () => {
  it('lists what differs, all of it open', () => {
    const { changes, pending, problem } = readReview(run, baseline);
    assert.deepEqual(
      changes.map(({ field, decision }) => [field, decision]),
      [
        ['status', 'open'],
        ['output_text', 'open'],
      ],
    );
    assert.equal(pending, 2);
    assert.equal(problem, undefined);
  });

  it('marks what was rejected of this very run', () => {
    const review = readReview(run, baseline, decided({ execution_id: 'run-2', rejected: ['status'] }));
    assert.deepEqual(
      review.changes.map(({ decision }) => decision),
      ['rejected', 'open'],
    );
    assert.equal(review.pending, 1);
  });

  it('forgets decisions about an older run, and broken ones', () => {
    assert.equal(readReview(run, baseline, decided({ execution_id: 'run-1', rejected: ['status'] })).pending, 2);
    assert.equal(readReview(run, baseline, '{').pending, 2);
  });

  it('has nothing for a run like its baseline', () => {
    assert.deepEqual(readReview(file('run', BASELINE), baseline).changes, []);
  });

  it('takes all of a first run for new', () => {
    const review = readReview(run);
    assert.equal(review.baseline, undefined);
    assert.deepEqual(
      review.changes.map(({ field, before }) => [field, before]),
      [
        ['status', ''],
        ['output_text', ''],
      ],
    );
  });

  it('names the broken file, the place and the way out', () => {
    const { problem, artifact, changes, pending } = readReview(
      { name: run.name, text: '{\n  "case_name": oops' },
      baseline,
    );
    assert.match(problem ?? '', /^\.tapedeck\/runs\/refund\.artifact\.json, line 2, column \d+: .+\. .+\.$/s);
    assert.deepEqual([artifact, changes, pending], [undefined, [], 0]);
  });

  it('does not take a broken baseline for none, which would invite to overwrite it', () => {
    const review = readReview(run, { name: baseline.name, text: '{}' });
    assert.match(review.problem ?? '', /^refund\.baseline\.json, line 1, column 1: .*case_name/);
    assert.equal(review.artifact?.execution_id, 'run-2');
    assert.equal(review.pending, 0);
  });
});

describe('casePathOf', () => {
  it('is the way back from the files of a case', () => {
    for (const path of ['refund.toml', 'cases/eu/refund.toml', 'a.b.toml', 'with space/x.toml'])
      for (const place of [artifactPath, baselinePath, decisionPath]) assert.equal(casePathOf(place(path)), path);
  });

  it('knows no case for other files', () => {
    for (const path of [
      'refund.toml',
      '.tapedeck/takes/x.json',
      '.tapedeck/runs/x.log',
      '.tapedeck/runs',
      'cases/.baseline.json',
    ])
      assert.equal(casePathOf(path), undefined);
  });

  it('takes no file of Tapedeck for a baseline', () => {
    assert.equal(casePathOf('.tapedeck/takes/x.baseline.json'), undefined);
  });
});
