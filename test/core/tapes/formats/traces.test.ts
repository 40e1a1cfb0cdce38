import assert from 'node:assert/strict';
import type { Interaction } from '../../../../src/core/model/interaction';
import type { Tape } from '../../../../src/core/model/tape';
import { plainInteraction } from '../../../../src/core/tapes/lazyTape';
import { detectFormat, readTape } from '../../../../src/core/tapes/readTape';
import { formatById } from '../../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { toRecordedInteraction } from '../../../../src/core/tapes/writableFormat';
import {
  ANSWER,
  consoleSpans,
  jsonLines,
  langfuse,
  langsmith,
  openaiAgents,
  otlp,
  phoenix,
  QUESTION,
  RESULT,
  type SampleSpan,
  traceFiles,
} from './traceSamples';

function read(value: unknown, path = 'trace.json'): Tape {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const tape = readTape(tapeFileFromText(text, path));
  assert.ok(tape);
  return tape;
}

function ofKind(tape: Tape, kind: Interaction['kind']): Interaction[] {
  return tape.interactions.filter((interaction) => interaction.kind === kind).map(plainInteraction);
}

const warnings = ({ problems }: Tape): string[] => problems.map(({ message }) => message);

describe('Traces as tapes', () => {
  for (const { path, format, text } of traceFiles) {
    it(`${path} is read as ${format}: messages, tools, tokens, times, and what is within what`, () => {
      assert.equal(detectFormat(tapeFileFromText(text, path))?.id, format);
      const tape = read(text, path);
      assert.deepEqual(warnings(tape), []);
      const [ask, answer] = ofKind(tape, 'llm');
      assertAsked(ask);
      if (answer !== undefined) assertAnswered(answer);
      for (const tool of ofKind(tape, 'tool')) {
        const [call] = tool.request?.messages[0]?.toolCalls ?? [];
        assert.deepEqual([call?.name, call?.arguments, tool.response?.content], ['find_order', { id: 7 }, RESULT]);
      }
      const starts = tape.interactions.map(({ timing }) => timing?.recordedAt);
      assert.deepEqual(starts, [...starts].sort());
      if (!/chatreplay|console/.test(path))
        assert.deepEqual(
          ask?.within?.map(({ name }) => name),
          ['clerk'],
        );
    });
  }

  function assertAsked(ask: Interaction | undefined): void {
    assert.equal(ask?.request?.model, 'gpt-4o-mini');
    assert.deepEqual(
      ask.request.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be brief.'],
        ['user', QUESTION],
      ],
    );
    assert.equal(ask.request.params.temperature, 0.5);
    const calls = ask.response?.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, args }));
    assert.deepEqual(calls, [{ id: 'call_1', name: 'find_order', args: { id: 7 } }]);
    assert.equal(ask.response?.content, null);
    assert.deepEqual(ask.response.usage, { promptTokens: 20, completionTokens: 5, totalTokens: 25, cachedTokens: 8 });
    assert.equal(ask.timing?.durationMs, 250);
  }

  function assertAnswered({ request, response }: Interaction): void {
    assert.deepEqual(
      request?.messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]),
      [
        ['system', 'Be brief.', undefined],
        ['user', QUESTION, undefined],
        ['assistant', null, undefined],
        ['tool', RESULT, 'call_1'],
      ],
    );
    assert.deepEqual(request?.messages[2]?.toolCalls[0]?.arguments, { id: 7 });
    assert.equal(response?.content, ANSWER);
    assert.deepEqual(response.usage, { promptTokens: 20, completionTokens: 5, totalTokens: 25, cachedTokens: 8 });
  }

  it('tools of requests have their definitions where the trace has them', () => {
    for (const { path, text } of traceFiles) {
      const [tool] = ofKind(read(text, path), 'llm')[0]?.request?.tools ?? [];
      if (/^events/.test(path)) continue;
      assert.equal(tool?.name, 'find_order', path);
      if (!/^agents/.test(path))
        assert.deepEqual([tool.description, tool.schema], ['Finds an order', { type: 'object', properties: {} }], path);
    }
  });

  const chat = (fields: Partial<SampleSpan> = {}): SampleSpan => ({
    id: 'aa01',
    name: 'chat',
    second: 2,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi."}]}]',
      'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Hello."}]}]',
    },
    ...fields,
  });

  it('attributes that were cut off are read up to there, and are problems', () => {
    const span = chat();
    const cut = `${span.attributes['gen_ai.input.messages']}`.slice(0, -8);
    const tape = read(otlp({ ...span, attributes: { ...span.attributes, 'gen_ai.input.messages': cut } }));
    assert.deepEqual(warnings(tape), ['`gen_ai.input.messages` was cut off']);
    assert.equal(tape.interactions[0]?.request?.messages[0]?.role, 'user');
    const marked = { ...span.attributes, 'gen_ai.prompt.0.content': 'A long story\u2026' };
    assert.deepEqual(warnings(read(otlp({ ...span, attributes: marked }))), ['`gen_ai.prompt.0.content` was cut off']);
    const limited = { ...span.attributes, 'gen_ai.note': 'x'.repeat(256) };
    assert.deepEqual(warnings(read(otlp({ ...span, attributes: limited }))), ['`gen_ai.note` was cut off']);
  });

  it('fields of other exports that were cut off are problems, of calls of models and of tools', () => {
    const marked = 'A long story... [truncated]';
    const preview = { truncated: true, original_type: 'dict', preview: '{"choices"' };
    const observed = (fields: object): Tape =>
      read({ ...langfuse, observations: [{ ...langfuse.observations[0], ...fields }] });
    const asText = JSON.stringify({ messages: [{ role: 'user', content: marked }] });
    assert.deepEqual(warnings(observed({ input: asText })), ['`input` was cut off']);
    assert.deepEqual(warnings(observed({ input: asText.slice(0, -4) })), ['`input` was cut off']);
    assert.deepEqual(warnings(observed({ type: 'TOOL', output: marked })), ['`output` was cut off']);
    const ran = (fields: object): Tape => read([{ ...langsmith[1], ...fields }]);
    assert.deepEqual(warnings(ran({ outputs: preview })), ['`outputs` was cut off']);
    assert.deepEqual(warnings(ran({ run_type: 'tool', inputs: { text: marked } })), ['`inputs` was cut off']);
    const agents = (data: object): Tape =>
      read([{ ...(openaiAgents.data.at(-1) as object), object: 'trace.span', id: 's', span_data: data }]);
    assert.deepEqual(warnings(agents({ type: 'function', name: 'f', input: '{}', output: marked })), [
      '`output` was cut off',
    ]);
    assert.deepEqual(
      warnings(agents({ type: 'generation', model: 'm', input: preview, output: [] })).at(-1),
      '`input` was cut off',
    );
  });

  it('may have no call at all, which is told without saying that something was not read', () => {
    const [{ parentObservationId: _, ...observation } = {} as never] = langfuse.observations;
    const { problems } = read({ ...langfuse, observations: [{ ...observation, type: 'SPAN' }] });
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, message]),
      [['warning', 'no span of the trace is a call of a model or of a tool']],
    );
  });

  describe('what frameworks write of their tools and models in spans of OpenTelemetry', () => {
    const span = (id: string, attributes: object, events: readonly object[] = []): object => ({
      name: id,
      context: { trace_id: '0x1', span_id: id },
      parent_id: null,
      start_time: '2026-01-01T10:00:00.000000Z',
      end_time: '2026-01-01T10:00:01.000000Z',
      attributes,
      events,
    });
    const event = (name: string, attributes: object): object => ({
      name: `gen_ai.${name}`,
      timestamp: '2026-01-01T10:00:00.000000Z',
      attributes,
    });
    const json = JSON.stringify;
    const operation = (name: string): object => ({ 'gen_ai.operation.name': name, 'gen_ai.request.model': 'm' });
    const tool = { ...operation('execute_tool'), 'gen_ai.tool.name': 'find_order', 'gen_ai.tool.call.id': 'c1' };
    const asked = [{ text: QUESTION }];
    const called = [{ toolUse: { toolUseId: 'c1', name: 'find_order', input: { id: 7 } } }];
    const content = [{ text: RESULT }];
    const returned = [{ toolResult: { toolUseId: 'c1', status: 'success', content } }];

    it('is read of Strands, whose messages are those of Bedrock', () => {
      const parts = (side: string, part: object): object =>
        event('client.inference.operation.details', {
          [`gen_ai.${side}.messages`]: json([{ role: 'tool', parts: [part] }]),
        });
      for (const ran of [
        [
          event('tool.message', { role: 'tool', content: json({ id: 7 }) }),
          event('choice', { message: json(content) }),
        ],
        [
          parts('input', { type: 'tool_call', name: 'find_order', id: 'c1', arguments: { id: 7 } }),
          parts('output', { type: 'tool_call_response', id: 'c1', response: content }),
        ],
      ]) {
        const tape = read([
          span('0x2', operation('chat'), [
            event('user.message', { content: json(asked) }),
            event('choice', { finish_reason: 'tool_use', message: json(called) }),
          ]),
          span('0x3', tool, ran),
          span('0x4', operation('chat'), [
            event('user.message', { content: json(asked) }),
            event('assistant.message', { content: json(called) }),
            event('tool.message', { content: json(returned) }),
            event('choice', { finish_reason: 'end_turn', message: json([{ text: ANSWER }]) }),
          ]),
        ]);
        const [first, second] = ofKind(tape, 'llm');
        assert.deepEqual(
          first?.response?.toolCalls.map(({ id, arguments: args }) => [id, args]),
          [['c1', { id: 7 }]],
        );
        const result = second?.request?.messages.at(-1);
        assert.deepEqual([result?.role, result?.toolCallId, result?.content], ['tool', 'c1', RESULT]);
        assert.equal(second?.response?.content, ANSWER);
        const [use] = ofKind(tape, 'tool');
        assert.deepEqual(use?.request?.messages[0]?.toolCalls[0]?.arguments, { id: 7 });
        assert.equal(use?.response?.content, RESULT);
      }
    });

    it("is read of Google's ADK", () => {
      const own = (name: string, value: object): object => ({ [`gcp.vertex.agent.${name}`]: json(value) });
      const request = {
        model: 'gemini-2.5-flash',
        config: { system_instruction: 'Be brief.', tools: [{ function_declarations: [{ name: 'find_order' }] }] },
        contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      };
      const response = { content: { role: 'model', parts: [{ text: ANSWER }] }, finish_reason: 'STOP' };
      const tape = read([
        span('0x2', {
          'gen_ai.system': 'gcp.vertex.agent',
          'gen_ai.request.model': 'gemini-2.5-flash',
          ...own('llm_request', request),
          ...own('llm_response', response),
        }),
        span('0x3', { ...tool, ...own('tool_call_args', { id: 7 }), ...own('tool_response', { state: 'sent' }) }),
      ]);
      const [call] = ofKind(tape, 'llm');
      assert.deepEqual(
        call?.request?.messages.map(({ role, content: text }) => [role, text]),
        [
          ['system', 'Be brief.'],
          ['user', QUESTION],
        ],
      );
      assert.deepEqual([call?.request?.tools[0]?.name, call?.response?.content], ['find_order', ANSWER]);
      const [use] = ofKind(tape, 'tool');
      assert.deepEqual(use?.request?.messages[0]?.toolCalls[0]?.arguments, { id: 7 });
      assert.equal(use?.response?.content, '{"state":"sent"}');
    });
  });

  describe('what integrations of Langfuse write', () => {
    const observed = (fields: object): Tape =>
      read({ ...langfuse, input: null, output: null, observations: [{ ...langfuse.observations[0], ...fields }] });
    const call = (fields: object): Interaction => {
      const [first] = ofKind(observed(fields), 'llm');
      assert.ok(first);
      return first;
    };

    it('is read where SDKs of Gemini are called, whose names are in camel or in snake case', () => {
      const input = {
        model: 'gemini-2.5-flash',
        config: {
          system_instruction: 'Be brief.',
          tools: [{ function_declarations: [{ name: 'find_order' }] }],
        },
        contents: [
          { role: 'user', parts: [{ text: QUESTION }] },
          { role: 'model', parts: [{ function_call: { id: 'c1', name: 'find_order', args: { id: 7 } } }] },
          {
            role: 'user',
            parts: [{ function_response: { id: 'c1', name: 'find_order', response: { state: 'sent' } } }],
          },
        ],
      };
      const said = { content: { role: 'model', parts: [{ text: ANSWER }] }, finish_reason: 'STOP' };
      const camel = { content: said.content, finishReason: 'STOP' };
      for (const output of [said, { candidates: [said] }, { candidates: [camel] }]) {
        const { request, response } = call({ input: JSON.stringify(input), output: JSON.stringify(output) });
        assert.deepEqual(
          request?.messages.map(({ role }) => role),
          ['system', 'user', 'assistant', 'tool'],
        );
        assert.equal(request.messages[0]?.content, 'Be brief.');
        assert.deepEqual(
          request.messages[2]?.toolCalls.map(({ id, name, arguments: args }) => [id, name, args]),
          [['c1', 'find_order', { id: 7 }]],
        );
        assert.deepEqual([request.messages[3]?.toolCallId, request.messages[3]?.content], ['c1', '{"state":"sent"}']);
        assert.deepEqual(
          request.tools.map(({ name }) => name),
          ['find_order'],
        );
        assert.deepEqual([response?.content, response?.finishReason], [ANSWER, 'STOP']);
      }
      const asked = call({ input, output: { content: { parts: [{ function_call: { name: 'find_order' } }] } } });
      assert.deepEqual(
        asked.response?.toolCalls.map(({ name }) => name),
        ['find_order'],
      );
    });

    it('has the tools among the attributes of OpenTelemetry, or in a response', () => {
      const schema = { type: 'object', properties: { id: { type: 'number' } } };
      const tool = { type: 'function', name: 'find_order', parameters: schema };
      const ofPydantic = { name: 'find_order', parameters_json_schema: schema, kind: 'function' };
      const parameters = { function_tools: [], output_tools: [ofPydantic] };
      const input = [{ role: 'user', content: QUESTION }];
      for (const fields of [
        { metadata: JSON.stringify({ attributes: { 'gen_ai.tool.definitions': JSON.stringify([tool]) } }) },
        { metadata: { attributes: { model_request_parameters: { function_tools: [ofPydantic] } } } },
        { metadata: { attributes: { model_request_parameters: JSON.stringify(parameters) } } },
        { output: JSON.stringify({ object: 'response', model: 'gpt-4o', output: [], tools: [tool] }) },
      ]) {
        const { request } = call({ input, output: ANSWER, ...fields });
        assert.deepEqual(
          request?.tools.map(({ name, schema: own }) => [name, own]),
          [['find_order', schema]],
        );
      }
    });

    it('is read where the AI SDK answered with calls alone', () => {
      const output = [{ toolCallId: 'c1', toolName: 'find_order', input: '{"id":7}' }];
      const { response } = call({ input: { prompt: QUESTION }, output });
      assert.deepEqual(
        response?.toolCalls.map(({ id, name, arguments: args }) => [id, name, args]),
        [['c1', 'find_order', { id: 7 }]],
      );
    });

    it('is read where LangChain lists tools as messages, and results under the name of their tool', () => {
      const offered = { type: 'function', function: { name: 'find_order', parameters: { type: 'object' } } };
      const input = [
        { role: 'user', content: QUESTION },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'find_order', arguments: '{"id":7}' } },
            { id: 'c2', type: 'function', function: { name: 'find_order', arguments: '{"id":8}' } },
          ],
        },
        { role: 'find_order', content: RESULT, additional_kwargs: {} },
        { role: 'find_order', content: 'none', additional_kwargs: {} },
        { role: 'tool', content: offered },
      ];
      const { request } = call({ input, output: ANSWER });
      assert.deepEqual(
        request?.messages.map(({ role, toolCallId }) => [role, toolCallId]),
        [
          ['user', undefined],
          ['assistant', undefined],
          ['tool', 'c1'],
          ['tool', 'c2'],
        ],
      );
      assert.deepEqual(
        request.tools.map(({ name }) => name),
        ['find_order'],
      );
    });

    it('is no problem where it repeats a call: of the trace, as JSON in JSON, or as counted tokens', () => {
      const input = [{ role: 'user', content: QUESTION }];
      const [generation] = langfuse.observations;
      const counted = JSON.stringify({
        attributes: { 'llm.token_count.prompt': '20', 'llm.token_count.completion': '5' },
      });
      const trace = {
        input: JSON.stringify(JSON.stringify({ messages: input })),
        output: JSON.stringify(ANSWER),
        observations: [{ ...generation, input, metadata: counted }],
      };
      assert.deepEqual(read({ ...langfuse, ...trace }).problems, []);
    });

    it('is an information where a step was given something else, and a problem where a call was', () => {
      const [generation, , , agent] = langfuse.observations;
      const severities = (step: object, asked: object): string[] =>
        read({
          ...langfuse,
          observations: [
            { ...generation, ...asked },
            { ...agent, ...step },
          ],
        }).problems.map(({ severity }) => severity);
      assert.deepEqual(severities({}, {}), []);
      assert.deepEqual(severities({ input: 'What the graph was given' }, {}), ['info']);
      assert.deepEqual(severities({}, { reply_text: 'What nobody reads' }), ['error']);
    });
  });

  it('what LangSmith sends as OTLP has messages and response as one text each', () => {
    const sent = {
      messages: [{ role: 'user', content: 'Hi.' }],
      model: 'm',
      temperature: 0.5,
      tools: [{ name: 'find_order' }],
    };
    const usage_metadata = { input_tokens: 20, output_tokens: 5, input_token_details: { cache_read: 8 } };
    const got = {
      usage_metadata,
      choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
    };
    const call = chat({
      attributes: {
        'langsmith.span.kind': 'llm',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.prompt': JSON.stringify(sent),
        'gen_ai.completion': JSON.stringify(got),
      },
    });
    const tool = chat({
      id: 'aa02',
      name: 'find_order',
      second: 3,
      attributes: {
        'langsmith.span.kind': 'tool',
        'gen_ai.prompt': '{"id":7}',
        'gen_ai.completion': '{"output":"found"}',
      },
    });
    const tape = read(otlp(call, tool));
    assert.deepEqual(warnings(tape), []);
    const [asked, used] = tape.interactions.map(plainInteraction);
    assert.deepEqual(
      asked?.request?.messages.map(({ role, content }) => [role, content]),
      [['user', 'Hi.']],
    );
    assert.deepEqual(
      asked?.request?.tools.map(({ name }) => name),
      ['find_order'],
    );
    assert.deepEqual([asked?.response?.content, asked?.response?.toolCalls], ['Hello.', []]);
    assert.deepEqual([asked?.request?.params, asked?.response?.usage?.cachedTokens], [{ temperature: 0.5 }, 8]);
    assert.deepEqual(used?.request?.messages[0]?.toolCalls[0]?.arguments, { id: 7 });
    assert.equal(used?.response?.content, 'found');
  });

  it('attributes that the SDK left out are a problem', () => {
    const text = JSON.stringify(otlp(chat())).replace('"kind":3', '"kind":3,"droppedAttributesCount":2');
    assert.deepEqual(warnings(read(text)), ['2 attributes of the span were left out']);
  });

  it('a call without its content is a problem that says how to have it', () => {
    const { problems, interactions } = read(
      otlp(
        chat({
          attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.usage.output_tokens': 3 },
        }),
      ),
    );
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, message]),
      [['warning', 'the trace lacks the messages of the request and the response']],
    );
    assert.match(problems[0]?.fix ?? '', /OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT/);
    assert.equal(interactions[0]?.response?.usage?.completionTokens, 3);
  });

  it('a call that failed has the message of its exception', () => {
    const attributes = { ...chat().attributes, 'error.type': 'BadRequestError' };
    const failed = chat({ attributes, error: 'The model is broken.' });
    assert.equal(read(otlp(failed)).interactions[0]?.response?.error, 'The model is broken.');
  });

  it('of spans of models within each other, the innermost is the call; a tool between them separates', () => {
    const outer = chat({ id: 'aa00', name: 'agent', second: 1 });
    const names = (tape: Tape): (string | undefined)[] => tape.interactions.map(({ id }) => id);
    assert.deepEqual(names(read(otlp(chat({ parent: 'aa00' }), outer))), ['aa01']);
    const tool = chat({
      id: 'aa09',
      parent: 'aa00',
      name: 'ask',
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ask' },
    });
    assert.deepEqual(names(read(otlp(chat({ parent: 'aa09', second: 3 }), tool, outer))), ['aa00', 'aa09', 'aa01']);
  });

  it('spans that are within each other in a circle are read', () => {
    const tape = read(
      otlp(chat({ id: 'a', parent: 'b' }), chat({ id: 'b', parent: 'a' }), chat({ id: 'c', parent: 'c' })),
    );
    assert.equal(tape.interactions.at(-1)?.within, undefined);
  });

  it('a stream of Logfire, which is in a span and a log, is one call', () => {
    const { 'gen_ai.output.messages': said = '', ...asked } = chat().attributes;
    const begun = chat({
      parent: 'aa00',
      attributes: { ...asked, 'logfire.span_type': 'span', 'gen_ai.request.temperature': 0.5 },
    });
    const ended = chat({
      id: 'aa02',
      parent: 'aa00',
      second: 4,
      attributes: { ...asked, 'gen_ai.output.messages': said, 'logfire.span_type': 'log' },
    });
    const [call, ...others] = read(otlp(begun, ended)).interactions;
    assert.deepEqual(
      [others.length, call?.response?.content, call?.request?.params],
      [0, 'Hello.', { temperature: 0.5 }],
    );
    assert.deepEqual(call?.timing, { recordedAt: '2025-10-09T08:53:22.000Z', durationMs: 2250 });
  });

  it('the file that VS Code writes has logs and metrics between its spans', () => {
    const lines = [
      { resource: {}, hrTime: [1, 2], spanContext: { traceId: 'c0', spanId: 'b1' }, body: 'session', attributes: {} },
      { resource: { attributes: {} }, scopeMetrics: [] },
      {
        resource: { attributes: {} },
        traceId: 'c0',
        spanId: 'b1',
        name: 'chat m',
        kind: 2,
        startTime: [1_760_000_002, 500_000_000],
        endTime: [1_760_000_003, 0],
        status: { code: 1 },
        attributes: chat().attributes,
        events: [],
      },
    ];
    const tape = read(jsonLines(lines), 'otel.jsonl');
    const [call, ...others] = tape.interactions;
    assert.deepEqual([tape.format, others.length, call?.response?.content], ['otlp', 0, 'Hello.']);
    assert.deepEqual(call?.timing, { recordedAt: '2025-10-09T08:53:22.500Z', durationMs: 500 });
  });

  it('rows of a table of Phoenix have a column for each attribute', () => {
    const row = {
      name: 'ChatCompletion',
      span_kind: 'LLM',
      'context.trace_id': 'c0',
      'context.span_id': 'b1',
      start_time: '2025-10-09T08:53:22.000000',
      'attributes.openinference.span.kind': 'LLM',
      'attributes.llm.model_name': 'm',
      'attributes.llm.input_messages': [{ 'message.role': 'user', 'message.content': 'Hi.' }],
      'attributes.output.value': 'Hello.',
    };
    const [call] = read([row]).interactions;
    assert.deepEqual([call?.request?.messages[0]?.content, call?.response?.content], ['Hi.', 'Hello.']);
  });

  it('spans of the server of Phoenix have their kind beside the attributes', () => {
    const span = (kind: string, attributes: object): object => ({
      id: 'UA==',
      name: 'call',
      context: { trace_id: 'c0', span_id: kind },
      span_kind: kind,
      parent_id: null,
      start_time: '2025-10-09T08:53:22+00:00',
      end_time: '2025-10-09T08:53:23+00:00',
      status_code: 'OK',
      attributes,
      events: [],
    });
    const said = (role: string, content: string, at: string): object => ({
      [`llm.${at}_messages.0.message.role`]: role,
      [`llm.${at}_messages.0.message.content`]: content,
    });
    const llm = { 'llm.model_name': 'm', ...said('user', 'Hi.', 'input'), ...said('assistant', 'Hello.', 'output') };
    const tool = { 'tool.name': 'find_order', 'input.value': '{"id":7}', 'output.value': 'found' };
    const tape = read([span('AGENT', { 'input.value': 'Hi.' }), span('LLM', llm), span('TOOL', tool)]);
    assert.deepEqual(
      tape.interactions.map(({ kind, request, response }) => [kind, request?.model, response?.content]),
      [
        ['llm', 'm', 'Hello.'],
        ['tool', undefined, 'found'],
      ],
    );
    assert.deepEqual(tape.problems, []);
    const sdk = span('CLIENT', { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' });
    assert.equal(read([sdk]).interactions[0]?.kind, 'llm');
  });

  it('converted to a tape of Tapedeck, every call is the same', () => {
    for (const { path, text } of traceFiles) {
      const tape = read(text, path);
      const written = formatById('tapedeck').serialise?.('run', tape.interactions.map(toRecordedInteraction)) ?? '';
      const again = read(written, 'run.tape.jsonl');
      assert.deepEqual(again.interactions.map(content), tape.interactions.map(content), path);
    }
  });

  function content(interaction: Interaction): object {
    const { kind, request, response, timing } = plainInteraction(interaction);
    return JSON.parse(
      JSON.stringify({ kind, request: { ...request, messages: request?.messages }, response, timing }),
    ) as object;
  }

  it('files that end early are read as far as they go', () => {
    for (const { path, text } of traceFiles)
      for (let end = 0; end < text.length; end += 97) {
        const tape = readTape(tapeFileFromText(text.slice(0, end), path));
        for (const interaction of tape?.interactions ?? []) JSON.stringify(plainInteraction(interaction));
        assert.ok(Array.isArray(tape?.problems ?? []));
      }
  });

  it('a broken span on a console leaves the others', () => {
    const tape = read(`${consoleSpans}\n{\n    "name": "cut`);
    assert.equal(tape.interactions.length, 2);
    assert.equal(tape.problems.length, 1);
  });

  it('other JSON with ids of traces is not claimed', () => {
    const logs = jsonLines([{ time: '2025-10-09T08:53:22Z', msg: 'hi', trace_id: 'a', span_id: 'b' }]);
    assert.equal(detectFormat(tapeFileFromText(logs, 'app.jsonl')), undefined);
    assert.equal(
      detectFormat(tapeFileFromText(JSON.stringify({ data: phoenix.map(({ name }) => ({ name })) }), 'a.json')),
      undefined,
    );
    assert.equal(detectFormat(tapeFileFromText('{"logs":[{"kind":"x"}],"prompts":[]}', 'a.json')), undefined);
  });
});
