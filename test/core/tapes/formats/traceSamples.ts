/** Small traces in the shapes that SDKs and servers write, with a run of two calls of a model and one of a tool between them. */

export const QUESTION = 'Where is "order 7"?';
export const RESULT = '{"state":"shipped"}';
export const ANSWER = 'It is shipped: \u{1F4E6}.';
const CALL = { id: 'call_1', type: 'function', function: { name: 'find_order', arguments: '{"id":7}' } };
const TOOL = {
  type: 'function',
  function: { name: 'find_order', description: 'Finds an order', parameters: { type: 'object', properties: {} } },
};
const ASKED = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: QUESTION },
];
const ANSWERED = [
  ...ASKED,
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'call_1', content: RESULT },
];
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 5,
  total_tokens: 25,
  prompt_tokens_details: { cached_tokens: 8 },
};

type Value = string | number | boolean | readonly string[];
type Attributes = Readonly<Record<string, Value>>;

function otlpValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
  return { arrayValue: { values: value.map(otlpValue) } };
}

export interface SampleSpan {
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  readonly second: number;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly error?: string;
}

/** A span as the JSON of OTLP; it takes 250 ms. */
export function otlpSpan({ id, parent, name, second, attributes, events = [], error }: SampleSpan): object {
  const listed = (values: Attributes): object[] =>
    Object.entries(values).map(([key, value]) => ({ key, value: otlpValue(value) }));
  return {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    kind: 3,
    startTimeUnixNano: `17600000${second < 10 ? '0' : ''}${second}000000000`,
    endTimeUnixNano: `17600000${second < 10 ? '0' : ''}${second}250000000`,
    attributes: listed(attributes),
    ...(events.length === 0
      ? {}
      : { events: events.map((event) => ({ name: event.name, attributes: listed(event.attributes) })) }),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

export function otlp(...spans: readonly SampleSpan[]): object {
  return {
    resourceSpans: [
      { resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'agent' }, spans: spans.map(otlpSpan) }] },
    ],
  };
}

const ROOT: SampleSpan = {
  id: 'aa00',
  name: 'clerk',
  second: 1,
  attributes: { 'gen_ai.operation.name': 'invoke_agent' },
};
const COMMON = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-4o-mini',
  'gen_ai.request.temperature': 0.5,
  'gen_ai.response.model': 'gpt-4o-mini-2024',
  'gen_ai.usage.input_tokens': 20,
  'gen_ai.usage.output_tokens': 5,
  'gen_ai.usage.cache_read.input_tokens': 8,
};
const PARTS_ASKED = ASKED.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] }));
const PARTS_CALL = [
  {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'call_1', name: 'find_order', arguments: { id: 7 } }],
    finish_reason: 'tool_calls',
  },
];
const PARTS_ANSWER = [{ role: 'assistant', parts: [{ type: 'text', content: ANSWER }], finish_reason: 'stop' }];
const PARTS_RESULT = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: RESULT }] };

const TOOL_SPAN: SampleSpan = {
  id: 'aa02',
  parent: 'aa00',
  name: 'execute_tool find_order',
  second: 3,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'find_order',
    'gen_ai.tool.call.id': 'call_1',
    'gen_ai.tool.call.arguments': '{"id":7}',
    'gen_ai.tool.call.result': RESULT,
  },
};

function run(first: Attributes, second: Attributes, tool = TOOL_SPAN): object {
  const chat = { parent: 'aa00', name: 'chat' };
  // As exporters do, in the order in which they end.
  return otlp(
    { ...chat, id: 'aa03', second: 4, attributes: second },
    tool,
    { ...chat, id: 'aa01', second: 2, attributes: first },
    ROOT,
  );
}

