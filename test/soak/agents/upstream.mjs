// The models that the agents call, on this machine: APIs of OpenAI, Anthropic, and Gemini, with streams. A model calls the tools that
// it is offered one after another, or both at once if the prompt says "at once", and then answers with their results. Every id that a
// provider makes is new each time.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * @typedef {Record<string, any>} Json
 * @typedef {{ tools: { name: string, schema?: Json }[], results: string[], prompt: string, format?: Json }} Asked
 * @typedef {{ calls: { name: string, args: Json }[], text: string }} Turn
 */

/** Tools with which a framework has the model hand in its answer. */
const ANSWERS = /^(?:final_answer|final_result|finish|Answer|response_format|json_tool_call)/i;
const HANDOFF = /^transfer_to/;

/** Starts the models; `asked` counts requests. */
export async function serveModels() {
  let asked = 0;
  /** @type {Map<string, string[]>} */
  const earlier = new Map();
  /** @type {Map<string, number[]>} */
  const refusals = new Map();
  const server = createServer((request, response) => {
    asked += 1;
    /** @type {Buffer[]} */
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const path = (request.url ?? '').replace(/\?.*$/, '');
      const body = readJson(Buffer.concat(pieces).toString());
      const refusal = refusalOf(body.model ?? path, refusals);
      if (refusal) return refuse(response, refusal);
      const answer = APIS.find(([pattern]) => pattern.test(path))?.[1](body, path, earlier);
      if (!answer) return send(response, 404, { error: { message: `no ${path}`, type: 'invalid_request_error' } });
      if (Array.isArray(answer)) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of answer) response.write(event);
        return response.end();
      }
      return send(response, 200, answer);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A model whose name has `busy` refuses twice, as one that is busy and then fails. @param {string} model @param {Map<string, number[]>} refusals */
function refusalOf(model, refusals) {
  const left = refusals.get(model) ?? (/busy/.test(model) ? [429, 500] : []);
  refusals.set(model, left.slice(1));
  return left[0];
}

/** @param {import('node:http').ServerResponse} response @param {number} status */
function refuse(response, status) {
  response.setHeader('retry-after', '0');
  send(response, status, { error: { message: `busy: ${status}`, type: 'server_error', code: null } });
}

/** @type {[path: RegExp, answer: (body: Json, path: string, earlier: Map<string, string[]>) => Json | string[]][]} */
const APIS = [
  [/\/chat\/completions$/, chat],
  [/\/responses$/, responses],
  [/\/messages$/, messages],
  [/\/count_tokens$/, () => ({ input_tokens: 12 })],
  [/:generateContent$/, (body) => gemini(body)],
  [/:streamGenerateContent$/, geminiStream],
  [/:batchEmbedContents$/, () => ({ embeddings: [{ values: [0.25, 0.5] }] })],
  [/\/embeddings$/, embeddings],
];

/** @param {Asked} asked @returns {Turn} */
function turnOf({ tools, results, prompt, format }) {
  const handoff = tools.find(({ name }) => HANDOFF.test(name));
  const last = tools.find(({ name }) => ANSWERS.test(name));
  const real = tools.filter(({ name }) => name !== last?.name && !HANDOFF.test(name)).slice(0, 2);
  if (handoff && real.length === 0) return { calls: [{ name: handoff.name, args: {} }], text: '' };
  const due = /at once/.test(prompt)
    ? results.length === 0
      ? real
      : []
    : real.slice(results.length, results.length + 1);
  if (due.length > 0) return { calls: due.map(({ name, schema }) => ({ name, args: argumentsFor(schema) })), text: '' };
  const said = results.slice(-2).join(' / ').replace(/\s+/g, ' ').slice(0, 120);
  const text = `Done: ${said || prompt.slice(0, 60)}`;
  if (last) {
    const schema = last.schema ?? {};
    const args = argumentsFor(schema);
    for (const [name, { type }] of Object.entries(schema.properties ?? {})) if (type === 'string') args[name] = text;
    return { calls: [{ name: last.name, args }], text: '' };
  }
  return { calls: [], text: format ? JSON.stringify(argumentsFor(format)) : text };
}

/** Arguments that fit a schema: order 17, the city of Paris. @param {Json} [schema] @param {Json} [root] @returns {Json} */
function argumentsFor(schema = {}, root = schema) {
  /** @type {Json} */
  const made = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required && !schema.required.includes(name)) continue;
    const named = property.$ref ? root.$defs?.[property.$ref.split('/').pop()] : property;
    const one = named.anyOf?.[0] ?? named;
    const type = String(one.type ?? 'string').toLowerCase();
    if (one.enum) made[name] = one.enum[0];
    else if (type === 'integer' || type === 'number') made[name] = 17;
    else if (type === 'boolean') made[name] = true;
    else if (type === 'array') made[name] = [];
    else if (type === 'object') made[name] = argumentsFor(one, root);
    else made[name] = 'Paris';
  }
  return made;
}

