import assert from 'node:assert/strict';
import { isNotRead } from '../../../../src/core/tapes/notRead';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { formatById } from '../../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readmeSamples } from '../../../harness/readmeSamples';
import { readAs } from '../editing';

const OPENAI = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Weather in Oslo?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '4' },
  { role: 'assistant', content: 'Four degrees.' },
];
const ANTHROPIC = [
  { role: 'user', content: [{ type: 'text', text: 'Weather in Oslo?' }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Oslo' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '4' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Four degrees.' }] },
];

describe('lists of chat messages', () => {
  for (const [where, file] of [
    ['the file', OPENAI],
    ['messages', { model: 'gpt-4o-mini', messages: OPENAI }],
    ['history', { instance_id: 'x', trajectory: [{ action: 'ls', observation: 'a' }], history: OPENAI }],
    ['traj', { task_id: 3, reward: 1, traj: OPENAI }],
    ['Anthropic', ANTHROPIC],
  ] as const) {
    it(`have a call for each answer: ${where}`, () => {
      const [first, second, ...others] = readAs('chat-messages', JSON.stringify(file)).interactions;
      assert.equal(others.length, 0);
      assert.equal(first?.request?.messages.at(-1)?.content, 'Weather in Oslo?');
      assert.deepEqual(first?.response?.toolCalls[0]?.arguments, { city: 'Oslo' });
      assert.equal(second?.request?.messages.at(-1)?.content, '4');
      assert.equal(second?.response?.content, 'Four degrees.');
    });
  }

  it('have the prompt of the system that stands beside them, once', () => {
    for (const file of [
      { system: 'Be brief.', messages: ANTHROPIC },
      { system_prompt: 'Be brief.', messages: OPENAI },
    ]) {
      const [call] = readAs('chat-messages', JSON.stringify(file)).interactions;
      assert.deepEqual(
        call?.request?.messages.map(({ role, content }) => [role, content]),
        [
          ['system', 'Be brief.'],
          ['user', 'Weather in Oslo?'],
        ],
      );
    }
  });

  it('have the last step of SWE-agent, which its history lacks, and no step twice', () => {
    const step = (response: string, action: string): object => ({
      response,
      thought: response,
      action,
      observation: 'a',
    });
    const trajectory = [step('Look it up.', 'get_weather'), step('Four.', 'say 4'), step('Done.', 'submit')];
    const history = [...OPENAI, { role: 'tool', tool_call_id: 'c2', content: 'said' }];
    const { interactions, problems } = readAs('chat-messages', JSON.stringify({ trajectory, history, info: {} }));
    assert.deepEqual(
      interactions.map(({ response }) => response?.content),
      [null, 'Four degrees.', 'Done.\n\nsubmit'],
    );
    assert.equal(interactions[2]?.request?.messages.at(-1)?.content, 'said');
    assert.deepEqual(problems, []);
  });

  for (const [where, file] of [
    [
      'of tau-bench',
      [
        { task_id: 1, reward: 1, info: {}, traj: OPENAI, trial: 0 },
        { task_id: 2, traj: OPENAI },
      ],
    ],
    [
      'of tau2-bench',
      {
        info: {},
        tasks: [],
        simulations: [
          { id: 'a', messages: OPENAI },
          { id: 'b', messages: OPENAI },
        ],
      },
    ],
  ] as const) {
    it(`may be several, as results ${where}`, () => {
      const calls = readAs('chat-messages', JSON.stringify(file)).interactions;
      assert.deepEqual(
        calls.map(({ request, response }) => [request?.messages.length, response?.content]),
        [
          [2, null],
          [4, 'Four degrees.'],
          [2, null],
          [4, 'Four degrees.'],
        ],
      );
    });
  }

  for (const [whose, file] of [
    [
      'Gemini',
      [
        { role: 'user', parts: [{ text: 'Oslo?' }] },
        { role: 'model', parts: [{ text: 'Four.' }] },
      ],
    ],
    [
      'ShareGPT',
      {
        conversations: [
          { from: 'human', value: 'Oslo?' },
          { from: 'gpt', value: 'Four.' },
        ],
      },
    ],
  ] as const) {
    it(`may be ${whose}'s`, () => {
      const [call] = readAs('chat-messages', JSON.stringify(file)).interactions;
      assert.equal(call?.request?.messages[0]?.content, 'Oslo?');
      assert.equal(call?.response?.content, 'Four.');
    });
  }

  it('may be one in each line', () => {
    const lines = ['Oslo', 'Rome'].map((city) =>
      JSON.stringify({
        messages: [
          { role: 'user', content: `${city}?` },
          { role: 'assistant', content: `${city}.` },
        ],
      }),
    );
    const calls = readAs('chat-messages', lines.join('\n')).interactions;
    assert.deepEqual(
      calls.map(({ request, response }) => [request?.messages.length, response?.content]),
      [
        [1, 'Oslo.'],
        [1, 'Rome.'],
      ],
    );
  });

  it('may end with a request', () => {
    const [, , last] = readAs(
      'chat-messages',
      JSON.stringify([...OPENAI, { role: 'user', content: 'Wind?' }]),
    ).interactions;
    assert.equal(last?.request?.messages.at(-1)?.content, 'Wind?');
    assert.equal(last?.response, undefined);
  });

  it('show what they do not understand of a message as it is', () => {
    const odd = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', note: 'Something else' },
    ];
    const [call] = readAs('chat-messages', JSON.stringify(odd)).interactions;
    assert.deepEqual(call?.response?.parts, [{ type: 'unknown', raw: { note: 'Something else' } }]);
  });

  it('are not any list with roles', () => {
    for (const other of [
      [{ role: 'admin', name: 'Ann' }],
      { users: [{ role: 'user', content: 'x' }] },
      { roles: ['user'], messages: { hello: 'Hello' } },
      { messages: [{ id: 'greeting', defaultMessage: 'Hello' }] },
    ])
      assert.equal(detectFormat(tapeFileFromText(JSON.stringify(other))), undefined, JSON.stringify(other));
  });
});