/** The messages of a request and a response, an attribute for each part. */
function numbered(prefix: string, middle: string, messages: readonly (typeof ANSWERED)[number][]): Attributes {
  const entries = messages.flatMap((message, index) => {
    const at = `${prefix}.${index}${middle}`;
    const calls = 'tool_calls' in message ? message.tool_calls : [];
    const call = middle === '' ? '' : '.tool_call';
    const named = middle === '' ? '' : '.function';
    return [
      [`${at}.role`, message.role],
      ...(message.content === null ? [] : [[`${at}.content`, message.content]]),
      ...('tool_call_id' in message ? [[`${at}.tool_call_id`, message.tool_call_id]] : []),
      ...(calls ?? []).flatMap((one, place) => [
        [`${at}.tool_calls.${place}${call}.id`, one.id],
        [`${at}.tool_calls.${place}${call}${named}.name`, one.function.name],
        [`${at}.tool_calls.${place}${call}${named}.arguments`, one.function.arguments],
      ]),
    ];
  });
  return Object.fromEntries(entries);
}

const RESPONSES = [
  [{ role: 'assistant', content: null, tool_calls: [CALL] }],
  [{ role: 'assistant', content: ANSWER }],
] as const;

export const genAi = run(
  {
    ...COMMON,
    'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
    'gen_ai.input.messages': JSON.stringify(PARTS_ASKED.slice(1)),
    'gen_ai.output.messages': JSON.stringify(PARTS_CALL),
    'gen_ai.tool.definitions': JSON.stringify([
      { type: 'function', name: 'find_order', description: 'Finds an order', parameters: TOOL.function.parameters },
    ]),
    'gen_ai.response.finish_reasons': ['tool_calls'],
  },
  {
    ...COMMON,
    'gen_ai.input.messages': JSON.stringify([...PARTS_ASKED, ...PARTS_CALL, PARTS_RESULT]),
    'gen_ai.output.messages': JSON.stringify(PARTS_ANSWER),
    'gen_ai.tool.definitions': JSON.stringify([TOOL]),
    'gen_ai.response.finish_reasons': ['stop'],
  },
);

export const openllmetry = run(
  {
    ...COMMON,
    ...numbered('gen_ai.prompt', '', ASKED as never),
    ...numbered('gen_ai.completion', '', [...RESPONSES[0]] as never),
    'gen_ai.completion.0.finish_reason': 'tool_calls',
    'llm.request.functions.0.name': 'find_order',
    'llm.request.functions.0.description': 'Finds an order',
    'llm.request.functions.0.parameters': JSON.stringify(TOOL.function.parameters),
  },
  {
    ...COMMON,
    ...numbered('gen_ai.prompt', '', ANSWERED as never),
    ...numbered('gen_ai.completion', '', [...RESPONSES[1]] as never),
    'gen_ai.completion.0.finish_reason': 'stop',
    'llm.request.functions.0.name': 'find_order',
    'llm.request.functions.0.description': 'Finds an order',
    'llm.request.functions.0.parameters': JSON.stringify(TOOL.function.parameters),
  },
  {
    ...TOOL_SPAN,
    attributes: {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'find_order',
      'traceloop.entity.input': '{"args":[],"kwargs":{"id":7}}',
      'traceloop.entity.output': JSON.stringify(RESULT),
    },
  },
);

const PHOENIX = {
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4o-mini-2024',
  'llm.invocation_parameters': '{"model":"gpt-4o-mini","temperature":0.5}',
  'llm.token_count.prompt': 20,
  'llm.token_count.completion': 5,
  'llm.token_count.prompt_details.cache_read': 8,
  'llm.tools.0.tool.json_schema': JSON.stringify(TOOL),
};

export const openInference = run(
  {
    ...PHOENIX,
    ...numbered('llm.input_messages', '.message', ASKED as never),
    ...numbered('llm.output_messages', '.message', [...RESPONSES[0]] as never),
    'llm.finish_reason': 'tool_calls',
  },
  {
    ...PHOENIX,
    ...numbered('llm.input_messages', '.message', ANSWERED as never),
    ...numbered('llm.output_messages', '.message', [...RESPONSES[1]] as never),
    'llm.finish_reason': 'stop',
  },
  {
    ...TOOL_SPAN,
    attributes: {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'find_order',
      'input.value': '{"id":7}',
      'output.value': RESULT,
    },
  },
);