/** What frameworks write in the text of a prompt, and read from the text of an answer: DSPy's fields, and ReAct. @param {string} all */
function textProtocol(all) {
  if (/next_tool_name/.test(all)) {
    const step = Math.min(
      (all.match(/\[\[ ## observation_\d+ ## \]\]|"observation_\d+"|observation_\d+/g) ?? []).length,
      2,
    );
    const [name, args] = [
      ['get_order', '{"order_id": 17}'],
      ['get_weather', '{"city": "Paris"}'],
      ['finish', '{}'],
    ][step] ?? ['finish', '{}'];
    return fields({ next_thought: `step ${step}`, next_tool_name: String(name), next_tool_args: String(args) });
  }
  if (/\[\[ ## answer ## \]\]/.test(all))
    return fields({ reasoning: 'Both tools were called.', answer: 'Done: shipped' });
  if (/Action Input/.test(all)) {
    const step = (all.match(/\nObservation: /g) ?? []).length;
    if (step === 0) return 'Thought: the order\nAction: get_order\nAction Input: {"order_id": 17}';
    if (step === 1) return 'Thought: the weather\nAction: get_weather\nAction Input: {"city": "Paris"}';
    return 'Thought: I now know the final answer\nFinal Answer: Done: shipped';
  }
  if (/<code>/.test(all)) {
    const step = (all.match(/Observation:/g) ?? []).length;
    const code = step < 3 ? 'order = get_order(order_id=17)\nprint(order)' : 'final_answer("Done: shipped")';
    return `Thought: code\n<code>\n${/shipped to/.test(all) ? 'final_answer("Done: shipped")' : code}\n</code>`;
  }
  return undefined;
}

/** @param {Record<string, string>} values */
function fields(values) {
  return [...Object.entries(values), ['completed', '']]
    .map(([name, value]) => `[[ ## ${name} ## ]]\n${value}`)
    .join('\n\n');
}

/** @param {Json} body */
function chat(body) {
  const said = body.messages ?? [];
  const results = said
    .filter((/** @type {Json} */ one) => one.role === 'tool')
    .map((/** @type {Json} */ one) => textOf(one.content));
  const tools = (body.tools ?? []).map((/** @type {Json} */ one) => ({
    name: one.function.name,
    schema: one.function.parameters,
  }));
  const inText =
    tools.length === 0
      ? textProtocol(said.map((/** @type {Json} */ one) => textOf(one.content)).join('\n'))
      : undefined;
  const prompt = promptOf(said);
  const turn = inText
    ? { calls: [], text: inText }
    : turnOf({ tools, results, prompt, format: body.response_format?.json_schema?.schema });
  const calls = turn.calls.map(({ name, args }, index) => ({
    ...{ index, id: made('call_'), type: 'function' },
    function: { name, arguments: JSON.stringify(args) },
  }));
  const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };
  const head = { id: made('chatcmpl-'), created: now(), model: body.model, system_fingerprint: made('fp_') };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  if (!body.stream) {
    const toolCalls = calls.length > 0 ? { tool_calls: calls.map(({ index, ...call }) => call) } : {};
    const message = { role: 'assistant', content: turn.text || null, refusal: null, ...toolCalls };
    return {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, logprobs: null, message, finish_reason }],
      usage,
    };
  }
  const chunk = (/** @type {Json} */ delta, /** @type {string | null} */ reason = null) =>
    data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] });
  const opened = calls.map((call) => ({ ...call, function: { ...call.function, arguments: '' } }));
  return [
    chunk({ role: 'assistant', content: calls.length > 0 ? null : '' }),
    ...opened.map((call) => chunk({ tool_calls: [call] })),
    ...calls.flatMap(({ index, function: { arguments: text } }) =>
      pieces(text).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ),
    ...pieces(turn.text).map((content) => chunk({ content })),
    chunk({}, finish_reason),
    ...(body.stream_options?.include_usage
      ? [data({ ...head, object: 'chat.completion.chunk', choices: [], usage })]
      : []),
    'data: [DONE]\n\n',
  ];
}

/** @param {Json} body @param {string} _path @param {Map<string, string[]>} earlier */
function responses(body, _path, earlier) {
  const input = Array.isArray(body.input) ? body.input : [{ role: 'user', content: body.input }];
  const now_ = input
    .filter((/** @type {Json} */ one) => one.type === 'function_call_output')
    .map((/** @type {Json} */ one) => textOf(one.output));
  const results = [...(earlier.get(body.previous_response_id) ?? []), ...now_];
  const tools = (body.tools ?? [])
    .filter((/** @type {Json} */ one) => one.type === 'function')
    .map((/** @type {Json} */ one) => ({ name: one.name, schema: one.parameters }));
  const turn = turnOf({ tools, results, prompt: promptOf(input), format: body.text?.format?.schema });
  const output =
    turn.calls.length > 0
      ? turn.calls.map(({ name, args }) => ({
          ...{ type: 'function_call', id: made('fc_'), call_id: made('call_'), name, status: 'completed' },
          arguments: JSON.stringify(args),
        }))
      : [
          {
            ...{ type: 'message', id: made('msg_'), role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: turn.text, annotations: [], logprobs: [] }],
          },
        ];
  const usage = {
    ...{ input_tokens: 20, output_tokens: 9, total_tokens: 29 },
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const whole = {
    ...{ id: made('resp_'), object: 'response', created_at: now(), status: 'completed', model: body.model, output },
    ...{
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: body.tools ?? [],
      error: null,
      incomplete_details: null,
    },
    ...{ instructions: body.instructions ?? null, metadata: {}, temperature: 1, top_p: 1, usage },
  };
  earlier.set(whole.id, results);
  if (!body.stream) return whole;
  let sequence = 0;
  const event = (/** @type {string} */ type, /** @type {Json} */ rest) =>
    named(type, { type, sequence_number: sequence++, ...rest });
  return [
    event('response.created', { response: { ...whole, status: 'in_progress', output: [] } }),
    ...output.flatMap((item, output_index) => {
      const at = { item_id: item.id, output_index };
      const opening = { ...item, status: 'in_progress', ...('content' in item ? { content: [] } : { arguments: '' }) };
      const opened = event('response.output_item.added', { output_index, item: opening });
      const middle =
        'content' in item
          ? [
              event('response.content_part.added', { ...at, content_index: 0, part: { ...item.content[0], text: '' } }),
              ...pieces(turn.text).map((delta) =>
                event('response.output_text.delta', { ...at, content_index: 0, delta, logprobs: [] }),
              ),
              event('response.output_text.done', { ...at, content_index: 0, text: turn.text, logprobs: [] }),
              event('response.content_part.done', { ...at, content_index: 0, part: item.content[0] }),
            ]
          : [
              event('response.function_call_arguments.delta', { ...at, delta: item.arguments }),
              event('response.function_call_arguments.done', { ...at, name: item.name, arguments: item.arguments }),
            ];
      return [opened, ...middle, event('response.output_item.done', { output_index, item })];
    }),
    event('response.completed', { response: whole }),
  ];
}

/** @param {Json} body */
function messages(body) {
  const parts = body.messages.flatMap((/** @type {Json} */ one) => (Array.isArray(one.content) ? one.content : []));
  const results = parts
    .filter((/** @type {Json} */ one) => one.type === 'tool_result')
    .map((/** @type {Json} */ one) => textOf(one.content));
  const tools = (body.tools ?? [])
    .filter((/** @type {Json} */ one) => one.input_schema)
    .map((/** @type {Json} */ one) => ({ name: one.name, schema: one.input_schema }));
  const format = body.output_config?.format?.schema ?? body.output_format?.schema;
  const turn = turnOf({ tools, results, prompt: promptOf(body.messages), format });
  const uses = turn.calls.map(({ name, args }) => ({ type: 'tool_use', id: made('toolu_'), name, input: args }));
  const content = [{ type: 'text', text: turn.text || 'Let me look.' }, ...uses];
  const whole = {
    ...{ id: made('msg_'), type: 'message', role: 'assistant', model: body.model, content },
    ...{ stop_reason: uses.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { input_tokens: 20, output_tokens: 9 },
  };
  if (!body.stream) return whole;
  const event = (/** @type {string} */ type, /** @type {Json} */ rest) => named(type, { type, ...rest });
  return [
    event('message_start', { message: { ...whole, content: [], stop_reason: null } }),
    ...content.flatMap((block, index) => [
      event('content_block_start', {
        index,
        content_block: 'input' in block ? { ...block, input: {} } : { ...block, text: '' },
      }),
      ...('input' in block
        ? pieces(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
        : pieces(block.text).map((text) => ({ type: 'text_delta', text }))
      ).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: whole.stop_reason, stop_sequence: null },
      usage: { output_tokens: 9 },
    }),
    event('message_stop', {}),
  ];
}

/** @param {Json} body */
function geminiTurn(body) {
  const parts = (body.contents ?? []).flatMap((/** @type {Json} */ one) => one.parts ?? []);
  const results = parts
    .filter((/** @type {Json} */ one) => one.functionResponse)
    .map((/** @type {Json} */ one) => JSON.stringify(one.functionResponse.response));
  const tools = (body.tools ?? [])
    .flatMap((/** @type {Json} */ one) => one.functionDeclarations ?? [])
    .map((/** @type {Json} */ one) => ({ name: one.name, schema: one.parameters ?? one.parametersJsonSchema }));
  const { responseSchema, responseJsonSchema } = body.generationConfig ?? {};
  return turnOf({
    tools,
    results,
    prompt: promptOf(body.contents ?? []),
    format: responseJsonSchema ?? responseSchema,
  });
}

/** @param {Json[]} parts @param {boolean} isLast */
function geminiAnswer(parts, isLast) {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}) }],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 },
    modelVersion: 'gemini-2.5-flash',
    responseId: made('r'),
  };
}

