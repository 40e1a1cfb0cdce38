import assert from 'node:assert/strict';
import { reviewBytes } from '../../../soak/edits/reviewBytes';
import { titlesOf } from '../compare/exchangePairs';

const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function decide(path: string, before: unknown, after: unknown, titles: readonly string[]) {
  const review = reviewBytes(path, bytes(before), bytes(after));
  const taken = review.take(titles);
  return { ...review, text: 'bytes' in taken ? Buffer.from(taken.bytes).toString('utf8') : taken.torn.join() };
}

describe('changes of scripts', () => {
  const scenario = (prompt: string, content: string, piece: string) => ({
    prompt,
    supports_native_tools: true,
    completions: [{ content: 'Hello', tool_calls: [], usage: {} }],
    streams: [
      [
        { content: piece, is_done: false },
        {
          content: '!',
          full_content: `${piece}!`,
          is_done: true,
          tool_calls: [{ id: '', name: content, arguments: {} }],
        },
      ],
    ],
  });

  it('outside the interactions are taken with the text around them', () => {
    const [before, after] = [scenario('Read it.', 'act', 'Four'), scenario('Write it.', 'act', 'Five')];
    const { text, shown } = decide('a.scenario.json', before, after, ['Text of message 1']);
    assert.deepEqual([...shown].sort(), ['Response', 'Text of message 1']);
    assert.deepEqual(JSON.parse(text), scenario('Write it.', 'act', 'Four'));
  });

  it('change all chunks of a stream with its full text', () => {
    const [before, after] = [scenario('Read it.', 'act', 'Four'), scenario('Write it.', 'act', 'Five')];
    const { text } = decide('a.scenario.json', before, after, ['Response']);
    assert.deepEqual(JSON.parse(text), scenario('Read it.', 'act', 'Five'));
  });

  it('take the key and the digests of a Reyn fixture with its request', () => {
    const entry = (key: string, model: string, content: string) => ({
      key,
      kind: 'completion',
      model,
      prompt_preview: 'Hi',
      key_components: { model, tool_choice: '', messages: ['user:0123456789ab'], tools: {} },
      response: {
        model: 'same',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content } }],
      },
    });
    const line = (...args: Parameters<typeof entry>) => `${JSON.stringify(entry(...args))}\n`;
    const [before, after] = [line('a1', 'gpt-4o', 'Four of them'), line('b2', 'gpt-5', 'Five of them')];
    assert.equal(decide('a.jsonl', before, after, ['Model']).text, line('b2', 'gpt-5', 'Four of them'));
    assert.equal(decide('a.jsonl', before, after, ['Response']).text, line('a1', 'gpt-4o', 'Five of them'));
  });

  it('are shown in what a turn expects, and in what a session declares', () => {
    const turn = (at: string) => ({
      agent_id: 'agent',
      turns: [{ user: 'Book it', expect: [{ kind: 'call_tool_with', name: 'book', arguments: { at } }] }],
    });
    const days = ['2026-04-04T10:00:00Z', '2026-04-07T10:00:00Z'] as const;
    assert.deepEqual(decide('a.json', turn(days[0]), turn(days[1]), []).shown, ['Expectations']);
    const session = (contract: string) => ({ id: 's', input: 'Hi', tool_responses: [], contract });
    assert.deepEqual(decide('b.json', session('One'), session('Two'), []).shown, ['Contract']);
  });
});

describe('vectors', () => {
  const call = (embedding: readonly number[]) => ({
    url: 'https://api.openai.com/v1/embeddings',
    request: { model: 'text-embedding-3-small', input: 'Hi' },
    response: { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [...embedding] }] },
  });

  it('are changes if their directions differ, and details if a service computed them anew', () => {
    const vector = [0.25, -0.5, 0.75];
    assert.deepEqual(titlesOf(call(vector), call([0.25, 0.5, 0.75])), { shown: ['Embeddings'], hidden: [] });
    const again = titlesOf(call(vector), call([0.250001, -0.5, 0.75]));
    assert.deepEqual(again, { shown: [], hidden: ['Response details'] });
  });
});
