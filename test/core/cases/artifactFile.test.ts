import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readArtifact, writeArtifact, writeBaseline } from '../../../src/core/cases/artifactFile';
import { jsonEqual } from '../../../src/core/json/json';
import type { Artifact } from '../../../src/core/model/artifact';
import { ARTIFACT_KEYS, artifact, artifactOf, toolCallOf } from './artifacts';

function reread(text: string): Artifact {
  const { value, problems } = readArtifact(text);
  assert.deepEqual(problems, []);
  assert.ok(value);
  return value;
}

/** The artifact's text after `change` has had its way with the parsed JSON. */
function damaged(change: (value: Record<string, unknown>) => void): string {
  const value = JSON.parse(writeArtifact(artifactOf({ tool_calls: [toolCallOf()] }))) as Record<string, unknown>;
  change(value);
  return JSON.stringify(value, null, 2);
}

describe('an artifact on disk', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(artifact, (original) => {
        const text = writeArtifact(original);
        assert.ok(jsonEqual(reread(text), original));
        assert.equal(writeArtifact(reread(text)), text);
      }),
    );
  });

  it('keeps checksums that a double cannot hold', () => {
    const file = { relative_path: 'a', size_bytes: 1, modified_ms: null, checksum: 18446744073709551615n };
    const { workspace_after } = reread(writeArtifact(artifactOf({ workspace_after: { files: [file] } })));
    assert.deepEqual(workspace_after.files, [file]);
  });

  it('has MoFA’s fields in MoFA’s order, two spaces and no final newline', () => {
    const text = writeArtifact(artifactOf());
    assert.ok(text.startsWith('{\n  "case_name": "greeting",\n  "status": "passed",'));
    assert.ok(text.endsWith('\n}'));
    assert.deepEqual(Object.keys(JSON.parse(text) as object), ARTIFACT_KEYS);
  });

  it('is committed as a baseline without what differs in every run', () => {
    const ran = { command: ['a'], exit_code: 0, stdout: 'hello' };
    const run = artifactOf({
      workspace_root: '/tmp/run-1',
      tapedeck: { mode: 'replay', tape: 'a', process: { ...ran, stderr: '0.97 s' }, tape_uses: { a: [0] } },
    });
    const baseline = artifactOf({ workspace_root: '', tapedeck: { mode: 'replay', tape: 'a', process: ran } });
    assert.equal(writeBaseline(run), writeArtifact(baseline));
  });

  it('may leave out what Rust calls an Option', () => {
    const options = ['output_text', 'runner_error', 'session_id', 'llm_request', 'llm_response', 'session_snapshot'];
    const value = reread(
      damaged((fields) => {
        for (const key of options) delete fields[key];
      }),
    );
    for (const key of options) assert.equal(value[key as keyof Artifact], null, key);
  });

  it('keeps fields it does not know', () => {
    const value = reread(damaged((fields) => Object.assign(fields, { future: { x: 1 } })));
    assert.match(writeArtifact(value), /"future": \{\n {4}"x": 1/);
  });

  const required = [
    'case_name',
    'status',
    'duration_ms',
    'started_at_ms',
    'execution_id',
    'workspace_root',
    'agent',
    'assertions',
    'tool_calls',
    'workspace_before',
    'workspace_after',
  ];
  for (const key of required) {
    it(`needs ${key}`, () => {
      const text = damaged((fields) => delete fields[key]);
      const { value, problems } = readArtifact(text);
      assert.equal(value, undefined);
      assert.match(problems[0]?.message ?? '', new RegExp(`not a run artifact: ${key} is missing`));
      assert.equal(problems[0]?.span.start, 0);
    });
  }

  const wrong: Record<string, unknown> = {
    status: 'unknown',
    output_text: 5,
    runner_error: {},
    session_id: [],
    duration_ms: '1',
    agent: null,
    assertions: [{ kind: 'contains' }],
    tool_calls: [{ input: 1 }],
    session_snapshot: 'none',
    workspace_after: { files: {} },
  };
  for (const [key, bad] of Object.entries(wrong)) {
    it(`points at a wrong ${key}`, () => {
      const text = damaged((fields) => Object.assign(fields, { [key]: bad }));
      const { value, problems } = readArtifact(text);
      assert.equal(value, undefined);
      assert.match(problems[0]?.message ?? '', new RegExp(`${key} is missing or has the wrong type`));
      const { start, end } = problems[0]?.span ?? { start: 0, end: 0 };
      assert.deepEqual(JSON.parse(text.slice(start, end)), bad);
    });
  }

  it('is not any other JSON', () => {
    for (const text of ['[]', '3', 'null', '"artifact"', '{}', '{"__proto__": {"case_name": "x"}}'])
      assert.equal(readArtifact(text).problems.length, 1, text);
  });

  it('is read whole or not at all', () => {
    const text = writeArtifact(artifactOf());
    for (let end = 0; end < text.length; end += 1) {
      const { value, problems } = readArtifact(text.slice(0, end));
      assert.equal(value, undefined);
      assert.equal(problems.length, 1);
    }
  });
});
