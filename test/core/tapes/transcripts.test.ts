import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/model/message';
import type { Tape } from '../../../src/core/model/tape';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

function read(lines: readonly unknown[], format: string, end = '\n'): Tape {
  const file = tapeFileFromText(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + end).join(''),
  );
  const found = detectFormat(file);
  assert.equal(found?.id, format);
  const tape = found?.read(file);
  assert.ok(tape);
  return tape;
}

/** `user: hi` for a message, with the names of its calls. */
function linesOf(messages: readonly Message[] = []): string[] {
  return messages.map(({ role, content, toolCalls, toolCallId, isError }) =>
    [
      `${role}:`,
      content ?? '-',
      ...toolCalls.map(({ name, id }) => `→${name}/${id}`),
      ...(toolCallId === undefined ? [] : [`←${toolCallId}`]),
      ...(isError ? ['failed'] : []),
    ].join(' '),
  );
}

const item = (payload: unknown, second = 0): unknown => ({
  timestamp: `2026-01-01T00:00:0${second}.000Z`,
  type: 'response_item',
  payload,
});
const event = (payload: unknown): unknown => ({ timestamp: '2026-01-01T00:00:09.000Z', type: 'event_msg', payload });
const codexUser = (text: string): unknown =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const codexSays = (text: string, second = 2): unknown =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }, second);
const SESSION = {
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'session_meta',
  payload: { id: 'session-1', cli_version: '0.44.0', instructions: 'Be kind.' },
};
const CONTEXT = {
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'turn_context',
  payload: { model: 'gpt-x', effort: 'high', summary: 'auto' },
};

