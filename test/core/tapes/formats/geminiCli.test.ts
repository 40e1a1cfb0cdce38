import assert from 'node:assert/strict';
import { jsonLines, readTextAs } from '../readAsFormat';

const candidate = (text: string): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
});

describe('the gemini-cli format', () => {
  it('reads a call a line, streamed or not, and what is no chat', () => {
    const text = jsonLines(
      { method: 'generateContentStream', response: [candidate('Hel'), candidate('lo')] },
      { method: 'generateContent', response: candidate('Bye') },
      { method: 'countTokens', response: { totalTokens: 7 } },
    );
    const { interactions, problems } = readTextAs(text, 'gemini-cli');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      interactions.map(({ kind, response, summary }) => [kind, response?.content ?? summary]),
      [
        ['llm', 'Hello'],
        ['llm', 'Bye'],
        ['http', 'countTokens'],
      ],
    );
    assert.equal(interactions[0]?.response?.chunks?.length, 2);
    const { start = 0, end = 0 } = interactions[1]?.source ?? {};
    assert.equal(JSON.parse(text.slice(start, end)).method, 'generateContent');
  });

  it('says what is wrong where', () => {
    const text = `${jsonLines({ method: 'generateContent', response: candidate('a') }, { method: 'generateContent' })}\n{"method": "x", "resp`;
    const { interactions, problems } = readTextAs(text, 'gemini-cli');
    assert.equal(interactions.length, 2);
    assert.deepEqual(
      problems.map(({ message, span }) => [message, text.slice(0, span.start).split('\n').length]).sort(),
      [
        ['a recorded call needs `response`', 2],
        ['invalid JSON: a string is not closed', 3],
      ],
    );
  });
});
