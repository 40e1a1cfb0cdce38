import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonEqual } from '../../../src/core/json/json';
import {
  acceptFields,
  type Change,
  pendingChanges,
  readDecision,
  reviewChanges,
} from '../../../src/core/review/changes';
import type { Artifact } from '../../../src/core/runs/artifact';
import { compareArtifacts, REVIEW_FIELDS } from '../../../src/core/runs/compareArtifacts';
import { artifact, artifactOf, toolCallOf } from '../runs/artifacts';

const fieldsOf = (changes: readonly Change[]): string[] => changes.map(({ field }) => field);

describe('reviewChanges', () => {
  it('shows what differs as two texts', () => {
    const baseline = artifactOf();
    const candidate = artifactOf({
      status: 'failed',
      output_text: null,
      tool_calls: [toolCallOf({ input: { q: 'x' } })],
    });
    assert.deepEqual(reviewChanges(baseline, candidate), [
      { field: 'status', title: 'Status', before: 'passed', after: 'failed', language: 'plaintext' },
      { field: 'output_text', title: 'Output', before: 'hello', after: '', language: 'plaintext' },
      {
        field: 'tool_calls',
        title: 'Tool calls',
        before: '[]',
        after: [
          '[',
          '  {',
          '    "tool_name": "search",',
          '    "input": {',
          '      "q": "x"',
          '    },',
          '    "output": null,',
          '    "success": true',
          '  }',
          ']',
        ].join('\n'),
        language: 'json',
      },
    ]);
  });

  it('shows all that a first run has, against nothing', () => {
    const changes = reviewChanges(undefined, artifactOf({ tool_calls: [toolCallOf()] }));
    assert.deepEqual(fieldsOf(changes), ['status', 'output_text', 'tool_calls']);
    for (const { before, after } of changes) {
      assert.equal(before, '');
      assert.notEqual(after, '');
    }
  });

  it('finds nothing between a run and itself', () => {
    fc.assert(fc.property(artifact, (run) => assert.deepEqual(reviewChanges(run, structuredClone(run)), [])));
  });

  it('has each field once, and two texts that differ wherever the values do', () => {
    fc.assert(
      fc.property(artifact, artifact, (baseline, candidate) => {
        const changes = reviewChanges(baseline, candidate);
        assert.equal(new Set(fieldsOf(changes)).size, changes.length);
        const { differences } = compareArtifacts(baseline, candidate, REVIEW_FIELDS);
        assert.deepEqual(
          fieldsOf(changes),
          differences.map(({ field }) => field),
        );
        // No text and an empty text look the same; that is the one difference without a sight.
        for (const { field, before, after } of changes)
          if (before === after) assert.ok(before === '' && ['output_text', 'runner_error'].includes(field), field);
      }),
    );
  });
});

describe('acceptFields', () => {
  /** A run that differs from its baseline at least in its outcome. */
  const runs = fc.tuple(artifact, artifact).map(([baseline, candidate]): [Artifact, Artifact] => {
    const status = baseline.status === 'passed' ? 'failed' : 'passed';
    return [baseline, { ...candidate, status }];
  });
  const subset = fc.subarray(REVIEW_FIELDS.map(([field]) => field));

  it('gives the run itself when everything that differs is accepted', () => {
    fc.assert(
      fc.property(runs, ([baseline, candidate]) => {
        const all = fieldsOf(reviewChanges(baseline, candidate));
        assert.equal(acceptFields(baseline, candidate, all), candidate);
      }),
    );
  });

  it('gives the baseline when nothing is accepted', () => {
    fc.assert(
      fc.property(runs, ([baseline, candidate]) => {
        assert.ok(jsonEqual(acceptFields(baseline, candidate, []), baseline));
      }),
    );
  });

  it('leaves exactly the changes that were not accepted', () => {
    fc.assert(
      fc.property(runs, subset, ([baseline, candidate], fields) => {
        const changes = reviewChanges(baseline, candidate);
        const accepted = acceptFields(baseline, candidate, fields);
        const left = changes.filter(({ field }) => !fields.includes(field));
        assert.deepEqual(reviewChanges(accepted, candidate), left);
      }),
    );
  });

  it('takes nothing of the run but the accepted fields, while others are open', () => {
    fc.assert(
      fc.property(runs, subset, ([baseline, candidate], fields) => {
        const accepted = acceptFields(baseline, candidate, fields);
        fc.pre(accepted !== candidate);
        for (const key of Object.keys(baseline) as (keyof typeof baseline)[]) {
          const source = fields.includes(key) ? candidate : baseline;
          assert.ok(jsonEqual(accepted[key], source[key]), key);
        }
      }),
    );
  });

  it('does not mind in how many steps, and in which order, changes are accepted', () => {
    fc.assert(
      fc.property(runs, fc.nat(), ([baseline, candidate], turn) => {
        const fields = fieldsOf(reviewChanges(baseline, candidate));
        const rotated = fields.map((_, index) => fields[(index + turn) % fields.length] ?? '');
        const stepwise = rotated.reduce((current, field) => acceptFields(current, candidate, [field]), baseline);
        assert.equal(stepwise, candidate);
      }),
    );
  });

  it('changes neither of its artifacts', () => {
    fc.assert(
      fc.property(runs, subset, ([baseline, candidate], fields) => {
        const before = structuredClone([baseline, candidate]);
        acceptFields(baseline, candidate, fields);
        assert.ok(jsonEqual([baseline, candidate], before));
      }),
    );
  });

  it('makes a first run the baseline', () => {
    const run = artifactOf();
    assert.equal(acceptFields(undefined, run, fieldsOf(reviewChanges(undefined, run))), run);
    assert.deepEqual(reviewChanges(acceptFields(undefined, run, ['status']), run), []);
  });
});

describe('pendingChanges', () => {
  const candidate = artifactOf({ output_text: 'bye', status: 'failed' });
  const changes = reviewChanges(artifactOf(), candidate);

  it('leaves out what was rejected for this very run', () => {
    const decision = { execution_id: candidate.execution_id, rejected: ['status', 'no_such_field'] };
    assert.deepEqual(fieldsOf(pendingChanges(changes, candidate, decision)), ['output_text']);
  });

  it('asks again when the case has run since, and when nothing was decided', () => {
    assert.deepEqual(pendingChanges(changes, candidate), changes);
    assert.deepEqual(pendingChanges(changes, candidate, { execution_id: 'exec-0', rejected: ['status'] }), changes);
  });
});

describe('readDecision', () => {
  it('reads a decision', () => {
    const decision = { execution_id: 'e', rejected: ['status'] };
    assert.deepEqual(readDecision(JSON.stringify({ ...decision, future: 1 })), decision);
  });

  it('takes only names out of the list', () => {
    assert.deepEqual(readDecision('{"execution_id": "e", "rejected": ["a", 1, null]}')?.rejected, ['a']);
  });

  it('decides nothing when the file is broken', () => {
    for (const text of ['', '{', '[]', 'null', '{"execution_id": 1, "rejected": []}', '{"execution_id": "e"}'])
      assert.equal(readDecision(text), undefined, text);
  });
});
