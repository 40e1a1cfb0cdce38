// The model that every traced agent asks, and the servers that Langfuse and LangSmith send their traces to: one server on this machine.
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

const CALL = {
  id: 'call_weather_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"São Paulo"}' },
};
const USAGE = { prompt_tokens: 61, completion_tokens: 17, total_tokens: 78 };
const DETAILS = { prompt_tokens_details: { cached_tokens: 32 }, completion_tokens_details: { reasoning_tokens: 5 } };

/**
 * @typedef {{ request: any, response: any }} Asked What an SDK was given: the body that it sent, and the one it got.
 * @typedef {{ url: string, asked: Asked[], observations: Map<string, any>, runs: Map<string, any>, close: () => void }} Upstream
 */

/** @returns {Promise<Upstream>} */
export async function serveUpstream() {
  /** @type {Asked[]} */
  const asked = [];
  const observations = new Map();
  const runs = new Map();
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = request.url ?? '';
    if (path.endsWith('/chat/completions')) answer(response, body, asked);
    else if (path.endsWith('/responses')) answerResponses(response, body, asked);
    else if (path.startsWith('/api/public/ingestion')) ingest(response, body, observations);
    else if (path.startsWith('/info'))
      send(response, {
        batch_ingest_config: {
          use_multipart_endpoint: false,
          size_limit: 100,
          size_limit_bytes: 20_000_000,
          scale_up_nthreads_limit: 1,
          scale_up_qsize_trigger: 1000,
        },
      });
    else if (path.startsWith('/runs/batch')) merge(response, body, runs);
    else if (/^\/runs\/?/.test(path)) mergeOne(response, body, path, runs);
    else send(response, {});
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked, observations, runs, close: () => server.close() };
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {import('node:http').ServerResponse} response @param {unknown} value @param {number} [status] */
function send(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** @param {import('node:http').ServerResponse} response @param {any} request @param {Asked[]} asked */
function answer(response, request, asked) {
  if (request.model === 'broken') {
    const error = {
      error: { message: 'The model is broken.', type: 'invalid_request_error', code: null, param: null },
    };
    asked.push({ request, response: error });
    send(response, error, 400);
    return;
  }
  const completion = completionOf(request);
  asked.push({ request, response: completion });
  if (request.stream) stream(response, completion);
  else send(response, completion);
}

/** @param {any} request */
function completionOf({ messages, tools }) {
  const hasResult = messages.some((/** @type {any} */ { role }) => role === 'tool');
  const calls = tools !== undefined && !hasResult;
  const content = hasResult ? 'It is 21.5 °C: "warm".' : 'One, two,\nthree.';
  const message = calls ? { role: 'assistant', content: null, tool_calls: [CALL] } : { role: 'assistant', content };
  return {
    id: `chatcmpl-${messages.length}`,
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'gpt-4o-mini-2024-07-18',
    choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop', logprobs: null }],
    usage: { ...USAGE, ...DETAILS },
  };
}

/** @param {import('node:http').ServerResponse} response @param {any} completion */
function stream(response, { choices: [choice], usage, ...rest }) {
  const event = (/** @type {unknown[]} */ choices, more = {}) =>
    response.write(`data: ${JSON.stringify({ ...rest, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  event([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
  const { content, tool_calls: calls } = choice.message;
  for (const piece of (content ?? '').match(/.{1,4}/gs) ?? [])
    event([{ index: 0, delta: { content: piece }, finish_reason: null }]);
  for (const [index, call] of (calls ?? []).entries())
    event([{ index: 0, delta: { tool_calls: [{ index, ...call }] }, finish_reason: null }]);
  event([{ index: 0, delta: {}, finish_reason: choice.finish_reason }]);
  event([], { usage });
  response.end('data: [DONE]\n\n');
}

/** @param {import('node:http').ServerResponse} response @param {any} request @param {Asked[]} asked */
function answerResponses(response, request, asked) {
  const hasResult =
    Array.isArray(request.input) &&
    request.input.some((/** @type {any} */ { type }) => type === 'function_call_output');
  const text = { type: 'output_text', text: 'It is 21.5 °C: "warm".', annotations: [] };
  const output = hasResult
    ? { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] }
    : { type: 'function_call', id: 'fc_1', call_id: CALL.id, status: 'completed', ...CALL.function };
  const usage = {
    input_tokens: 61,
    output_tokens: 17,
    total_tokens: 78,
    input_tokens_details: { cached_tokens: 32 },
    output_tokens_details: { reasoning_tokens: 5 },
  };
  const body = {
    id: `resp_${asked.length}`,
    object: 'response',
    created_at: 1_760_000_000,
    status: 'completed',
    model: 'gpt-4o-mini-2024-07-18',
    output: [output],
    usage,
    tools: request.tools ?? [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    temperature: 0.5,
    top_p: 1,
  };
  asked.push({ request, response: body });
  send(response, body);
}

/** Langfuse: an observation is created by one event and completed by others. */
function ingest(response, body, observations) {
  const events = body?.batch ?? [];
  for (const { type, body: fields } of events) {
    const kind = type.startsWith('trace') ? 'TRACE' : type.replace(/-.*/, '').toUpperCase();
    const known = observations.get(fields.id) ?? { type: kind };
    const given = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
    );
    observations.set(fields.id, { ...known, ...given });
  }
  send(response, { successes: events.map(({ id }) => ({ id, status: 201 })), errors: [] }, 207);
}

/** LangSmith: a run is posted, and completed by a patch. */
function merge(response, body, runs) {
  for (const run of [...(body?.post ?? []), ...(body?.patch ?? [])]) keep(runs, run.id, run);
  send(response, {}, 202);
}

function mergeOne(response, body, path, runs) {
  const id = /^\/runs\/([\w-]+)/.exec(path)?.[1] ?? body?.id;
  if (id && body) keep(runs, id, body);
  send(response, {}, 202);
}

function keep(runs, id, fields) {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
  runs.set(id, { ...runs.get(id), ...given });
}
