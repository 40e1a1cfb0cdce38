// A server that responds to every API in the shape of its own.
import { createServer } from 'node:http';

const text = 'Straight on.';
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const chat = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage,
};
const cohereMeta = { api_version: { version: '2' }, billed_units: { input_tokens: 1, output_tokens: 1 } };

/** @param {string} path @param {string} own @returns {object | string} */
function responseTo(path, own) {
  if (path.endsWith('/messages/batches/b/results'))
    return `${JSON.stringify({ custom_id: 'one', result: { type: 'canceled' } })}\n`;
  if (/\/messages\/batches(?:\/b)?$/.test(path)) return batch(own);
  if (path.endsWith('/count_tokens')) return { input_tokens: 7 };
  if (path.endsWith('/messages'))
    return {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 2 },
    };
  if (path.endsWith(':generateContent'))
    return { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }] };
  if (path.endsWith('/converse'))
    return {
      output: { message: { role: 'assistant', content: [{ text }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      metrics: { latencyMs: 1 },
    };
  if (path.endsWith('/responses')) return openaiResponse();
  if (path.endsWith('/v2/embed')) return { id: 'e', embeddings: { float: [[0.5]] }, texts: ['t'], meta: cohereMeta };
  if (path.endsWith('/embeddings'))
    return { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage };
  if (path.endsWith('/v1/chat'))
    return {
      response_id: 'r',
      text,
      generation_id: 'g',
      finish_reason: 'COMPLETE',
      chat_history: [],
      meta: cohereMeta,
    };
  if (path.endsWith('/v2/chat'))
    return { id: 'r', message: { role: 'assistant', content: [{ type: 'text', text }] }, finish_reason: 'COMPLETE' };
  if (path.endsWith('/api/chat'))
    return {
      model: 'm',
      created_at: '2026-01-01T00:00:00Z',
      message: { role: 'assistant', content: text },
      done: true,
    };
  return chat;
}

/** @param {string} own */
function batch(own) {
  return {
    id: 'b',
    type: 'message_batch',
    processing_status: 'ended',
    request_counts: { processing: 0, succeeded: 0, errored: 0, canceled: 1, expired: 0 },
    created_at: '2026-01-01T00:00:00Z',
    expires_at: '2026-01-02T00:00:00Z',
    ended_at: '2026-01-01T00:00:01Z',
    archived_at: null,
    cancel_initiated_at: null,
    results_url: `${own}/v1/messages/batches/b/results`,
  };
}

function openaiResponse() {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return {
    id: 'r',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output: [{ type: 'message', id: 'o', role: 'assistant', status: 'completed', content }],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  };
}

/** @returns {Promise<{ url: string, count(): number, close(): void }>} */
export async function startUpstream() {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume().on('end', () => {
      const sent = responseTo((request.url ?? '').replace(/\?.*/, ''), `http://${request.headers.host}`);
      const isText = typeof sent === 'string';
      response.setHeader('content-type', isText ? 'application/x-jsonl' : 'application/json');
      response.end(isText ? sent : JSON.stringify(sent));
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, count: () => count, close: () => void server.close() };
}
