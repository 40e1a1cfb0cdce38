import assert from 'node:assert/strict';
import { compareArtifacts, MOFA_FIELDS } from '../../../src/core/cases/artifactFile';
import type { Artifact } from '../../../src/core/model/artifact';
import { artifactOf, toolCallOf } from './artifacts';

const passed = { kind: 'contains', expected: 'a', actual: 'a', passed: true };

/** The fields in which a run with `changes` differs from the same run without them. */
function changed(changes: Partial<Artifact>, from: Partial<Artifact> = {}): string[] {
  const { matches, differences } = compareArtifacts(artifactOf(from), artifactOf({ ...from, ...changes }), MOFA_FIELDS);
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
