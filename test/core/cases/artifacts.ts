import fc from 'fast-check';
import type { Json } from '../../../src/core/json/json';
import type { Artifact, AssertionResult, ToolCallRecord, WorkspaceFile } from '../../../src/core/model/artifact';

/** A passed run without tools; `changes` makes it the run a test is about. */
export function artifactOf(changes: Partial<Artifact> = {}): Artifact {
  return {
    case_name: 'greeting',
    status: 'passed',
    output_text: 'hello',
    runner_error: null,
    duration_ms: 12,
    started_at_ms: 1_700_000_000_000,
    execution_id: 'exec-1',
    session_id: null,
    workspace_root: 'workspace',
    agent: { id: 'agent', name: 'Agent' },
    assertions: [],
    tool_calls: [],
    llm_request: null,
    llm_response: null,
    session_snapshot: null,
    workspace_before: { files: [] },
    workspace_after: { files: [] },
    ...changes,
  };
}

/** The members of an artifact, in MoFA's order. */
export const ARTIFACT_KEYS = [
  'case_name',
  'status',
  'output_text',
  'runner_error',
  'duration_ms',
  'started_at_ms',
  'execution_id',
  'session_id',
  'workspace_root',
  'agent',
  'assertions',
  'tool_calls',
  'llm_request',
  'llm_response',
  'session_snapshot',
  'workspace_before',
  'workspace_after',
];

export function toolCallOf(changes: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return {
    tool_name: 'search',
    input: {},
    output: null,
    success: true,
    duration_ms: null,
    timed_out: false,
    ...changes,
  };
}

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const word = fc.constantFrom('', 'a', 'b', 'é\u{1F600}');
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const assertion: fc.Arbitrary<AssertionResult> = fc.record({
  kind: fc.constantFrom('contains', 'tool_called'),
  expected: word,
  actual: word,
  passed: fc.boolean(),
});

const toolCall: fc.Arbitrary<ToolCallRecord> = fc.record({
  tool_name: word,
  input: json,
  output: json,
  success: fc.boolean(),
  duration_ms: fc.option(fc.nat()),
  timed_out: fc.boolean(),
});

const file: fc.Arbitrary<WorkspaceFile> = fc.record({
  relative_path: word,
  size_bytes: fc.nat(),
  modified_ms: fc.option(fc.nat()),
  checksum: u64,
});
const workspace = fc.record({ files: fc.array(file, { maxLength: 2 }) });

/** Artifacts that often agree in some fields, so that comparisons see both outcomes. */
export const artifact: fc.Arbitrary<Artifact> = fc.record({
  case_name: fc.constant('c'),
  status: fc.constantFrom('passed', 'failed'),
  output_text: fc.option(word),
  runner_error: fc.option(word),
  duration_ms: fc.nat(),
  started_at_ms: fc.nat(),
  execution_id: fc.uuid(),
  session_id: fc.option(word),
  workspace_root: word,
  agent: fc.record({ id: word, name: word }),
  assertions: fc.array(assertion, { maxLength: 2 }),
  tool_calls: fc.array(toolCall, { maxLength: 2 }),
  llm_request: json,
  llm_response: json,
  session_snapshot: fc.option(
    fc.record({ messages: fc.array(fc.record({ role: word, content: word }), { maxLength: 2 }) }),
  ),
  workspace_before: workspace,
  workspace_after: workspace,
});
