import { type MofaCase, toml } from '../mofaCase';
import { runOf } from './common';

const TOOLS = [{ name: 'add', description: 'Adds.', schema: {}, result: { sum: 3 } }];
const CASE = toml({
  name: 'compared',
  prompt: 'Add.',
  tools: TOOLS,
  llm: {
    steps: [
      { type: 'tool_call', tool: 'add', arguments: { a: 1 } },
      { type: 'text', content: 'Three.' },
    ],
  },
  assert: { contains: 'Three', tool_called: 'add' },
});

type Fields = Readonly<Record<string, unknown>>;

const CALL = {
  tool_name: 'add',
  input: { a: 1 },
  output: { sum: 3 },
  success: true,
  duration_ms: 0,
  timed_out: false,
};
const ASSERTIONS = [
  { kind: 'contains', expected: 'Three', actual: 'Three.', passed: true },
  { kind: 'tool_called', expected: 'add', actual: ['add'], passed: true },
];
const FILE = { relative_path: 'a', size_bytes: 1, modified_ms: null, checksum: 1 };
const MESSAGE = { role: 'user', content: 'Add.', tool_call_id: null, tool_calls: [] };

/** An artifact that our case matches, written by hand. */
const ARTIFACT: Fields = {
  case_name: 'compared',
  status: 'passed',
  output_text: 'Three.',
  runner_error: null,
  duration_ms: 3,
  started_at_ms: 1767225600000,
  execution_id: 'the-baseline',
  session_id: 'the-session',
  workspace_root: '/nowhere',
  agent: { id: 'an-agent', name: 'LLMExecutor' },
  assertions: ASSERTIONS,
  tool_calls: [CALL],
  llm_request: { model: null, temperature: null, max_tokens: null, messages: [MESSAGE], tool_names: ['add'] },
  llm_response: { content: 'Three.', tool_calls: [], usage: null },
  session_snapshot: { messages: [{ role: 'user', content: 'Add.' }] },
  workspace_before: { files: [] },
  workspace_after: { files: [FILE] },
};

const VALUES: readonly (readonly [string, unknown])[] = [
  ['left out', undefined],
  ['null', null],
  ['a number', 7],
  ['another text', 'other'],
];

/** Changes within a field. */
const CHANGES: readonly (readonly [string, Fields])[] = [
  ['nothing', {}],
  ['a failed status', { status: 'failed' }],
  ['an empty output', { output_text: '' }],
  ['an assertion that failed', { assertions: [{ ...ASSERTIONS[0], passed: false }, ASSERTIONS[1]] }],
  ['the assertions in the other order', { assertions: [...ASSERTIONS].reverse() }],
  ['one assertion', { assertions: [ASSERTIONS[0]] }],
  ['other words of an assertion', { assertions: [{ ...ASSERTIONS[0], expected: 'x', actual: null }, ASSERTIONS[1]] }],
  ['an assertion without its outcome', { assertions: [{ kind: 'contains', expected: 'a', actual: 'b' }] }],
  ['an assertion without what it expects', { assertions: [{ kind: 'contains', passed: true }] }],
  ['an outcome that is a text', { assertions: [{ ...ASSERTIONS[0], passed: 'true' }] }],
  ['no calls', { tool_calls: [] }],
  ['two calls', { tool_calls: [CALL, CALL] }],
  ['another tool', { tool_calls: [{ ...CALL, tool_name: 'sub' }] }],
  ['other arguments', { tool_calls: [{ ...CALL, input: 9, output: null, success: false }] }],
  ['a call without a name', { tool_calls: [{ input: {}, success: true, timed_out: false }] }],
  ['a call without a success', { tool_calls: [{ ...CALL, success: undefined }] }],
  ['a call with a text as time', { tool_calls: [{ ...CALL, duration_ms: 'x' }] }],
  ['a call without arguments', { tool_calls: [{ ...CALL, input: undefined }] }],
  ['an agent without an id', { agent: { name: 'x' } }],
  ['an agent with a number as name', { agent: { id: 'x', name: 7 } }],
  ['a negative time', { duration_ms: -1 }],
  ['a time that is a float', { duration_ms: 1.5 }],
  ['a file without a checksum', { workspace_after: { files: [{ ...FILE, checksum: undefined }] } }],
  ['a checksum that is a text', { workspace_after: { files: [{ ...FILE, checksum: '1' }] } }],
  ['a negative size', { workspace_before: { files: [{ ...FILE, size_bytes: -1 }] } }],
  ['a file without a path', { workspace_before: { files: [{ ...FILE, relative_path: undefined }] } }],
  ['files that are a table', { workspace_before: { files: {} } }],
  ['a request without messages', { llm_request: { tool_names: [] } }],
  ['a request without tool names', { llm_request: { messages: [] } }],
  ['a message without a role', { llm_request: { messages: [{ content: 'x', tool_calls: [] }], tool_names: [] } }],
  ['a message without tool calls', { llm_request: { messages: [{ role: 'user' }], tool_names: [] } }],
  ['a response without tool calls', { llm_response: { content: 'x' } }],
  ['usage without a total', { llm_response: { tool_calls: [], usage: { prompt_tokens: 1, completion_tokens: 1 } } }],
  ['a session without messages', { session_snapshot: {} }],
  ['a session message without a content', { session_snapshot: { messages: [{ role: 'user' }] } }],
  ["Tapedeck's own member", { tapedeck: { mode: 'replay' } }],
  ['an unknown member', { extra: [1, 2] }],
];

const FLAGS = ['--baseline-in', 'b.json', '--comparison-out', 'c.json', '--fail-on-diff', '--artifact-out', 'x.json'];
const compared = (title: string, baseline: string | Uint8Array, flags: readonly string[] = FLAGS): MofaCase => ({
  ...runOf('baselines', title, CASE, { files: { 'b.json': baseline } }),
  args: ['test-dsl', 'a.toml', ...flags],
});

export function baselineCases(): readonly MofaCase[] {
  const each = Object.keys(ARTIFACT).flatMap((field) =>
    VALUES.map(([what, value]) => compared(`${field}: ${what}`, JSON.stringify({ ...ARTIFACT, [field]: value }))),
  );
  const changes = CHANGES.map(([title, change]) => compared(title, JSON.stringify({ ...ARTIFACT, ...change })));
  const differing = JSON.stringify({ ...ARTIFACT, status: 'failed', output_text: 'Four.', tool_calls: [] });
  return [
    ...each,
    ...changes,
    compared('differing, without --fail-on-diff', differing, ['--baseline-in', 'b.json']),
    compared('differing, as JSON', differing, ['--baseline-in', 'b.json', '--output-format', 'json', '--fail-on-diff']),
    compared('matching, as JSON', JSON.stringify(ARTIFACT), ['--baseline-in', 'b.json', '--output-format', 'json']),
    compared('replaced while it is compared', differing, ['--baseline-in', 'b.json', '--baseline-out', 'b.json']),
    compared('a report beside it', differing, ['--baseline-in', 'b.json', '--report-out', 'r.json', '--fail-on-diff']),
    compared('an empty file', ''),
    compared('a byte order mark', `\uFEFF${JSON.stringify(ARTIFACT)}`),
    compared('a field twice', JSON.stringify(ARTIFACT).replace('"status":', '"status":"failed","status":')),
    compared('a list', '[]'),
  ];
}
