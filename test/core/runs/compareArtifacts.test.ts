import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Artifact, readArtifact, writeArtifact } from '../../../src/core/runs/artifact';
import { compareArtifacts, MOFA_FIELDS, REVIEW_FIELDS } from '../../../src/core/runs/compareArtifacts';
import { artifact, artifactOf, toolCallOf } from './artifacts';

const passed = { kind: 'contains', expected: 'a', actual: 'a', passed: true };

/** The fields in which a run with `changes` differs from the same run without them. */
function changed(changes: Partial<Artifact>, from: Partial<Artifact> = {}, fields = MOFA_FIELDS): string[] {
  const { matches, differences } = compareArtifacts(artifactOf(from), artifactOf({ ...from, ...changes }), fields);
  assert.equal(matches, differences.length === 0);
  return differences.map(({ field }) => field);
}

describe('compareArtifacts with MoFA’s fields', () => {
  it('looks at status, output, assertions and tool calls, in this order', () => {
    const all = changed({
      tool_calls: [toolCallOf()],
      assertions: [passed],
      output_text: 'bye',
      status: 'failed',
    });
    assert.deepEqual(all, ['status', 'output_text', 'assertions', 'tool_calls']);
  });

  it('gives the baseline’s value as expected and the run’s as actual', () => {
    const { differences } = compareArtifacts(
      artifactOf(),
      artifactOf({ output_text: null, tool_calls: [toolCallOf({ tool_name: 'a' }), toolCallOf({ tool_name: 'b' })] }),
      MOFA_FIELDS,
    );
    assert.deepEqual(differences, [
      { field: 'output_text', expected: 'hello', actual: null },
      { field: 'tool_calls', expected: [], actual: ['a', 'b'] },
    ]);
  });

  it('looks at nothing else', () => {
    const file = { relative_path: 'a', size_bytes: 1, modified_ms: null, checksum: 1n };
    const rest: Partial<Artifact> = {
      case_name: 'other',
      runner_error: 'boom',
      duration_ms: 99,
      started_at_ms: 1,
      execution_id: 'exec-2',
      session_id: 's',
      workspace_root: 'elsewhere',
      agent: { id: 'x', name: 'y' },
      llm_request: { model: 'm' },
      llm_response: { content: 'c' },
      session_snapshot: { messages: [] },
      workspace_before: { files: [file] },
      workspace_after: { files: [file] },
      tapedeck: { mode: 'live' },
    };
    assert.deepEqual(changed(rest), []);
  });

  it('looks at the kind and the outcome of an assertion, not at its texts', () => {
    const from = { assertions: [passed] };
    assert.deepEqual(changed({ assertions: [{ ...passed, expected: 'b', actual: 'c' }] }, from), []);
    assert.deepEqual(changed({ assertions: [{ ...passed, passed: false }] }, from), ['assertions']);
    assert.deepEqual(changed({ assertions: [{ ...passed, kind: 'tool_called' }] }, from), ['assertions']);
    assert.deepEqual(changed({ assertions: [] }, from), ['assertions']);
  });

  it('looks at the names of tool calls and their order, not at what went in and out', () => {
    const a = toolCallOf({ tool_name: 'a' });
    const b = toolCallOf({ tool_name: 'b' });
    const from = { tool_calls: [a, b] };
    assert.deepEqual(changed({ tool_calls: [{ ...a, input: 1, output: 2, success: false }, b] }, from), []);
    assert.deepEqual(changed({ tool_calls: [b, a] }, from), ['tool_calls']);
    assert.deepEqual(changed({ tool_calls: [a] }, from), ['tool_calls']);
  });
});

describe('compareArtifacts with the review’s fields', () => {
  it('sees whatever MoFA sees', () => {
    fc.assert(
      fc.property(artifact, artifact, (baseline, candidate) => {
        const seen = compareArtifacts(baseline, candidate, REVIEW_FIELDS).differences.map(({ field }) => field);
        for (const { field } of compareArtifacts(baseline, candidate, MOFA_FIELDS).differences)
          assert.ok(seen.includes(field));
      }),
    );
  });

  it('sees what tools were given and answered, what was asserted, and the error', () => {
    const call = toolCallOf({ input: { id: 18446744073709551614n } });
    const from = { tool_calls: [call], assertions: [passed] };
    const see = (changes: Partial<Artifact>): string[] => changed(changes, from, REVIEW_FIELDS);
    assert.deepEqual(see({ tool_calls: [{ ...call, input: { id: 18446744073709551615n } }] }), ['tool_calls']);
    assert.deepEqual(see({ tool_calls: [{ ...call, output: 'x' }] }), ['tool_calls']);
    assert.deepEqual(see({ tool_calls: [{ ...call, success: false }] }), ['tool_calls']);
    assert.deepEqual(see({ assertions: [{ ...passed, expected: 'b' }] }), ['assertions']);
    assert.deepEqual(see({ runner_error: 'boom' }), ['runner_error']);
  });

  it('does not see durations, nor what an assertion happened to find', () => {
    const call = toolCallOf();
    const from = { tool_calls: [call], assertions: [passed] };
    const changes = {
      tool_calls: [{ ...call, duration_ms: 9, timed_out: true }],
      assertions: [{ ...passed, actual: 'ab' }],
    };
    assert.deepEqual(changed(changes, from, REVIEW_FIELDS), []);
  });

  it('finds no difference between a run and its own file', () => {
    fc.assert(
      fc.property(artifact, (run) => {
        const file = readArtifact(writeArtifact(run)).value;
        assert.ok(file);
        assert.deepEqual(compareArtifacts(file, run, REVIEW_FIELDS), { matches: true, differences: [] });
      }),
    );
  });
});
