import { createServer } from 'node:http';

/**
 * A provider of our own, which is slow, fails, and limits the rate, and keeps count by case and model. A prompt begins with
 * `Case N:`. Each final answer ends with its number, by which a recording is found again.
 */
export async function startUpstream() {
  /** @type {Map<string, {finals: {passed: boolean, tokens: number[]}[], refused: number, limited: number, started: number}>} */
  const tally = new Map();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { model, messages, tools = [] } = JSON.parse(text);
    const number = Number(/^Case (\d+):/.exec(messages.find(({ role }) => role === 'user').content)?.[1]);
    const key = `${number}/${model}`;
    const own = tally.get(key) ?? { finals: [], refused: 0, limited: 0, started: 0 };
    tally.set(key, own);
    await new Promise((done) => setTimeout(done, 3 + ((number * 7 + model.length * 13 + own.started * 5) % 30)));
    const isFirst = !messages.some(({ role }) => role === 'tool');
    const isBase = model === 'base';
    if (!isBase && isFirst && number % 3 === 0 && own.limited === 0) {
      own.limited += 1;
      return send(response, 429, { error: { message: 'too many requests' } }, { 'retry-after': '0' });
    }
    if (!isBase && isFirst && number % 5 === 2 && own.limited === 0) {
      own.limited += 1;
      return send(response, 503, { error: { message: 'overloaded' } });
    }
    if (isFirst) own.started += 1;
    const isRefused =
      (model === 'model-c' && number % 5 === 1) || (model === 'model-b' && number % 4 === 2 && own.started === 3);
    if (isRefused && isFirst) {
      own.refused += 1;
      return send(response, 400, { error: { message: `${model} does not take this` } });
    }
    if (isFirst && tools.length > 0) {
      const call = { id: `call_${key}`, type: 'function', function: { name: 'lookup', arguments: '{"q":"parcel"}' } };
      return send(response, 200, completion(model, { content: null, tool_calls: [call] }, 20, 5));
    }
    const at = own.finals.length;
    const passed = model === 'base' || model === 'model-a' || (at + number) % (model === 'model-b' ? 4 : 3) !== 0;
    const tokens = [100 + number + at, 10 + 3 * at];
    own.finals.push({ passed, tokens: tools.length > 0 ? [tokens[0] + 20, tokens[1] + 5] : tokens });
    const content = `${passed ? 'It arrives on Thursday' : 'I do not know'}. Answer ${at}`;
    return send(response, 200, completion(model, { content }, tokens[0], tokens[1]));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  const all = (numberOf) =>
    [...tally.entries()].reduce((sum, [key, one]) => (key.endsWith('/base') ? sum : sum + numberOf(one)), 0);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    tally,
    /** Conversations that ended: with an answer, or refused. */
    ended: () => all(({ finals, refused }) => finals.length + refused),
    close: () => server.close(),
  };
}

function completion(model, message, prompt, answer) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...message },
        finish_reason: message.tool_calls ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
  };
}

function send(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
