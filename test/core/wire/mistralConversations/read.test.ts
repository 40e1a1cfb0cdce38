import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../../src/core/json/json';
import { parseJson } from '../../../../src/core/json/readJson';
import { blankExchange } from '../../../../src/core/wire/edit/blankExchange';
import { editRequest } from '../../../../src/core/wire/edit/editRequest';
import { editResponseText } from '../../../../src/core/wire/edit/editResponse';
import { comparablePath } from '../../../../src/core/wire/endpoints';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, NO_BODY, post, textBody, typedSse } from '../exchanges';

const START = 'https://api.mistral.ai/v1/conversations';
const CONTINUE = `${START}/conv_7f`;

type Event = { readonly type: string; readonly [key: string]: Json };

const said = (content: Json) => ({ object: 'entry', type: 'message.output', id: 'msg_1', role: 'assistant', content });
const responseOf = (...outputs: readonly Json[]): Json => ({
  object: 'conversation.response',
  conversation_id: 'conv_7f',
  outputs,
  usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
});

describe('Mistral Conversations', () => {
  it('reads a request, with its instructions, tools and settings', () => {
    const { api, request } = readExchange(
      post(
        START,
        {
          model: 'mistral-medium-latest',
          instructions: 'Be brief.',
          inputs: 'Where is parcel 7?',
          tools: [
            {
              type: 'function',
              function: { name: 'track', description: 'Finds a parcel', parameters: { type: 'object' } },
            },
            { type: 'web_search' },
          ],
          completion_args: { temperature: 0.2, tool_choice: 'auto' },
          stream: false,
        },
        jsonBody(responseOf(said('On its way.'))),
      ),
    );
    assert.equal(api, 'mistral-conversations');
    assert.deepEqual(request, {
      model: 'mistral-medium-latest',
      messages: [
        { role: 'system', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'Where is parcel 7?', toolCalls: [] },
      ],
      tools: [
        { name: 'track', description: 'Finds a parcel', schema: { type: 'object' } },
        { name: 'web_search', settings: { type: 'web_search' } },
      ],
      params: { stream: false, temperature: 0.2, tool_choice: 'auto' },
    });
  });

  it('reads entries as messages, and those of the model that follow each other as one', () => {
    const { request } = readExchange(
      post(
        `${CONTINUE}/restart`,
        {
          from_entry_id: 'msg_0',
          inputs: [
            { object: 'entry', type: 'message.input', role: 'user', content: [{ type: 'text', text: 'Where is 7?' }] },
            said('Let me look.'),
            { type: 'function.call', id: 'fc_1', tool_call_id: 'c1', name: 'track', arguments: '{"parcel": 7}' },
            { type: 'function.result', tool_call_id: 'c1', result: '{"in": "Bern"}' },
            { type: 'message.input', role: 'assistant', content: 'It is in', prefix: true },
          ],
        },
        NO_BODY,
      ),
    );
    assert.deepEqual(request, {
      messages: [
        { role: 'user', content: 'Where is 7?', toolCalls: [] },
        {
          role: 'assistant',
          content: 'Let me look.',
          toolCalls: [{ id: 'c1', name: 'track', arguments: { parcel: 7 }, argumentsText: '{"parcel": 7}' }],
        },
        { role: 'tool', content: '{"in": "Bern"}', toolCalls: [], toolCallId: 'c1' },
        { role: 'assistant', content: 'It is in', toolCalls: [] },
      ],
      tools: [],
      params: { from_entry_id: 'msg_0' },
    });
  });

  it('reads the agent that the server keeps as the model', () => {
    const { api, request } = readExchange(post(START, { agent_id: 'ag_3', inputs: 'Hi' }, NO_BODY));
    assert.equal(api, 'mistral-conversations');
    assert.equal(request?.model, 'ag_3');
    assert.deepEqual(request?.params, { agent_id: 'ag_3' });
  });

  it('reads calls of functions, and what the server did itself', () => {
    const search = { type: 'tool.execution', id: 'te_1', name: 'web_search', arguments: '{"query": "parcel 7"}' };
    const handoff = { type: 'agent.handoff', id: 'ah_1', previous_agent_name: 'desk', next_agent_name: 'tracker' };
    const reference = { type: 'tool_reference', tool: 'web_search', title: 'Parcels', url: 'https://parcels.example' };
    const { response } = readExchange(
      post(
        CONTINUE,
        { inputs: 'Go on.' },
        jsonBody({
          ...(responseOf(
            search,
            handoff,
            {
              ...said([
                { type: 'thinking', thinking: [{ type: 'text', text: 'Bern?' }] },
                { type: 'text', text: 'In Bern' },
                reference,
                { type: 'tool_file', tool: 'code_interpreter', file_id: 'f_1', file_name: 'map.png' },
                { type: 'text', text: '.' },
              ]),
              model: 'mistral-medium-2505',
            },
            { type: 'function.call', tool_call_id: 'c2', name: 'notify', arguments: { to: 'ann' } },
          ) as object),
          usage: {
            prompt_tokens: 20,
            completion_tokens: 5,
            total_tokens: 125,
            connector_tokens: 100,
            connectors: { web_search: 1 },
          },
        }),
      ),
    );
    assert.deepEqual(response, {
      content: 'In Bern.',
      parts: [
        { type: 'server_tool', name: 'web_search', payload: search },
        { type: 'server_tool', name: 'agent.handoff', payload: handoff },
        { type: 'reasoning', text: 'Bern?' },
        { type: 'text', text: 'In Bern' },
        { type: 'server_tool', name: 'web_search', payload: reference },
        { type: 'file', name: 'map.png' },
        { type: 'text', text: '.' },
      ],
      toolCalls: [{ id: 'c2', name: 'notify', arguments: { to: 'ann' } }],
      model: 'mistral-medium-2505',
      usage: { promptTokens: 120, completionTokens: 5, totalTokens: 125 },
    });
  });

  const delta = (content: Json, more: Omit<Event, 'type'> = {}): Event => ({
    type: 'message.output.delta',
    id: 'msg_1',
    output_index: 1,
    role: 'assistant',
    model: 'mistral-medium-2505',
    content,
    ...more,
  });
  const STREAM: readonly Event[] = [
    { type: 'conversation.response.started', conversation_id: 'conv_7f', created_at: '2026-01-01T00:00:00Z' },
    { type: 'tool.execution.started', id: 'te_1', output_index: 0, name: 'web_search', arguments: '' },
    { type: 'tool.execution.delta', id: 'te_1', output_index: 0, name: 'web_search', arguments: '{"query": "7"}' },
    { type: 'tool.execution.done', id: 'te_1', output_index: 0, name: 'web_search', info: { results: 2 } },
    delta('In '),
    delta({ type: 'text', text: 'Bern' }),
    delta({ type: 'tool_reference', tool: 'web_search', title: 'Parcels' }, { content_index: 1 }),
    delta('.', { content_index: 2 }),
    {
      type: 'function.call.delta',
      id: 'fc_1',
      output_index: 2,
      tool_call_id: 'c1',
      name: 'notify',
      arguments: '{"to"',
    },
    { type: 'function.call.delta', id: 'fc_2', output_index: 2, tool_call_id: 'c2', name: 'log', arguments: '{}' },
    { type: 'function.call.delta', id: 'fc_1', output_index: 2, tool_call_id: 'c1', name: 'notify', arguments: ': 1}' },
  ];
  const DONE: Event = {
    type: 'conversation.response.done',
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
  };
  const streamed = (...events: readonly Event[]) =>
    post(START, { model: 'mistral-medium-latest', inputs: 'Where is 7?', stream: true }, textBody(typedSse(...events)));

  it('joins a stream', () => {
    const { api, response, problems } = readExchange(streamed(...STREAM, DONE));
    assert.equal(api, 'mistral-conversations');
    const { chunks, ...read } = response ?? assert.fail();
    assert.equal(chunks?.length, STREAM.length + 1);
    assert.deepEqual(read, {
      content: 'In Bern.',
      parts: [
        {
          type: 'server_tool',
          name: 'web_search',
          payload: {
            object: 'entry',
            type: 'tool.execution',
            id: 'te_1',
            name: 'web_search',
            info: { results: 2 },
            arguments: '{"query": "7"}',
          },
        },
        { type: 'text', text: 'In Bern' },
        {
          type: 'server_tool',
          name: 'web_search',
          payload: { type: 'tool_reference', tool: 'web_search', title: 'Parcels' },
        },
        { type: 'text', text: '.' },
      ],
      toolCalls: [
        { id: 'c1', name: 'notify', arguments: { to: 1 }, argumentsText: '{"to": 1}' },
        { id: 'c2', name: 'log', arguments: {}, argumentsText: '{}' },
      ],
      model: 'mistral-medium-2505',
      usage: { promptTokens: 20, completionTokens: 5, totalTokens: 25 },
    });
    assert.deepEqual(problems, []);
  });

  it('says that a stream was cut off, or why it failed', () => {
    assert.equal(readExchange(streamed(...STREAM)).response?.endedEarly, true);
    const failed = { type: 'conversation.response.error', message: 'Too many tokens.', code: 3051 };
    const { response } = readExchange(streamed(...STREAM.slice(0, 1), failed));
    assert.deepEqual([response?.error, response?.endedEarly], ['Too many tokens.', undefined]);
  });

  it('edits the text of a response and of a stream', () => {
    for (const exchange of [
      post(START, { inputs: 'Hi' }, jsonBody(responseOf(said('In Bern.')))),
      post(START, { inputs: 'Hi' }, jsonBody(responseOf(said([{ type: 'text', text: 'In Bern.' }])))),
      streamed(...STREAM, DONE),
    ]) {
      const edit = editResponseText(exchange, 'In Basel.');
      assert.ok('body' in edit, 'refused' in edit ? edit.refused : '');
      const { response } = readExchange({ ...exchange, responseBody: edit.body });
      assert.equal(response?.content, 'In Basel.');
    }
  });

  it('edits the model, the instructions, the tools and the result of a call', () => {
    const tools = [{ type: 'function', function: { name: 'refund', parameters: {} } }];
    const inputs: JsonRecord[] = [
      { type: 'message.input', role: 'user', content: 'Where is 7?' },
      { type: 'function.call', tool_call_id: 'c1', name: 'track', arguments: '{}' },
      { type: 'function.result', tool_call_id: 'c1', result: 'lost' },
    ];
    const body = { model: 'mistral-medium-latest', inputs };
    const edited = (of: Json, edits: Parameters<typeof editRequest>[1]) => {
      const made = editRequest({ url: START, body: JSON.stringify(of) }, edits);
      return 'refused' in made ? made.refused : parseJson(made.body);
    };
    assert.deepEqual(edited(body, { model: 'magistral-small', system: 'Be kind.', tools }), {
      ...body,
      model: 'magistral-small',
      instructions: 'Be kind.',
      tools,
    });
    assert.deepEqual(edited({ ...body, instructions: 'Be brief.' }, { system: 'Be kind.' }), {
      ...body,
      instructions: 'Be kind.',
    });
    assert.deepEqual(
      edited(
        { ...body, tools, completion_args: { tool_choice: 'any', top_p: 1 } },
        { tools: [], toolResults: { c1: 'found' } },
      ),
      {
        ...body,
        inputs: [...inputs.slice(0, 2), { ...inputs[2], result: 'found' }],
        completion_args: { top_p: 1 },
      },
    );
  });

  it('adds a blank call', () => {
    const recorded = post(START, { model: 'm', inputs: 'Hi' }, jsonBody(responseOf(said('Hi.'))));
    const blank = blankExchange(recorded, 'mistral-conversations', 'm') ?? assert.fail();
    const { api, request, response } = readExchange(blank);
    assert.equal(api, 'mistral-conversations');
    assert.deepEqual([request?.model, response?.model, response?.content], ['m', 'm', '']);
  });

  it("leaves OpenAI's conversations, and what is listed of Mistral's, alone", () => {
    const created = post(
      'https://api.openai.com/v1/conversations',
      { items: [], metadata: {} },
      jsonBody({ id: 'conv_1', object: 'conversation' }),
    );
    const history = post(`${CONTINUE}/history`, undefined, jsonBody({ object: 'conversation.history', entries: [] }), {
      method: 'GET',
    });
    for (const exchange of [created, history]) assert.equal(readExchange(exchange).kind, 'http');
    assert.equal(comparablePath(`${CONTINUE}/restart`), '/conversations/conv_7f/restart');
  });

  it('leaves the inputs of other servers to them', () => {
    const inputs = post(
      'https://tgi.example/generate',
      { inputs: 'Once', parameters: {} },
      jsonBody({ generated_text: 'upon' }),
    );
    assert.equal(readExchange(inputs).api, 'text-generation');
  });
});