describe('the Codex rollout format', () => {
  const tools = [
    SESSION,
    CONTEXT,
    codexUser('list'),
    event({ type: 'user_message', message: 'list' }),
    item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think' }], encrypted_content: 'sealed' }, 1),
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }, 2),
    item({ type: 'custom_tool_call', name: 'patch', input: '*** Begin', call_id: 'c2' }, 3),
    event({
      type: 'token_count',
      info: { last_token_usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 5, total_tokens: 15 } },
    }),
    item({ type: 'function_call_output', call_id: 'c1', output: 'a.txt' }),
    item({ type: 'custom_tool_call_output', call_id: 'c2', output: 'done' }),
    codexSays('There is a.txt'),
    event({ type: 'agent_message', message: 'There is a.txt' }),
  ];

  it('joins the items between two inputs into one response', () => {
    const tape = read(tools, 'codex');
    assert.deepEqual([tape.name, tape.version, tape.records, tape.problems], ['session-1', '0.44.0', tools.length, []]);
    const [first, second, ...more] = tape.interactions;
    assert.deepEqual(more, []);
    assert.deepEqual(linesOf(first?.request?.messages), ['system: Be kind.', 'user: list']);
    assert.equal(first?.request?.model, 'gpt-x');
    assert.deepEqual(first?.request?.params, { reasoning_effort: 'high', reasoning_summary: 'auto' });
    assert.deepEqual(first?.response?.parts, [{ type: 'reasoning', text: 'Think', signature: 'sealed' }]);
    assert.deepEqual(
      first?.response?.toolCalls.map(({ name, arguments: args }) => [name, args]),
      [
        ['shell', { command: ['ls'] }],
        ['patch', '*** Begin'],
      ],
    );
    assert.deepEqual(first?.response?.usage, {
      promptTokens: 10,
      completionTokens: 5,
      totalTokens: 15,
      cachedTokens: 4,
    });
    assert.deepEqual(first?.timing, { recordedAt: '2026-01-01T00:00:03.000Z', durationMs: 3000 });
    assert.deepEqual(linesOf(second?.request?.messages).slice(2), [
      'assistant: - →shell/c1 →patch/c2',
      'tool: a.txt ←c1',
      'tool: done ←c2',
    ]);
    assert.equal(second?.response?.content, 'There is a.txt');
  });

  it('keeps errors, what was compacted, and a prompt without a response', () => {
    const tape = read(
      [
        SESSION,
        codexUser('one'),
        event({ type: 'error', message: 'stream closed' }),
        codexUser('two'),
        codexSays('2'),
        { timestamp: '', type: 'compacted', payload: { message: 'In short.' } },
        codexUser('three'),
        { timestamp: '', type: 'something_new', payload: {} },
      ],
      'codex',
    );
    assert.deepEqual(
      tape.interactions.map(({ response }) => response && (response.error ?? response.content)),
      ['stream closed', '2', undefined],
    );
    assert.deepEqual(linesOf(tape.interactions[2]?.request?.messages), [
      'system: Be kind.',
      'user: In short.',
      'user: three',
    ]);
  });

  it('names a broken line, reads the others, and takes any line ends', () => {
    const lines = [SESSION, codexUser('hi'), '{"timestamp": "x", "type":', codexSays('ho')];
    const tape = read(lines, 'codex', '\r\n');
    assert.equal(tape.interactions[0]?.response?.content, 'ho');
    const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\r\n`).join('');
    const [{ severity, message, span } = assert.fail()] = tape.problems;
    assert.deepEqual([severity, text.slice(span.start - 9, span.start)], ['error', ', "type":']);
    assert.match(message, /invalid JSON: expected a value/);
  });
});

let uuids = 0;
interface LineOptions {
  readonly uuid?: string;
  readonly parent?: string | null;
  readonly more?: object;
}
const claude = (type: string, message: object, { uuid, parent = null, more = {} }: LineOptions = {}): unknown => ({
  parentUuid: parent,
  isSidechain: false,
  sessionId: 's-1',
  version: '2.0.0',
  type,
  message: { role: type, ...message },
  uuid: uuid ?? `u-${++uuids}`,
  timestamp: '2026-01-01T00:00:00Z',
  ...more,
});
const response = (id: string, block: object, options: LineOptions): unknown =>
  claude(
    'assistant',
    { id, model: 'claude-x', content: [block], usage: { input_tokens: 3, output_tokens: 1 } },
    options,
  );
const text = (words: string): object => ({ type: 'text', text: words });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } });
const result = (id: string, content: unknown = 'ok', more = {}): object => ({
  content: [{ type: 'tool_result', tool_use_id: id, content, ...more }],
});

describe('the Claude Code transcript format', () => {
  it('joins the lines of a response, and the results of its calls wherever they hang', () => {
    const tape = read(
      [
        { type: 'summary', summary: 'A walk', leafUuid: 'z' },
        claude('user', { content: 'go' }, { uuid: 'a' }),
        response('m1', { type: 'thinking', thinking: 'hm', signature: 's' }, { uuid: 'b', parent: 'a' }),
        response('m1', call('t1'), { uuid: 'c', parent: 'b' }),
        claude('user', result('t1'), { uuid: 'd', parent: 'c' }),
        response('m1', call('t2'), { uuid: 'e', parent: 'c' }),
        claude('user', result('t2', 'no', { is_error: true }), { uuid: 'f', parent: 'e' }),
        response('m2', text('done'), { uuid: 'g', parent: 'f' }),
      ],
      'claude-code',
    );
    assert.deepEqual([tape.name, tape.version, tape.records], ['A walk', '2.0.0', 8]);
    const [first, second, ...more] = tape.interactions;
    assert.deepEqual(more, []);
    assert.deepEqual(linesOf(first?.request?.messages), ['user: go']);
    assert.deepEqual(
      first?.response?.toolCalls.map(({ id }) => id),
      ['t1', 't2'],
    );
    assert.equal(first?.response?.model, 'claude-x');
    assert.equal(first?.response?.usage?.totalTokens, 4);
    assert.deepEqual(linesOf(second?.request?.messages), [
      'user: go',
      'assistant: - →Bash/t1 →Bash/t2',
      'tool: ok ←t1',
      'tool: no ←t2 failed',
    ]);
  });

  it('follows the tree, not the order: a prompt that was taken back is not part of what came after', () => {
    const tape = read(
      [
        claude('user', { content: 'one' }, { uuid: 'a' }),
        response('m1', text('1'), { uuid: 'b', parent: 'a' }),
        claude('user', { content: 'wrong way' }, { uuid: 'c', parent: 'b' }),
        response('m2', text('lost'), { uuid: 'd', parent: 'c' }),
        claude('user', { content: 'right way' }, { uuid: 'e', parent: 'b' }),
        response('m3', text('found'), { uuid: 'f', parent: 'e' }),
        claude('user', { content: 'an agent' }, { uuid: 'g', more: { isSidechain: true } }),
        response('m4', text('aside'), { uuid: 'h', parent: 'g', more: { isSidechain: true } }),
      ],
      'claude-code',
    );
    assert.deepEqual(
      tape.interactions.map(({ request }) => linesOf(request?.messages)),
      [
        ['user: one'],
        ['user: one', 'assistant: 1', 'user: wrong way'],
        ['user: one', 'assistant: 1', 'user: right way'],
        ['user: an agent'],
      ],
    );
  });

  it('takes a file in which nothing has a parent as a list, errors as errors, and keeps the open prompt', () => {
    const tape = read(
      [
        claude('user', { content: 'one' }),
        response('m1', text('1'), {}),
        claude('user', { content: 'two' }),
        claude('assistant', { content: [text('API Error: 529')] }, { more: { isApiErrorMessage: true } }),
        claude('user', { content: 'three' }),
      ],
      'claude-code',
    );
    assert.deepEqual(
      tape.interactions.map(({ response }) => response && (response.error ?? response.content)),
      ['1', 'API Error: 529', undefined],
    );
    assert.equal(tape.interactions[2]?.request?.messages.length, 5);
  });

  it('is not led astray by parents that are missing, later, or in a circle, and by lines that repeat', () => {
    const tape = read(
      [
        claude('user', { content: 'a' }, { uuid: 'a', parent: 'b' }),
        response('m1', text('b'), { uuid: 'b', parent: 'a' }),
        response('m1', text('b'), { uuid: 'b', parent: 'b' }),
        claude('user', { content: 'c' }, { uuid: 'c', parent: 'gone' }),
        response('m2', text('d'), { uuid: 'd', parent: 'c' }),
      ],
      'claude-code',
    );
    assert.deepEqual(linesOf(tape.interactions[1]?.request?.messages), ['user: a', 'assistant: b', 'user: c']);
  });
});
