// Compares what Tapedeck reads in a trace with what the SDK sent and got: field by field, and without Tapedeck's own readers of protocols.
import { isDeepStrictEqual } from 'node:util';

/**
 * @typedef {import('./upstream.mjs').Asked} Asked
 * @typedef {import('./producers.mjs').Producer} Producer
 */

/** The differences of a tape from what was asked. @param {any} tape @param {readonly Asked[]} asked @param {Producer} producer @returns {string[]} */
export function differences(tape, asked, producer) {
  const lacks = new Set(producer.lacks);
  const found = tape.interactions.map(plain);
  const models = found.filter(({ kind }) => kind === 'llm');
  const different = [];
  const expect = (what, actual, expected) => {
    if (!isDeepStrictEqual(actual, expected))
      different.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  };
  expect('calls of the model', models.length, asked.length);
  for (const [index, { request, response }] of asked.entries()) {
    const at = (/** @type {string} */ what) => `call ${index + 1}, ${what}`;
    const call = models[index];
    if (call === undefined) continue;
    expectCall(call, request, response, lacks, (what, actual, expected) => expect(at(what), actual, expected));
  }
  expectTree(found, lacks, producer, expect);
  const contentProblems = tape.problems.filter(({ message }) => message.startsWith('the trace lacks')).length;
  expect('problems of missing content', contentProblems, lacks.has('content') ? models.length : 0);
  expect('other problems', tape.problems.length - contentProblems, 0);
  return different;
}

function expectCall(call, sent, got, lacks, expect) {
  const { request, response } = call;
  if (!lacks.has('content')) {
    const expected = messagesOf(sent);
    const shown = request.messages.map(shownMessage);
    expect('messages', shown, expected);
  } else expect('messages', request.messages, []);
  if (!lacks.has('request model')) expect('model', request.model, sent.model);
  expectTools(request.tools, sent.tools ?? [], lacks, expect);
  for (const name of ['temperature', 'max_tokens']) {
    const value = sent[name] ?? sent[{ max_tokens: 'max_output_tokens' }[name]];
    if (value !== undefined && !lacks.has('params'))
      expect(name, request.params[name] ?? request.params.maxOutputTokens, value);
  }
  if (got.error) {
    expect('error', /The model is broken/.test(response?.error ?? ''), true);
    return;
  }
  expectAnswer(response, got, sent.stream === true ? streamGaps(lacks) : lacks, expect);
}

/** @param {Set<string>} lacks */
function streamGaps(lacks) {
  return lacks.has('tokens of streams') ? new Set([...lacks, 'tokens', 'cached']) : lacks;
}

function expectTools(tools, sent, lacks, expect) {
  if (lacks.has('tools')) return expect('tools', tools, []);
  const definitions = sent.map((tool) => tool.function ?? tool);
  expect(
    'names of tools',
    tools.map(({ name }) => name),
    definitions.map(({ name }) => name),
  );
  if (lacks.has('tool schemas')) return undefined;
  expect(
    'descriptions of tools',
    tools.map(({ description }) => description),
    definitions.map(({ description }) => description),
  );
  expect(
    'schemas of tools',
    tools.map(({ schema }) => schema),
    definitions.map(({ parameters }) => parameters),
  );
  return undefined;
}

function expectAnswer(response, got, lacks, expect) {
  const usage = got.usage;
  const input = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const output = usage.completion_tokens_details ?? usage.output_tokens_details;
  const { promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens } = response?.usage ?? {};
  const counts = [
    usage.prompt_tokens ?? usage.input_tokens,
    usage.completion_tokens ?? usage.output_tokens,
    usage.total_tokens,
  ];
  expect(
    'tokens',
    [promptTokens, completionTokens, totalTokens],
    lacks.has('tokens') ? counts.map(() => undefined) : counts,
  );
  if (cachedTokens !== undefined || !lacks.has('some cached'))
    expect('cached tokens', cachedTokens, lacks.has('cached') ? undefined : input.cached_tokens);
  if (reasoningTokens !== undefined || !lacks.has('reasoning')) expectReasoning(reasoningTokens, output, expect);
  if (!lacks.has('response model') && !lacks.has('request model')) expectModel(response.model, got.model, expect);
  if (lacks.has('content')) return expect('answer', [response.content, response.toolCalls], [null, []]);
  const { message, finish_reason: finish } = got.choices[0];
  expect('answer', response.content ?? '', message.content ?? '');
  expect('calls', response.toolCalls.map(shownCall), (message.tool_calls ?? []).map(sentCall));
  if (response.finishReason !== undefined && !lacks.has('finish reason'))
    expect('finish reason', words(response.finishReason), words(finish));
  return undefined;
}

/** Some producers leave the reasoning of streams out. */
function expectReasoning(tokens, output, expect) {
  if (tokens !== undefined) expect('reasoning tokens', tokens, output.reasoning_tokens);
}

/** Logfire gives a stream the model that was asked for. */
function expectModel(model, got, expect) {
  expect('answering model', got.startsWith(model ?? 'none'), true);
}

/** Frameworks say `tool-calls` or `tool_call` for `tool_calls`. */
function words(reason) {
  return reason.replace(/-/g, '_').replace(/s$/, '');
}

function expectTree(found, lacks, producer, expect) {
  const tools = found.filter(({ kind }) => kind === 'tool');
  expect('calls of the tool', tools.length, producer.tool === 'traced' ? 1 : 0);
  for (const { request, response } of tools) {
    const [call] = request.messages[0].toolCalls;
    expect('tool', [call.name, call.arguments], ['get_weather', { city: 'São Paulo' }]);
    expect('result of the tool', JSON.parse(response.content), { city: 'São Paulo', celsius: 21.5 });
  }
  for (const { within } of found) expect('within another span', (within ?? []).length > 0, !lacks.has('tree'));
  const times = found.map(({ timing }) => timing.recordedAt);
  expect('order', times, [...times].sort());
  expect(
    'durations',
    found.every(({ timing }) => timing.durationMs >= 0),
    true,
  );
}

/** The messages that were sent, to either API. */
function messagesOf({ messages, instructions, input }) {
  if (messages !== undefined) return messages.map(sentMessage);
  return [{ role: 'system', content: instructions }, ...input].map(sentMessage);
}

function sentMessage({ role, content, tool_calls: calls = [], tool_call_id: id }) {
  const text = typeof content === 'string' ? content : (content ?? []).map(({ text: part }) => part).join('');
  return { role, content: role === 'tool' ? canonical(text) : text, calls: calls.map(sentCall), ...(id && { id }) };
}

function shownMessage({ role, content, toolCalls, toolCallId }) {
  const text = content ?? '';
  return {
    role,
    content: role === 'tool' ? canonical(text) : text,
    calls: toolCalls.map(shownCall),
    ...(toolCallId && { id: toolCallId }),
  };
}

/** A result in another layout is the same. */
function canonical(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function sentCall({ id, function: { name, arguments: args } }) {
  return { id, name, args: JSON.parse(args) };
}

function shownCall({ id, name, arguments: args }) {
  return { id, name, args };
}

function plain(interaction) {
  return JSON.parse(JSON.stringify(interaction));
}
