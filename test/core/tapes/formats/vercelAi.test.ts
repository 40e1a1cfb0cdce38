import assert from 'node:assert/strict';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { jsonLines, readTextAs } from '../readAsFormat';

describe('the AI SDK fixture format', () => {
  const delta = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] });

  it('reads the pieces of a stream as one answer', () => {
    const tape = readTextAs(jsonLines(delta('Hel'), delta('lo')), 'vercel-ai', 'x.chunks.txt');
    assert.deepEqual([tape.interactions.length, tape.records], [1, 2]);
    assert.equal(tape.interactions[0]?.response?.content, 'Hello');
  });

  it('knows an answer by what it looks like, without a name', () => {
    const body = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] };
    assert.equal(readTextAs(JSON.stringify(body, null, 2), 'vercel-ai').interactions[0]?.response?.content, 'hi');
    assert.equal(readTextAs(jsonLines(delta('a'), delta('b')), 'vercel-ai').interactions[0]?.response?.content, 'ab');
  });

  it('reads a whole answer a line as one each', () => {
    const whole = (id: string, said: string): object => ({
      id,
      choices: [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }],
    });
    const gemini = (responseId: string, text: string): object => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      responseId,
    });
    const ollama = (said: string, at: string): object => ({
      model: 'm',
      created_at: at,
      message: { role: 'assistant', content: said },
      done: true,
      done_reason: 'stop',
    });
    const claude = (id: string, text: string): object => ({
      id,
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
    });
    for (const lines of [
      jsonLines(whole('a', 'one'), whole('b', 'two')),
      jsonLines(gemini('a', 'one'), gemini('b', 'two')),
      jsonLines(ollama('one', '2026-01-01T00:00:00Z'), ollama('two', '2026-01-01T00:00:09Z')),
      jsonLines(claude('a', 'one'), claude('b', 'two')),
    ]) {
      const { interactions } = readTextAs(lines, 'vercel-ai', 'answers.jsonl');
      assert.deepEqual(
        interactions.map(({ response }) => response?.content),
        ['one', 'two'],
      );
    }
    const streamed = jsonLines(gemini('a', 'one '), gemini('a', 'two'));
    assert.equal(readTextAs(streamed, 'vercel-ai').interactions[0]?.response?.content, 'one two');
  });

  it('does not claim datasets and logs', () => {
    const event = { type: 'response.created', response: { id: 'r' } };
    for (const lines of [
      jsonLines({ key: 'a', value: 'running' }, { key: 'b', value: 'x' }),
      jsonLines({ prompt: 'Capital of France?', completion: ' Paris' }, { prompt: 'Of Spain?', completion: ' Madrid' }),
      jsonLines({ id: 1, generated_text: 'foo' }, { id: 2, generated_text: 'bar' }),
      jsonLines({ output: 'a' }, { output: 'b' }),
      jsonLines({ text: 'a', label: 1 }, { text: 'b', label: 0 }),
      jsonLines({ message: 'a' }, { message: 'b' }),
      jsonLines({ question: 'a', choices: ['x', 'y'], answer: 0 }, { question: 'b', choices: ['x'], answer: 0 }),
      jsonLines({ usage_metadata: {}, step: 1 }, { step: 2 }, { step: 3 }, { step: 4 }),
      jsonLines({ level: 'info' }, event, { level: 'info' }, { level: 'warn' }),
      JSON.stringify({ prompt: 'Capital of France?', completion: ' Paris' }),
      JSON.stringify({ generated_text: 'foo' }),
    ])
      assert.equal(detectFormat(tapeFileFromText(lines, 'testdata/data.jsonl'))?.id, undefined, lines);
  });

  it('takes what is no answer of a model only from the fixtures of a package', () => {
    const job = '{"id": "1", "status": "transcribed"}';
    for (const path of [
      'src/__fixtures__/job.json',
      'packages/revai/src/__fixtures__/job.json',
      'packages/app/src/common/__fixtures__/har/app-response.json',
      'packages/app/src/common/__fixtures__/revai-job.json',
    ])
      assert.equal(detectFormat(tapeFileFromText(job, path)), undefined, path);
    const tape = readTextAs(job, 'vercel-ai', 'packages/revai/src/jobs/__fixtures__/revai-job.json');
    assert.equal(tape.interactions[0]?.kind, 'http');
  });

  it('has a response for each stream, where several follow each other', () => {
    const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} };
    const streamOf = (said: string): object[] => [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
      { type: 'message_stop' },
    ];
    const responses = ['Four', 'degrees.'].flatMap((content) => [
      { type: 'response.created', response: { id: content, object: 'response', output: [] } },
      { type: 'response.output_text.delta', delta: content, item_id: 'i', output_index: 0, content_index: 0 },
      { type: 'response.completed', response: { id: content, object: 'response', status: 'completed', output: [] } },
    ]);
    const repeated = streamOf('Four').slice(0, 1);
    for (const [events, texts] of [
      [
        [...streamOf('Four'), { type: 'ping' }, ...streamOf('degrees.')],
        ['Four', 'degrees.'],
      ],
      [responses, [undefined, undefined]],
      [[...repeated, ...streamOf('Four')], ['Four']],
    ] as const) {
      const text = events.map((event) => JSON.stringify(event)).join('\n');
      const { interactions } = readTextAs(text, 'vercel-ai', 'stream.chunks.txt');
      assert.equal(interactions.length, texts.length);
      if (texts[0] !== undefined)
        assert.deepEqual(
          interactions.map(({ response }) => response?.content),
          texts,
        );
    }
  });

  it('does not claim other JSON', () => {
    const others = [
      '{}',
      '[]',
      '{"name": "x", "version": "1.0.0"}',
      '{"data": [1]}',
      '{"message": "hi"}',
      '{"a": 1}\n{"a": 2}',
      '{"ok": true, "results": [{"case": "a.toml", "passed": true, "output": "hi"}]}',
    ];
    for (const text of others) assert.equal(detectFormat(tapeFileFromText(text, 'package.json')), undefined, text);
  });
});
