import assert from 'node:assert/strict';
import { sessionFormats } from '../../../../src/core/tapes/formats/sessions/index';
import { isNotRead } from '../../../../src/core/tapes/notRead';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { formatById } from '../../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readmeSamples } from '../../../harness/readmeSamples';
import { formatOf, readAs } from '../editing';

/** Where what was asked is not in the file. */
const WITHOUT_PROMPT: ReadonlySet<string> = new Set(['codex-stream', 'opencode-stream']);

describe('sessions of agents', () => {
  const samples = readmeSamples('sessions');

  it('have a sample each', () => {
    assert.deepEqual(
      sessionFormats
        .map(({ id }) => id)
        .filter((id) => !samples.some(({ text }) => formatOf(tapeFileFromText(text)).id === id)),
      [],
    );
  });

  for (const { title, text } of samples.filter(({ path }) => !path.endsWith('.markdown'))) {
    const id = detectFormat(tapeFileFromText(text))?.id ?? '';

    it(`are read: ${title}`, () => {
      const tape = readAs(id, text);
      const [first, second, ...others] = tape.interactions;
      assert.equal(others.length, 0);
      if (!WITHOUT_PROMPT.has(id)) assert.equal(first?.request?.messages.at(-1)?.content, 'Weather in Oslo?');
      const [call] = first?.response?.toolCalls ?? [];
      assert.match(call?.name ?? '', /get_weather$/);
      assert.deepEqual(call?.arguments, { city: 'Oslo' });
      const result = second?.request?.messages.at(-1);
      assert.deepEqual([result?.role, result?.content, result?.toolCallId], ['tool', '4', call?.id]);
      assert.equal(second?.response?.content, 'Four degrees.');
      assert.deepEqual(tape.problems, []);
    });

    it(`tell what is not known: ${title}`, () => {
      const renamed = text.replaceAll(/"(text|content|message|llm_message)":/g, '"other_$1":');
      const tape = formatById(id).read(tapeFileFromText(renamed));
      const isRead = JSON.stringify(tape.interactions.map(({ response }) => response)).includes('Four degrees.');
      assert.ok(isRead || tape.problems.some(isNotRead), renamed);
    });
  }

  it('may be Markdown, of which each start is a conversation', () => {
    const { text = '' } = samples.find(({ path }) => path.endsWith('.markdown')) ?? {};
    const calls = readAs('aider', `${text}\n${text.replace('Four degrees.', '# Oslo\n\nFive.\n')}`).interactions;
    assert.deepEqual(
      calls.map(({ request, response }) => [
        request?.model,
        request?.messages.map(({ content }) => content),
        response?.content,
        response?.usage?.promptTokens,
      ]),
      [
        ['gpt-4o-mini', ['Weather in Oslo?'], 'Four degrees.', 2300],
        ['gpt-4o-mini', ['Weather in Oslo?'], '# Oslo\n\nFive.', 2300],
      ],
    );
  });

  it('may have several trajectories in a list, or in lines', () => {
    const one = { schema_version: 'ATIF-v1.4', session_id: 's1', agent: { name: 'a', version: '1' } };
    const steps = [
      { step_id: 1, source: 'user', message: 'Weather in Oslo?' },
      { step_id: 2, source: 'agent', message: 'Four degrees.' },
    ];
    const [first, second] = [
      { ...one, steps },
      { ...one, session_id: 's2', steps },
    ];
    for (const text of [JSON.stringify([first, second]), [first, second].map((it) => JSON.stringify(it)).join('\n')])
      assert.deepEqual(
        readAs('atif', text).interactions.map(({ request, response }) => [request?.messages.length, response?.content]),
        [
          [1, 'Four degrees.'],
          [1, 'Four degrees.'],
        ],
      );
  });

  it('have edits in Markdown, which look like what a merge leaves, and a question once that was a command', () => {
    const edit = 'a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE';
    const text = `# aider chat started at 2026-01-01 10:00:00

#### /drop a.py

#### /ask Weather in Oslo?
####
#### And in Rome?

#### Weather in Oslo?
####
#### And in Rome?

Four degrees.

#### /drop b.py

#### Change it.

${edit}
`;
    assert.deepEqual(
      readAs('aider', text).interactions.map(({ request, response }) => [
        request?.messages.map(({ content }) => content),
        response?.content,
      ]),
      [
        [['Weather in Oslo?\n\nAnd in Rome?'], 'Four degrees.'],
        [['Weather in Oslo?\n\nAnd in Rome?', 'Four degrees.', 'Change it.'], edit],
      ],
    );
  });

  it('tell of records of a kind that is not known', () => {
    const [line = ''] = samples.flatMap(({ text }) => text.match(/^.*"agent_message".*$/m) ?? []);
    const tape = formatById('codex-stream').read(
      tapeFileFromText(`{"type":"thread.started","thread_id":"t1"}\n${line.replace('agent_message', 'agent_speech')}`),
    );
    assert.deepEqual(tape.problems.map(isNotRead), [true]);
  });

  it('leave out of later requests what was taken back', () => {
    const said = (id: string, type: string, content: string) => ({
      id,
      timestamp: '2026-01-01T10:00:00Z',
      type,
      content,
    });
    const lines = [
      { sessionId: 's1', projectHash: 'ab', startTime: '2026-01-01T10:00:00Z' },
      said('m1', 'user', 'Weather in Oslo?'),
      said('m2', 'gemini', 'Four degrees.'),
      said('m3', 'user', 'And in Rome?'),
      said('m4', 'gemini', 'Nine.'),
      { $rewindTo: 'm3' },
      said('m5', 'user', 'And in Bergen?'),
      said('m6', 'gemini', 'Rain.'),
    ];
    const { interactions } = readAs('gemini-session', lines.map((line) => JSON.stringify(line)).join('\n'));
    assert.deepEqual(
      interactions.map(({ request }) => request?.messages.map(({ content }) => content)),
      [
        ['Weather in Oslo?'],
        ['Weather in Oslo?', 'Four degrees.', 'And in Rome?'],
        ['Weather in Oslo?', 'Four degrees.', 'And in Bergen?'],
      ],
    );
  });

  const linesOf = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n');
  const SESSION = { sessionId: 's1', projectHash: 'ab', startTime: '2026-01-01T10:00:00Z' };
  const asked = { id: 'm1', timestamp: '2026-01-01T10:00:00Z', type: 'user', content: 'Weather in Oslo?' };
  const thinks = {
    id: 'm2',
    timestamp: '2026-01-01T10:00:01Z',
    type: 'gemini',
    content: '',
    thoughts: [{ subject: 'Look' }],
  };
  const call = {
    id: 'c1',
    name: 'get_weather',
    args: { city: 'Oslo' },
    result: [{ functionResponse: { id: 'c1', name: 'get_weather', response: { output: '4' } } }],
    status: 'success',
    resultDisplay: { content: 'Four, as the program shows it' },
  };

  it('have a message once that was written again with its calls', () => {
    const more = { ...thinks, toolCalls: [call] };
    const said = { ...thinks, id: 'm3', content: 'Four degrees.', thoughts: [] };
    const { interactions, problems } = readAs('gemini-session', linesOf([SESSION, asked, thinks, more, said]));
    assert.deepEqual(
      interactions.map(({ response }) => [response?.parts?.length ?? 0, response?.toolCalls.length, response?.content]),
      [
        [1, 1, null],
        [0, 0, 'Four degrees.'],
      ],
    );
    assert.equal(interactions[1]?.request?.messages.length, 3);
    assert.deepEqual(problems, []);
  });

  it('may end with what the model was told', () => {
    const { interactions, problems } = readAs(
      'gemini-session',
      linesOf([SESSION, asked, { ...thinks, toolCalls: [call] }]),
    );
    assert.deepEqual(
      interactions.map(({ response }) => response === undefined),
      [false, true],
    );
    assert.deepEqual(problems, []);
  });

  it('may have what a program itself told the model, and commands that print nothing', () => {
    const copilot = linesOf([
      {
        type: 'session.start',
        data: { sessionId: 's1', version: 1, producer: 'copilot-agent' },
        id: 'e1',
        timestamp: '2026-01-01T10:00:00Z',
      },
      {
        type: 'user.message',
        data: { content: '', transformedContent: 'Go on.' },
        id: 'e2',
        timestamp: '2026-01-01T10:00:01Z',
      },
      {
        type: 'assistant.message',
        data: { content: 'Done.', toolRequests: [] },
        id: 'e3',
        timestamp: '2026-01-01T10:00:02Z',
      },
    ]);
    const [told] = readAs('copilot-cli', copilot).interactions;
    assert.equal(told?.request?.messages.at(-1)?.content, 'Go on.');
    const event = (id: number, more: object): object => ({
      id,
      timestamp: '2025-05-01T10:00:00',
      source: 'agent',
      ...more,
    });
    const openHands = JSON.stringify([
      event(0, { source: 'user', message: 'Make it.', action: 'message', args: { content: 'Make it.' } }),
      event(1, { message: '', action: 'run', args: { command: 'mkdir a', thought: '' } }),
      event(2, { message: 'Command `mkdir a` was executed.', cause: 1, observation: 'run', content: '', extras: {} }),
      event(3, { message: 'Made.', action: 'message', args: { content: 'Made.' } }),
    ]);
    const { interactions, problems } = readAs('openhands', openHands);
    assert.deepEqual(
      interactions.at(-1)?.request?.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.deepEqual(problems, []);
  });
});
