import type { Chunk, HttpExchange } from '../../src/core/model/http';
import type { RecordedInteraction } from '../../src/core/model/interaction';
import { tapedeckFormat } from '../../src/core/tapes/formats/tapedeck/index';

const CHAT = 'https://api.openai.com/v1/chat/completions';

function chatCall(
  messages: readonly unknown[],
  answer: Partial<HttpExchange>,
  durationMs: number,
): RecordedInteraction {
  const text = JSON.stringify({ model: 'gpt-4.1-mini', messages });
  return {
    timing: { durationMs },
    http: {
      method: 'POST',
      url: CHAT,
      requestHeaders: [['content-type', 'application/json']],
      requestBody: { type: 'text', text },
      status: 200,
      responseHeaders: [['content-type', 'application/json']],
      responseBody: { type: 'none' },
      ...answer,
    },
  };
}

function whole(body: object): Partial<HttpExchange> {
  return { responseBody: { type: 'text', text: JSON.stringify(body) } };
}

function piece(content: string, isLast: boolean): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: isLast ? 'stop' : null }];
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'gpt-4.1-mini', choices })}\n\n`;
}

/** The text of a streamed response, in pieces. */
export const STREAMED = ['Your ', 'order ', 'left ', 'on ', 'Tuesday ', 'and ', 'is ', 'on ', 'its ', 'way.'];

function streamedChunk(text: string, at: number): Chunk {
  return { data: piece(text, at === STREAMED.length - 1), delayMs: 120 };
}

/** Recorded HTTP: a tool call, a streamed response that can be played, a failure, other traffic, a response. */
export function wireTape(): string {
  const system = { role: 'system', content: 'Be brief.' };
  const asked = [system, { role: 'user', content: 'Where is order 17?' }];
  const call = { id: 'call_1', type: 'function', function: { name: 'lookup_order', arguments: '{"order_id":17}' } };
  const called = [...asked, { role: 'assistant', content: null, tool_calls: [call] }];
  const found = [...called, { role: 'tool', tool_call_id: 'call_1', content: '{"status":"shipped"}' }];
  const thanked = [...found, { role: 'assistant', content: STREAMED.join('') }, { role: 'user', content: 'Thanks!' }];
  const answer = (message: object, usage: object): Partial<HttpExchange> =>
    whole({ object: 'chat.completion', model: 'gpt-4.1-mini', choices: [{ index: 0, message }], usage });
  const usage = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 };
  return tapedeckFormat.serialise('wire', [
    chatCall(asked, answer({ role: 'assistant', content: null, tool_calls: [call] }, usage), 400),
    chatCall(
      found,
      {
        responseHeaders: [['content-type', 'text/event-stream']],
        responseBody: { type: 'chunks', chunks: STREAMED.map(streamedChunk) },
      },
      1200,
    ),
    chatCall(thanked, { status: 429, ...whole({ error: { message: 'Slow down.' } }) }, 30),
    {
      timing: { durationMs: 80 },
      http: {
        method: 'GET',
        url: 'https://shop.example/orders/17',
        requestHeaders: [],
        requestBody: { type: 'none' },
        status: 200,
        responseHeaders: [['content-type', 'application/json']],
        responseBody: { type: 'text', text: '{"status":"shipped"}' },
      },
    },
    chatCall(thanked, answer({ role: 'assistant', content: 'You are welcome.' }, usage), 600),
  ]);
}
