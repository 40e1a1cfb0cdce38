import type { Json, JsonRecord } from '../json/json';
import { compactJson } from '../json/json';
import type { HttpExchange, HttpHeader } from '../model/http';
import type { ProtocolId } from '../model/interaction';

/** What a new call asks until somebody says what: a request without a text would match any other. */
export const NEW_REQUEST_TEXT = 'New request';

interface BlankBodies {
  readonly request: Json;
  /** Whole, not streamed, and with a text that is empty: so it can be typed into. */
  readonly response: Json;
}

const USER_MESSAGE: Json = { role: 'user', content: NEW_REQUEST_TEXT };

/** By protocol, with the names of its members. Assistants are not one call, and older completions are all different. */
const BLANK_BODIES: Partial<Record<ProtocolId, (model: JsonRecord) => BlankBodies>> = {
  'openai-chat': (model) => ({
    request: { ...model, messages: [USER_MESSAGE] },
    response: {
      object: 'chat.completion',
      ...model,
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    },
  }),
  'openai-responses': (model) => ({
    request: { ...model, input: [USER_MESSAGE] },
    response: {
      object: 'response',
      status: 'completed',
      ...model,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: '', annotations: [] }],
        },
      ],
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    },
  }),
  'anthropic-messages': (model) => ({
    request: { ...model, max_tokens: 1024, messages: [USER_MESSAGE] },
    response: {
      type: 'message',
      role: 'assistant',
      ...model,
      content: [{ type: 'text', text: '' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  }),
  gemini: () => ({
    request: { contents: [{ role: 'user', parts: [{ text: NEW_REQUEST_TEXT }] }] },
    response: {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    },
  }),
  'gemini-interactions': (model) => ({
    request: { ...model, input: NEW_REQUEST_TEXT },
    response: {
      object: 'interaction',
      status: 'completed',
      ...model,
      steps: [{ type: 'model_output', content: [{ type: 'text', text: '' }] }],
      usage: { total_input_tokens: 0, total_output_tokens: 0, total_tokens: 0 },
    },
  }),
  'bedrock-converse': () => ({
    request: { messages: [{ role: 'user', content: [{ text: NEW_REQUEST_TEXT }] }] },
    response: {
      output: { message: { role: 'assistant', content: [{ text: '' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    },
  }),
  ollama: (model) => ({
    request: { ...model, messages: [USER_MESSAGE], stream: false },
    response: {
      ...model,
      message: { role: 'assistant', content: '' },
      done_reason: 'stop',
      done: true,
      prompt_eval_count: 0,
      eval_count: 0,
    },
  }),
  cohere: (model) => ({
    request: { ...model, messages: [USER_MESSAGE] },
    response: {
      message: { role: 'assistant', content: [{ type: 'text', text: '' }] },
      finish_reason: 'COMPLETE',
      usage: { tokens: { input_tokens: 0, output_tokens: 0 } },
    },
  }),
  embeddings: (model) => ({
    request: { ...model, input: NEW_REQUEST_TEXT },
    response: { object: 'list', ...model, data: [], usage: { prompt_tokens: 0, total_tokens: 0 } },
  }),
};

const JSON_ONLY: readonly HttpHeader[] = [['content-type', 'application/json']];

/** A call like another, to the same address, in which nothing is said yet. Undefined where its protocol has none. */
export function blankExchange(
  { method, url }: HttpExchange,
  api: ProtocolId | undefined,
  model: string | undefined,
): HttpExchange | undefined {
  const call = api && BLANK_BODIES[api]?.(model === undefined ? {} : { model });
  if (call === undefined) return undefined;
  return {
    method,
    url: withoutStreaming(url),
    requestHeaders: JSON_ONLY,
    requestBody: { type: 'text', text: compactJson(call.request) },
    status: 200,
    responseHeaders: JSON_ONLY,
    responseBody: { type: 'text', text: compactJson(call.response) },
  };
}

/** Where the address says that the answer is a stream, the one that says that it is not. */
function withoutStreaming(url: string): string {
  return url
    .replace(':streamGenerateContent', ':generateContent')
    .replace(/([?&])alt=sse(?:&|$)/, '$1')
    .replace(/[?&]$/, '')
    .replace(/\/converse-stream\b/, '/converse')
    .replace('/invoke-with-response-stream', '/invoke');
}
