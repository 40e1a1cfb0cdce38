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
});
