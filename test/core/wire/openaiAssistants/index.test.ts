import assert from 'node:assert/strict';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post, sse, textBody } from '../exchanges';

describe('OpenAI Assistants', () => {
  it('reads a streamed run', () => {
    const url = 'https://api.openai.com/v1/threads/thread_1/runs';
    const request = {
      assistant_id: 'asst_1',
      instructions: 'Be brief.',
      additional_messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    };
    const {
      api,
      request: asked,
      response,
    } = readExchange(
      post(
        url,
        request,
        textBody(
          sse(
            ['thread.run.created', { object: 'thread.run', id: 'run_1', status: 'queued', model: 'gpt-4o' }],
            [
              'thread.message.delta',
              {
                object: 'thread.message.delta',
                id: 'msg',
                delta: { content: [{ index: 0, type: 'text', text: { value: 'Hel' } }] },
              },
            ],
            [
              'thread.message.delta',
              {
                object: 'thread.message.delta',
                id: 'msg',
                delta: { content: [{ index: 0, type: 'text', text: { value: 'lo' } }] },
              },
            ],
            [
              'thread.run.completed',
              {
                object: 'thread.run',
                id: 'run_1',
                status: 'completed',
                usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
              },
            ],
            ['done', '[DONE]'],
          ),
        ),
      ),
    );
    assert.equal(api, 'openai-assistants');
    assert.deepEqual(
      asked?.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
      ],
    );
    assert.equal(response?.content, 'Hello');
    assert.equal(response?.finishReason, 'completed');
    assert.equal(response?.usage?.totalTokens, 5);
  });

  it('treats a run that is polled as plain HTTP', () => {
    const url = 'https://api.openai.com/v1/threads/thread_1/runs';
    const { kind, summary } = readExchange(
      post(url, { assistant_id: 'a' }, jsonBody({ object: 'thread.run', status: 'queued' })),
    );
    assert.deepEqual([kind, summary], ['http', 'thread.run, queued']);
  });
});
