import * as assert from 'node:assert/strict';
import type { Chunk } from '../../../src/core/model/http';
import type { ChatResponse } from '../../../src/core/model/message';
import { isPlayable, playback } from '../../../src/core/transcript/playback';

const chunk = (text: string, delayMs?: number): Chunk => ({
  data: JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: text } }] }),
  ...(delayMs === undefined ? {} : { delayMs }),
});
const answer = (content: string, chunks: readonly Chunk[]): ChatResponse => ({ content, toolCalls: [], chunks });

describe('the playback of a streamed answer', () => {
  it('tells how much was there when', () => {
    const response = answer('One two.', [chunk('One', 300), chunk(' two', 50), chunk('.', 20)]);
    assert.deepEqual(playback({ api: 'openai-chat', response }), [
      [300, 3],
      [350, 7],
      [370, 8],
    ]);
  });

  it('is there only where the pauses were recorded', () => {
    const silent = answer('One two.', [chunk('One'), chunk(' two'), chunk('.')]);
    assert.equal(isPlayable({ api: 'openai-chat', response: silent }), false);
    assert.deepEqual(playback({ api: 'openai-chat', response: silent }), []);
    assert.deepEqual(playback({ api: undefined, response: silent }), []);
  });

  it('takes no more steps than can be told apart, and ends with all of it', () => {
    const chunks = Array.from({ length: 1000 }, () => chunk('ab', 10));
    const steps = playback({ api: 'openai-chat', response: answer('ab'.repeat(1000), chunks) });
    assert.ok(steps.length <= 82);
    assert.deepEqual(steps.at(-1), [10_000, 2000]);
    assert.ok(steps.every(([, length], index) => length >= (steps[index - 1]?.[1] ?? 0)));
  });
});