describe('messages in lines', () => {
  const samples = readmeSamples('chatMessages').filter(({ path }) => path.endsWith('.jsonl'));

  for (const [at, { text }] of samples.entries()) {
    it(`are read: sample ${at + 1}`, () => {
      const { interactions, problems } = readAs('message-lines', text);
      const [first, second, ...others] = interactions;
      assert.equal(others.length, 0);
      assert.equal(first?.request?.messages.at(-1)?.content, 'Weather in Oslo?');
      const [call] = first?.response?.toolCalls ?? [];
      assert.deepEqual([call?.name, call?.arguments], ['get_weather', { city: 'Oslo' }]);
      const result = second?.request?.messages.at(-1);
      assert.deepEqual([result?.role, result?.content, result?.toolCallId], ['tool', '4', 'c1']);
      assert.equal(second?.response?.content, 'Four degrees.');
      assert.deepEqual(problems, []);
    });

    it(`tell what is not known: sample ${at + 1}`, () => {
      const renamed = text.replaceAll(/"(text|content|message)":/g, '"other_$1":');
      const tape = formatById('message-lines').read(tapeFileFromText(renamed));
      const isRead = JSON.stringify(tape.interactions.map(({ response }) => response)).includes('Four degrees.');
      assert.ok(isRead || tape.problems.some(isNotRead), renamed);
    });
  }

  it('are no other lines', () => {
    for (const one of [
      { role: 'user', name: 'Ann', email: 'ann@example.com' },
      { role: 'admin', content: 'all' },
      { type: 'user', content: 'Ann signed in' },
      { level: 'info', message: { content: 'started' } },
      { id: 1, type: 'message', message: { role: 'editor', content: 'x' } },
      { kind: 'system', content: 'x', title: 'A "role": "user" is given' },
    ]) {
      const text = `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`;
      assert.equal(detectFormat(tapeFileFromText(text, 'data.jsonl'))?.id, undefined, text);
    }
    for (const text of ['{"role":"user","content":"Hi"}', '{\n  "role": "system",\n  "content": "Be brief."\n}\n'])
      assert.equal(detectFormat(tapeFileFromText(text, 'prompt.json'))?.id, undefined, text);
  });
});