/** Spans as the API of Phoenix exports them: attributes are objects in objects. */
export const phoenix = [
  {
    id: 'UA==',
    name: 'ChatCompletion',
    context: { trace_id: 'c0', span_id: 'b1' },
    span_kind: 'LLM',
    parent_id: 'b0',
    start_time: '2025-10-09T08:53:22.000000+00:00',
    end_time: '2025-10-09T08:53:22.250000+00:00',
    status_code: 'OK',
    status_message: '',
    attributes: {
      openinference: { span: { kind: 'LLM' } },
      llm: {
        model_name: 'gpt-4o-mini-2024',
        invocation_parameters: '{"model":"gpt-4o-mini","temperature":0.5}',
        token_count: { prompt: 20, completion: 5, prompt_details: { cache_read: 8 } },
        tools: [{ tool: { json_schema: JSON.stringify(TOOL) } }],
        input_messages: ASKED.map((message) => ({ message })),
        output_messages: [
          { message: { role: 'assistant', tool_calls: [{ tool_call: { id: 'call_1', function: CALL.function } }] } },
        ],
        finish_reason: 'tool_calls',
      },
    },
    events: [],
  },
  {
    name: 'clerk',
    context: { trace_id: 'c0', span_id: 'b0' },
    span_kind: 'AGENT',
    parent_id: null,
    start_time: '2025-10-09T08:53:21.000000+00:00',
    end_time: '2025-10-09T08:53:25.000000+00:00',
    status_code: 'OK',
    attributes: { openinference: { span: { kind: 'AGENT' } } },
  },
];

export const vercel = run(
  {
    ...VERCEL(ASKED),
    'ai.response.toolCalls': '[{"toolCallId":"call_1","toolName":"find_order","input":"{\\"id\\":7}"}]',
    'ai.response.finishReason': 'tool-calls',
  },
  {
    ...VERCEL([
      ...ASKED,
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'find_order', input: { id: 7 } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'call_1',
            toolName: 'find_order',
            output: { type: 'text', value: RESULT },
          },
        ],
      },
    ]),
    'ai.response.text': ANSWER,
    'ai.response.finishReason': 'stop',
  },
  {
    ...TOOL_SPAN,
    attributes: {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'find_order',
      'ai.toolCall.id': 'call_1',
      'ai.toolCall.args': '{"id":7}',
      'ai.toolCall.result': RESULT,
    },
  },
);

function VERCEL(messages: readonly object[]): Attributes {
  return {
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.model.id': 'gpt-4o-mini',
    'ai.settings.temperature': 0.5,
    'ai.settings.maxRetries': 2,
    'ai.prompt.messages': JSON.stringify(messages),
    'ai.prompt.tools': [
      JSON.stringify({
        type: 'function',
        name: 'find_order',
        description: 'Finds an order',
        inputSchema: TOOL.function.parameters,
      }),
    ],
    'ai.response.model': 'gpt-4o-mini-2024',
    'ai.usage.inputTokens': 20,
    'ai.usage.outputTokens': 5,
    'ai.usage.cachedInputTokens': 8,
  };
}

