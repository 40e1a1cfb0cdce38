import assert from 'node:assert/strict';
import { isNotRead } from '../../../src/core/tapes/notRead';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { samples } from '../../soak/samples';

/** What is told not to be read of a sample in which a member has another name. */
function told(
  path: string,
  from: string,
  to: string,
): readonly (readonly [format: string | undefined, message: string])[] {
  const sample = samples.find((one) => one.path === path) ?? assert.fail(path);
  assert.ok(sample.text.includes(from), from);
  const file = tapeFileFromText(sample.text.replaceAll(from, to), path);
  const format = detectFormat(file);
  return (format?.read(file).problems ?? []).filter(isNotRead).map(({ message }) => [format?.id, message]);
}

function formatIdOf(text: string, path: string): string | undefined {
  return detectFormat(tapeFileFromText(text, path))?.id;
}

function unreadIn(text: string, path: string): readonly string[] {
  const file = tapeFileFromText(text, path);
  const format = detectFormat(file) ?? assert.fail('no format');
  const { problems } = format.read(file);
  return problems.filter(isNotRead).map(({ message }) => message);
}

const CHAT = [
  { role: 'user', content: 'Weather in Oslo?' },
  { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: { name: 'look', arguments: '{}' } }] },
];

function problemsOf(value: unknown): readonly string[] {
  return unreadIn(JSON.stringify(value), 'a.json');
}

describe('content beside what is read of a tape', () => {
  const CHANGED: readonly (readonly [path: string, from: string, to: string, format: string, told: RegExp])[] = [
    ['langsmith.json', '"tools"', '"offered_tools"', 'langsmith', /`offered_tools`$/],
    ['genai.json', '"attributes"', '"labels"', 'otlp', /: `\w+`/],
    ['genai.json', '"scopeSpans"', '"groups"', 'otlp', /: `\w+`/],
    ['openllmetry.json', '"attributes"', '"labels"', 'otlp', /./],
    ['openllmetry.json', '"scopeSpans"', '"groups"', 'otlp', /./],
    ['openllmetry.json', '"key"', '"name_of"', 'otlp', /./],
    ['openllmetry.json', '"value"', '"said"', 'otlp', /./],
    ['openllmetry.json', '"stringValue"', '"text_value"', 'otlp', /./],
    ['inspect.json', '"events"', '"happened"', 'inspect', /./],
    ['googleAdk.yaml', 'llm_recording:', 'model_recording:', 'google-adk', /`text`/],
    ['order.tape.jsonl', '"json"', '"payload"', 'tapedeck', /`payload`$/],
    ['order.tape.jsonl', '"headers"', '"fields"', 'tapedeck', /`fields`$/],
    ['order.tape.jsonl', '"status"', '"code"', 'tapedeck', /`code`$/],
  ];
  for (const [path, from, to, format, message] of CHANGED)
    it(`is told: ${from} of ${path} is ${to}`, () => {
      const [[claimed, said] = [], ...others] = told(path, from, to);
      assert.equal(claimed, format);
      assert.match(said ?? '', message);
      if (format !== 'tapedeck') assert.deepEqual(others, []);
    });

  const SESSIONS: readonly (readonly [path: string, format: string, from: string, to: string])[] = [
    ['sessions.json', 'atif', '"tool_calls"', '"other_tool_calls"'],
    ['sessions.json', 'atif', '"reasoning_content"', '"other_content"'],
    ['sessions.json', 'gemini-session', '"toolCalls"', '"otherToolCalls"'],
    ['sessions.jsonl', 'gemini-stream', '"tool_name"', '"other_name"'],
    ['sessions.jsonl', 'qwen-code', '"name"', '"other_name"'],
    ['sessions.jsonl', 'codex-items', '"name"', '"other_name"'],
    ['sessions.jsonl', 'codex-items', '"arguments"', '"given"'],
    ['sessions.jsonl', 'copilot-cli', '"toolRequests"', '"tool_requests"'],
    ['rollout.jsonl', 'codex', '"name"', '"other_name"'],
  ];
  for (const [path, id, from, to] of SESSIONS)
    it(`is told of a session: ${from} of ${id} is ${to}`, () => {
      const sample = samples.find((one) => one.path === path && formatIdOf(one.text, path) === id) ?? assert.fail(id);
      assert.deepEqual(unreadIn(sample.text, path), []);
      assert.equal(unreadIn(sample.text.replaceAll(from, to), path).length, 1);
    });

  it('is told where a session of Claude Code has a call by other names, and not where it repeats what was said', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: 'a.md', content: 'one\ntwo' } };
    const result = { tool_use_id: 't1', type: 'tool_result', content: 'written' };
    const session = (used: object) =>
      [
        { type: 'user', message: { role: 'user', content: 'Write it.' } },
        { type: 'assistant', message: { id: 'm1', role: 'assistant', content: [used] } },
        {
          type: 'user',
          message: { role: 'user', content: [result] },
          toolUseResult: { content: 'one\ntwo', oldTodos: [{ content: 'never said' }], stdout: 'neither' },
        },
        { type: 'user', message: { role: 'user', content: 'taken back' } },
        { type: 'queue-operation', content: 'queued' },
      ]
        .map((line, at) =>
          JSON.stringify({ uuid: `${at}`, parentUuid: at === 0 ? null : '0', sessionId: 's', ...line }),
        )
        .join('\n');
    assert.deepEqual(unreadIn(session(call), 'a.jsonl'), []);
    for (const changed of [
      { ...call, name: undefined, title_name: 'Write' },
      { ...call, input: undefined, given: call.input },
    ])
      assert.equal(unreadIn(session(changed), 'a.jsonl').length, 1, JSON.stringify(changed));
  });

  it('is nothing that was read in another form, or that nobody said', () => {
    const innocent = [
      CHAT,
      [...CHAT, { role: 'tool', content: '{"answer":"rain, and wind later"}' }],
      [{ ...CHAT[0], error: { message: 'overloaded' } }, ...CHAT],
      [
        ...CHAT,
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And' },
            { type: 'text', text: 'then?' },
          ],
        },
      ],
      [...CHAT, { role: 'user', content: 'See', image: { content: `data://${'A'.repeat(60)}` } }],
      { messages: CHAT, tools: [{ name: 'look', description: 'Looks' }] },
    ];
    for (const value of innocent) assert.deepEqual(problemsOf(value), [], JSON.stringify(value));
  });
});
