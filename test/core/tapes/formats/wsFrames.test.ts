import assert from 'node:assert/strict';
import { readTextAs } from '../readAsFormat';

const frames = (...events: readonly (readonly [string, unknown])[]): string => {
  const items = events.map(
    ([direction, data]) => `- kind: message\n  direction: ${direction}\n  data: ${JSON.stringify(data)}\n`,
  );
  return `version: 1\ninteractions:\n${items.join('')}`;
};

describe('the WebSocket cassette format', () => {
  const create = {
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
  };
  const done = (item: object): object => ({
    type: 'response.done',
    response: { status: 'completed', output: [item], usage: { input_tokens: 2, output_tokens: 1, total_tokens: 3 } },
  });
  const spoken = {
    id: 'i2',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_audio', transcript: 'Hello!' }],
  };

  it("groups OpenAI's frames into turns", () => {
    const tape = readTextAs(
      frames(
        ['received', { type: 'session.created', session: { model: 'gpt-rt', instructions: 'default' } }],
        [
          'sent',
          { type: 'session.update', session: { instructions: 'Be brief.', tools: [{ type: 'function', name: 'f' }] } },
        ],
        ['sent', create],
        ['sent', { type: 'response.create' }],
        ['received', { type: 'conversation.item.added', item: { ...create.item, id: 'i1' } }],
        ['received', { type: 'response.created', response: {} }],
        ['received', done({ type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' })],
        [
          'sent',
          { type: 'conversation.item.create', item: { type: 'function_call_output', call_id: 'c1', output: '2' } },
        ],
        ['received', { type: 'response.created', response: {} }],
        ['received', { type: 'response.output_audio_transcript.delta', delta: 'Hello!' }],
        ['received', done(spoken)],
      ),
      'ws-frames',
    );
    assert.deepEqual([tape.interactions.length, tape.records, tape.problems], [2, 11, []]);
    const [first, second] = tape.interactions;
    assert.equal(first?.request?.model, 'gpt-rt');
    assert.deepEqual(
      second?.request?.messages.map(({ role, content, toolCalls }) => [role, content, toolCalls.length]),
      [
        ['system', 'Be brief.', 0],
        ['user', 'hi', 0],
        ['assistant', null, 1],
        ['tool', '2', 0],
      ],
    );
    assert.deepEqual(first?.response?.toolCalls[0]?.arguments, { a: 1 });
    assert.deepEqual([second?.response?.content, second?.response?.usage?.totalTokens], ['Hello!', 3]);
    assert.equal(second?.response?.chunks?.length, 3);
  });

  it('hears what was said aloud, and keeps an answer that was cut off', () => {
    const heard = {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'i1',
      transcript: 'Hi there',
    };
    const tape = readTextAs(
      frames(
        ['sent', { type: 'input_audio_buffer.append', audio: 'AAAA' }],
        [
          'received',
          {
            type: 'conversation.item.created',
            item: { id: 'i1', type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: null }] },
          },
        ],
        ['received', { type: 'response.created', response: {} }],
        ['received', heard],
        ['received', { type: 'response.text.delta', delta: 'Hel' }],
      ),
      'ws-frames',
    );
    assert.deepEqual(
      tape.interactions.map(({ request, response }) => [request?.messages.at(-1)?.content, response?.content]),
      [['Hi there', 'Hel']],
    );
  });

  it("groups Gemini's frames into turns", () => {
    const tape = readTextAs(
      frames(
        ['sent', { setup: { model: 'models/g', systemInstruction: { parts: [{ text: 'Be brief.' }] } } }],
        ['received', { setupComplete: {} }],
        ['sent', { client_content: { turns: [{ role: 'user', parts: [{ text: 'hi' }] }], turnComplete: true } }],
        ['received', { toolCall: { functionCalls: [{ id: 'c1', name: 'f', args: { a: 1 } }] } }],
        ['sent', { toolResponse: { functionResponses: [{ id: 'c1', name: 'f', response: { b: 2 } }] } }],
        ['received', { serverContent: { outputTranscription: { text: 'Hel' } } }],
        [
          'received',
          { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } }] } } },
        ],
        ['received', { serverContent: { outputTranscription: { text: 'lo' } } }],
        [
          'received',
          {
            serverContent: { turnComplete: true },
            usageMetadata: { promptTokenCount: 2, responseTokenCount: 1, totalTokenCount: 3 },
          },
        ],
      ),
      'ws-frames',
    );
    assert.deepEqual(
      tape.interactions.map(({ request, response }) => [
        request?.messages.map(({ role }) => role).join(' '),
        response?.content ?? response?.toolCalls[0]?.name,
      ]),
      [
        ['system user', 'f'],
        ['system user assistant tool', 'Hello'],
      ],
    );
    assert.equal(tape.interactions[1]?.response?.usage?.completionTokens, 1);
  });

  it('says why a connection ended, and shows frames without a turn', () => {
    const closed = `${frames(['sent', create])}- kind: close\n  code: 1008\n  reason: gone\n  ok: false\n`;
    assert.match(readTextAs(closed, 'ws-frames').interactions[0]?.response?.error ?? '', /closed: 1008 gone/);
    const [only] = readTextAs(frames(['received', { type: 'session.created' }]), 'ws-frames').interactions;
    assert.deepEqual([only?.kind, only?.summary], ['frame', '1 frames without a turn, the first: session.created']);
  });
});