/** Messages as events: of the span, in the first call, and as log records of the same file in the second. */
export const events = [
  otlp({
    id: 'aa01',
    parent: 'aa00',
    name: 'chat',
    second: 2,
    attributes: { ...COMMON, 'gen_ai.response.finish_reasons': ['tool_calls'] },
    events: [
      { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
      { name: 'gen_ai.user.message', attributes: { content: QUESTION } },
      {
        name: 'gen_ai.choice',
        attributes: { index: 0, finish_reason: 'tool_calls', message: JSON.stringify(RESPONSES[0][0]) },
      },
    ],
  }),
  {
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: [
              {
                spanId: 'aa03',
                traceId: '5b8efff798038103d269b633813fc60c',
                eventName: 'gen_ai.client.inference.operation.details',
                attributes: [
                  {
                    key: 'gen_ai.input.messages',
                    value: { stringValue: JSON.stringify([...PARTS_ASKED, ...PARTS_CALL, PARTS_RESULT]) },
                  },
                  { key: 'gen_ai.output.messages', value: { stringValue: JSON.stringify(PARTS_ANSWER) } },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  otlp(
    {
      id: 'aa03',
      parent: 'aa00',
      name: 'chat',
      second: 4,
      attributes: { ...COMMON, 'gen_ai.response.finish_reasons': ['stop'] },
    },
    ROOT,
  ),
];

function langsmithRun(fields: object): object {
  return {
    start_time: '2025-10-09T08:53:22.000000',
    end_time: '2025-10-09T08:53:22.250000',
    trace_id: 'c0',
    ...fields,
  };
}

export const langsmith = [
  langsmithRun({
    id: 'b0',
    name: 'clerk',
    run_type: 'chain',
    start_time: '2025-10-09T08:53:21.000000',
    inputs: {},
    outputs: {},
  }),
  langsmithRun({
    id: 'b1',
    parent_run_id: 'b0',
    name: 'ChatOpenAI',
    run_type: 'llm',
    inputs: { messages: ASKED, model: 'gpt-4o-mini', temperature: 0.5, tools: [TOOL] },
    outputs: {
      model: 'gpt-4o-mini-2024',
      choices: [
        { index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [CALL] } },
      ],
      usage_metadata: { input_tokens: 20, output_tokens: 5, total_tokens: 25, input_token_details: { cache_read: 8 } },
    },
  }),
  langsmithRun({
    id: 'b2',
    parent_run_id: 'b0',
    name: 'find_order',
    run_type: 'tool',
    start_time: '2025-10-09T08:53:23.000000',
    inputs: { id: 7 },
    outputs: { output: RESULT },
  }),
  langsmithRun({
    id: 'b3',
    parent_run_id: 'b0',
    name: 'ChatOpenAI',
    run_type: 'llm',
    start_time: '2025-10-09T08:53:24.000000',
    inputs: {
      messages: [
        [
          {
            lc: 1,
            type: 'constructor',
            id: ['langchain', 'schema', 'messages', 'SystemMessage'],
            kwargs: { content: 'Be brief.', type: 'system' },
          },
          {
            lc: 1,
            type: 'constructor',
            id: ['langchain', 'schema', 'messages', 'HumanMessage'],
            kwargs: { content: QUESTION, type: 'human' },
          },
          {
            lc: 1,
            type: 'constructor',
            id: ['langchain', 'schema', 'messages', 'AIMessage'],
            kwargs: {
              content: '',
              type: 'ai',
              tool_calls: [{ id: 'call_1', name: 'find_order', args: { id: 7 }, type: 'tool_call' }],
            },
          },
          {
            lc: 1,
            type: 'constructor',
            id: ['langchain', 'schema', 'messages', 'ToolMessage'],
            kwargs: { content: RESULT, type: 'tool', tool_call_id: 'call_1' },
          },
        ],
      ],
    },
    outputs: {
      generations: [
        [
          {
            text: ANSWER,
            generation_info: { finish_reason: 'stop' },
            message: {
              lc: 1,
              type: 'constructor',
              id: ['langchain', 'schema', 'messages', 'AIMessage'],
              kwargs: { content: ANSWER, type: 'ai' },
            },
          },
        ],
      ],
      llm_output: { token_usage: USAGE, model_name: 'gpt-4o-mini-2024' },
    },
    extra: { invocation_params: { model: 'gpt-4o-mini', temperature: 0.5, _type: 'openai-chat', tools: [TOOL] } },
  }),
];

const OBSERVED = {
  traceId: 'c0',
  model: 'gpt-4o-mini',
  parentObservationId: 'b0',
  usageDetails: USAGE,
  modelParameters: { temperature: '0.5', max_tokens: 'Infinity' },
  level: 'DEFAULT',
  statusMessage: null,
};

export const langfuse = {
  id: 'c0',
  timestamp: '2025-10-09T08:53:21.000Z',
  name: 'clerk',
  input: QUESTION,
  output: ANSWER,
  observations: [
    {
      ...OBSERVED,
      id: 'b3',
      type: 'GENERATION',
      name: 'answer',
      startTime: '2025-10-09T08:53:24.000Z',
      endTime: '2025-10-09T08:53:24.250Z',
      input: JSON.stringify({ messages: ANSWERED, tools: [TOOL] }),
      output: ANSWER,
    },
    {
      ...OBSERVED,
      id: 'b2',
      type: 'TOOL',
      name: 'find_order',
      startTime: '2025-10-09T08:53:23.000Z',
      endTime: '2025-10-09T08:53:23.250Z',
      input: { args: [], kwargs: { id: 7 } },
      output: RESULT,
    },
    {
      ...OBSERVED,
      id: 'b1',
      type: 'GENERATION',
      name: 'ask',
      startTime: '2025-10-09T08:53:22.000Z',
      endTime: '2025-10-09T08:53:22.250Z',
      completionStartTime: '2025-10-09T08:53:22.100Z',
      input: { messages: ASKED, tools: [TOOL] },
      output: { role: 'assistant', content: null, tool_calls: [CALL] },
    },
    {
      ...OBSERVED,
      id: 'b0',
      parentObservationId: null,
      type: 'AGENT',
      name: 'clerk',
      startTime: '2025-10-09T08:53:21.000Z',
      endTime: '2025-10-09T08:53:25.000Z',
      input: null,
      output: null,
    },
  ],
};

function agentSpan(id: string, second: number, data: object, parent: string | null = 'span_0'): object {
  const at = `2025-10-09T08:53:${20 + second}`;
  return {
    object: 'trace.span',
    id,
    trace_id: 'trace_1',
    parent_id: parent,
    started_at: `${at}.000000+00:00`,
    ended_at: `${at}.250000+00:00`,
    span_data: data,
    error: null,
  };
}

const GENERATION = {
  type: 'generation',
  model: 'gpt-4o-mini',
  model_config: { temperature: 0.5, top_p: null, base_url: 'https://api.openai.com/v1' },
  usage: { input_tokens: 20, output_tokens: 5, input_tokens_details: { cached_tokens: 8 } },
};

export const openaiAgents = {
  data: [
    { object: 'trace', id: 'trace_1', workflow_name: 'clerk', group_id: null, metadata: null },
    agentSpan('span_3', 4, { ...GENERATION, input: ANSWERED, output: [{ role: 'assistant', content: ANSWER }] }),
    agentSpan('span_2', 3, { type: 'function', name: 'find_order', input: '{"id":7}', output: RESULT, mcp_data: null }),
    agentSpan('span_1', 2, {
      ...GENERATION,
      input: ASKED,
      output: [{ role: 'assistant', content: null, tool_calls: [CALL] }],
    }),
    agentSpan(
      'span_0',
      1,
      { type: 'agent', name: 'clerk', handoffs: [], tools: ['find_order'], output_type: 'str' },
      null,
    ),
  ],
};

function rawText(role: number, text: string): object {
  return { role, content: [{ type: 1, text }] };
}

const REPLAY_META = {
  model: 'gpt-4o-mini',
  maxResponseTokens: 100,
  startTime: '2025-10-09T08:53:22.000Z',
  endTime: '2025-10-09T08:53:22.250Z',
  duration: 250,
  timeToFirstToken: 100,
  usage: USAGE,
  tools: [TOOL],
  postOptions: { temperature: 0.5, stream: true },
};

export const chatReplay = {
  prompts: [
    {
      prompt: QUESTION,
      promptId: 'p1',
      hasSeen: false,
      logCount: 4,
      logs: [
        { id: 'e1', kind: 'element', name: 'prompt', tokens: 10, maxTokens: 100 },
        {
          id: 'r1',
          kind: 'request',
          type: 'ChatMLSuccess',
          name: 'panel/editAgent',
          metadata: REPLAY_META,
          requestMessages: { messages: [rawText(0, 'Be brief.'), rawText(1, QUESTION)] },
          response: { type: 'success', message: [''] },
        },
        {
          id: 'call_1__vscode-17',
          kind: 'toolCall',
          tool: 'find_order',
          args: '{"id":7}',
          time: '2025-10-09T08:53:23.000Z',
          response: [RESULT],
        },
        {
          id: 'r2',
          kind: 'request',
          type: 'ChatMLSuccess',
          name: 'panel/editAgent',
          metadata: { ...REPLAY_META, startTime: '2025-10-09T08:53:24.000Z', endTime: '2025-10-09T08:53:24.250Z' },
          requestMessages: {
            messages: [
              rawText(0, 'Be brief.'),
              rawText(1, QUESTION),
              { role: 2, content: [{ type: 3, cacheType: 'ephemeral' }], toolCalls: [CALL] },
              { role: 3, content: [{ type: 1, text: RESULT }], toolCallId: 'call_1' },
            ],
          },
          response: { type: 'success', message: [ANSWER] },
        },
      ],
    },
  ],
};

/** A span as the console of Python's SDK prints it, several of which are no one JSON document. */
export const consoleSpans = [
  ['0xb3', '2025-10-09T08:53:24.000000Z', ANSWERED, RESPONSES[1]] as const,
  ['0xb1', '2025-10-09T08:53:22.000000Z', ASKED, RESPONSES[0]] as const,
]
  .map(([id, time, asked, said]) =>
    JSON.stringify(
      {
        name: 'ChatCompletion',
        context: { trace_id: '0xc0', span_id: id, trace_state: '[]' },
        kind: 'SpanKind.INTERNAL',
        parent_id: '0xb0',
        start_time: time,
        end_time: time.replace('.000', '.250'),
        status: { status_code: 'OK' },
        attributes: {
          ...PHOENIX,
          ...numbered('llm.input_messages', '.message', asked as never),
          ...numbered('llm.output_messages', '.message', [...said] as never),
        },
        events: [],
      },
      null,
      4,
    ),
  )
  .join('\n');

export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Every sample as the text of a file. */
export const traceFiles: readonly { readonly path: string; readonly format: string; readonly text: string }[] = [
  { path: 'genai.json', format: 'otlp', text: JSON.stringify(genAi) },
  { path: 'openllmetry.json', format: 'otlp', text: JSON.stringify(openllmetry, null, 2) },
  { path: 'openinference.json', format: 'otlp', text: JSON.stringify(openInference) },
  { path: 'vercel.json', format: 'otlp', text: JSON.stringify(vercel) },
  { path: 'events.jsonl', format: 'otlp', text: jsonLines(events) },
  { path: 'phoenix.json', format: 'otlp', text: JSON.stringify(phoenix) },
  { path: 'phoenix.jsonl', format: 'otlp', text: jsonLines(phoenix) },
  { path: 'console.json', format: 'otlp', text: consoleSpans },
  { path: 'langsmith.json', format: 'langsmith', text: JSON.stringify(langsmith) },
  { path: 'langsmith.jsonl', format: 'langsmith', text: jsonLines(langsmith) },
  { path: 'langfuse.json', format: 'langfuse', text: JSON.stringify(langfuse) },
  { path: 'langfuse.jsonl', format: 'langfuse', text: jsonLines(langfuse.observations) },
  { path: 'agents.jsonl', format: 'openai-agents', text: jsonLines([openaiAgents]) },
  { path: 'agents.json', format: 'openai-agents', text: JSON.stringify(openaiAgents.data) },
  { path: 'order.chatreplay.json', format: 'chat-replay', text: JSON.stringify(chatReplay, null, 2) },
];