/** @param {Json} body */
function gemini(body) {
  const { calls, text } = geminiTurn(body);
  return geminiAnswer(
    calls.length > 0 ? calls.map(({ name, args }) => ({ functionCall: { name, args } })) : [{ text }],
    true,
  );
}

/** @param {Json} body */
function geminiStream(body) {
  const { calls, text } = geminiTurn(body);
  const parts =
    calls.length > 0
      ? calls.map(({ name, args }) => ({ functionCall: { name, args } }))
      : pieces(text).map((one) => ({ text: one }));
  return parts.map((part, at) => `data: ${JSON.stringify(geminiAnswer([part], at === parts.length - 1))}\r\n\r\n`);
}

/** @param {Json} body */
function embeddings(body) {
  const vector = Float32Array.from({ length: 8 }, (_, at) => at / 8);
  const embedding = body.encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
  const inputs = Array.isArray(body.input) ? body.input : [body.input];
  const list = inputs.map((/** @type {unknown} */ _, /** @type {number} */ index) => ({
    object: 'embedding',
    index,
    embedding,
  }));
  return { object: 'list', model: body.model, data: list, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

/** The last thing that the user said. @param {Json[]} said */
function promptOf(said) {
  const users = said.filter((one) => (one.role ?? 'user') === 'user').map((one) => textOf(one.content ?? one.parts));
  return users.filter((text) => text !== '').at(-1) ?? '';
}

/** @param {unknown} content @returns {string} */
function textOf(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((one) => one.text ?? one.content ?? one.output ?? '').join(' ');
  return content === null || content === undefined ? '' : JSON.stringify(content);
}

/** @param {string} text */
function pieces(text) {
  return text.match(/.{1,6}/gs) ?? [];
}

/** @param {unknown} value */
function data(value) {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** @param {string} name @param {unknown} value */
function named(name, value) {
  return `event: ${name}\n${data(value)}`;
}

/** @param {string} prefix */
function made(prefix) {
  return prefix + randomBytes(12).toString('hex');
}

function now() {
  return Math.floor(Date.now() / 1000);
}

/** @param {string} text @returns {Json} */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {unknown} value */
function send(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': made('req_') });
  response.end(JSON.stringify(value));
}
