// Calls of models in the wire form of eight protocols, with the places of their parts.

import { createHash } from 'node:crypto';

export const image = () => ({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } });

/** `call(facts)` makes an exchange, and `next` one that goes on from it; `user` is the part that edits change. */
export const PROTOCOLS = {
  openai: {
    call: ({
      system,
      asked,
      said,
      given,
      model = 'gpt-4o',
      id = 'chatcmpl-9fK2mQ7xVb1cLp0Z',
      created = 1767225600,
      callId = 'call_1',
      tool = 'act',
    }) => ({
      url: 'https://api.openai.com/v1/chat/completions',
      request: {
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: asked },
        ],
        temperature: 0.5,
      },
      response: {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: said,
              ...(given && {
                tool_calls: [
                  { id: callId, type: 'function', function: { name: tool, arguments: JSON.stringify(given) } },
                ],
              }),
            },
            finish_reason: given ? 'tool_calls' : 'stop',
          },
        ],
        usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
      },
    }),
    next: ({ url, request, response }) => ({
      url,
      request: {
        ...request,
        messages: [
          ...request.messages,
          response.choices[0].message,
          ...(response.choices[0].message.tool_calls ?? []).map(({ id }) => ({
            role: 'tool',
            tool_call_id: id,
            content: 'It is done, as you asked for',
          })),
          { role: 'user', content: 'Thank you. And what comes next, if anything?' },
        ],
      },
      response: {
        ...response,
        id: 'chatcmpl-3mT8sW2kYb6dLq1X',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Nothing does.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 41, completion_tokens: 3, total_tokens: 44 },
      },
    }),
    user: ({ request }) => request.messages[1],
    temperature: (exchange, value) => {
      exchange.request.temperature = value;
    },
    tokens: ({ response }, count) => {
      response.usage.completion_tokens = count;
      response.usage.total_tokens = 20 + count;
    },
  },
  anthropic: {
    call: ({
      system,
      asked,
      said,
      given,
      model = 'claude-sonnet-4-5',
      id = 'msg_9fK2mQ7xVb1cLp0Zq',
      callId = 'toolu_1',
      tool = 'act',
    }) => ({
      url: 'https://api.anthropic.com/v1/messages',
      request: {
        model,
        max_tokens: 99,
        system,
        messages: [{ role: 'user', content: [{ type: 'text', text: asked }] }],
        temperature: 0.5,
      },
      response: {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content: [
          { type: 'text', text: said },
          ...(given ? [{ type: 'tool_use', id: callId, name: tool, input: given }] : []),
        ],
        stop_reason: given ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 20, output_tokens: 7 },
      },
    }),
    next: ({ url, request, response }) => ({
      url,
      request: {
        ...request,
        messages: [
          ...request.messages,
          { role: 'assistant', content: response.content },
          {
            role: 'user',
            content: [
              ...response.content
                .filter(({ type }) => type === 'tool_use')
                .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'It is done, as you asked for' })),
              { type: 'text', text: 'Thank you. And what comes next, if anything?' },
            ],
          },
        ],
      },
      response: {
        ...response,
        id: 'msg_3mT8sW2kYb6dLq1Xe',
        content: [{ type: 'text', text: 'Nothing does.' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 41, output_tokens: 3 },
      },
    }),
    user: ({ request }) => request.messages[0],
    temperature: (exchange, value) => {
      exchange.request.temperature = value;
    },
    tokens: ({ response }, count) => {
      response.usage.output_tokens = count;
    },
  },
  gemini: {
    call: ({ system, asked, said, given, model = 'gemini-2.5-flash', id = 'k9fK2mQ7xVb1cLp0Zq3', tool = 'act' }) => ({
      url: `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent`,
      request: {
        systemInstruction: { parts: [{ text: system }] },
        contents: [{ role: 'user', parts: [{ text: asked }] }],
        generationConfig: { temperature: 0.5 },
      },
      response: {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ text: said }, ...(given ? [{ functionCall: { name: tool, args: given } }] : [])],
            },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 7, totalTokenCount: 27 },
        modelVersion: model,
        responseId: id,
      },
    }),
    user: ({ request }) => request.contents[0],
    temperature: (exchange, value) => {
      exchange.request.generationConfig.temperature = value;
    },
    tokens: ({ response }, count) => {
      response.usageMetadata.candidatesTokenCount = count;
      response.usageMetadata.totalTokenCount = 20 + count;
    },
  },
  bedrock: {
    call: ({
      system,
      asked,
      said,
      given,
      model = 'anthropic.claude-3-haiku-20240307-v1:0',
      callId = 'tooluse_1',
      tool = 'act',
    }) => ({
      url: `https://bedrock-runtime.us-east-1.amazonaws.com/model/${encodeURIComponent(model)}/converse`,
      request: {
        system: [{ text: system }],
        messages: [{ role: 'user', content: [{ text: asked }] }],
        inferenceConfig: { temperature: 0.5 },
      },
      response: {
        output: {
          message: {
            role: 'assistant',
            content: [{ text: said }, ...(given ? [{ toolUse: { toolUseId: callId, name: tool, input: given } }] : [])],
          },
        },
        stopReason: given ? 'tool_use' : 'end_turn',
        usage: { inputTokens: 20, outputTokens: 7, totalTokens: 27 },
      },
    }),
    user: ({ request }) => request.messages[0],
    temperature: (exchange, value) => {
      exchange.request.inferenceConfig.temperature = value;
    },
    tokens: ({ response }, count) => {
      response.usage.outputTokens = count;
      response.usage.totalTokens = 20 + count;
    },
  },
  responses: {
    call: ({
      system,
      asked,
      said,
      given,
      model = 'gpt-4o',
      id = 'resp_9fK2mQ7xVb1cLp0Z',
      created = 1767225600,
      callId = 'call_1',
      tool = 'act',
    }) => ({
      url: 'https://api.openai.com/v1/responses',
      request: {
        model,
        instructions: system,
        input: [{ role: 'user', content: [{ type: 'input_text', text: asked }] }],
        temperature: 0.5,
      },
      response: {
        id,
        object: 'response',
        created_at: created,
        status: 'completed',
        model,
        output: [
          {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: said, annotations: [] }],
          },
          ...(given
            ? [
                {
                  type: 'function_call',
                  id: `fc_${id}`,
                  call_id: callId,
                  name: tool,
                  arguments: JSON.stringify(given),
                  status: 'completed',
                },
              ]
            : []),
        ],
        usage: { input_tokens: 20, output_tokens: 7, total_tokens: 27 },
      },
    }),
    temperature: (exchange, value) => {
      exchange.request.temperature = value;
    },
    tokens: ({ response }, count) => {
      response.usage.output_tokens = count;
      response.usage.total_tokens = 20 + count;
    },
  },
  cohere: {
    call: ({
      system,
      asked,
      said,
      given,
      model = 'command-a-03-2025',
      id = '9b4e28ba-2fa1-41d2-883f-0016d3cca400',
      callId = 'act_1',
      tool = 'act',
    }) => ({
      url: 'https://api.cohere.com/v2/chat',
      request: {
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: asked },
        ],
        temperature: 0.5,
      },
      response: {
        id,
        message: {
          role: 'assistant',
          content: [{ type: 'text', text: said }],
          ...(given && {
            tool_calls: [{ id: callId, type: 'function', function: { name: tool, arguments: JSON.stringify(given) } }],
          }),
        },
        finish_reason: given ? 'TOOL_CALL' : 'COMPLETE',
        usage: {
          billed_units: { input_tokens: 20, output_tokens: 7 },
          tokens: { input_tokens: 20, output_tokens: 7 },
        },
      },
    }),
    temperature: (exchange, value) => {
      exchange.request.temperature = value;
    },
    tokens: ({ response }, count) => {
      response.usage.tokens.output_tokens = count;
      response.usage.billed_units.output_tokens = count;
    },
  },
  ollama: {
    call: ({ system, asked, said, given, model = 'llama3.2', created = 1767225600, tool = 'act' }) => ({
      url: 'http://localhost:11434/api/chat',
      request: {
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: asked },
        ],
        stream: false,
        options: { temperature: 0.5 },
      },
      response: {
        model,
        created_at: new Date(created * 1000).toISOString(),
        message: {
          role: 'assistant',
          content: said,
          ...(given && { tool_calls: [{ function: { name: tool, arguments: given } }] }),
        },
        done_reason: 'stop',
        done: true,
        total_duration: created * 3,
        load_duration: 1000000,
        prompt_eval_count: 20,
        prompt_eval_duration: 2000000,
        eval_count: 7,
        eval_duration: 3000000,
      },
    }),
    temperature: (exchange, value) => {
      exchange.request.options.temperature = value;
    },
    tokens: ({ response }, count) => {
      response.eval_count = count;
    },
  },
  embeddings: {
    call: ({ asked, said, model = 'text-embedding-3-small' }) => ({
      url: 'https://api.openai.com/v1/embeddings',
      request: { model, input: asked },
      response: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: vectorOf(said) }],
        model,
        usage: { prompt_tokens: 20, total_tokens: 20 },
      },
    }),
    parts: ['asked', 'said', 'model', 'tokens'],
    titles: { 'Text of message 2': 'Text of message 1', Response: 'Embeddings' },
    tokens: ({ response }, count) => {
      response.usage.prompt_tokens = 20 + count;
      response.usage.total_tokens = 20 + count;
    },
  },
};

/** A vector that stands for a text. */
function vectorOf(text) {
  const sum = createHash('sha256').update(text).digest();
  return Array.from({ length: 8 }, (_, at) => (sum[at] - 128) / 1024);
}
