import type { Json, JsonRecord } from '../json/json';
import type { HttpExchange, HttpHeader } from '../tapes/tape';
import { compactJson } from './compactJson';
import type { WireApi } from './wireApi';

/** What a new call asks until somebody says what: a request without a text would match any other. */
export const NEW_REQUEST = 'New request';

interface EmptyCall {
  readonly request: Json;
  /** Whole, not streamed, and with a text that is empty: so it can be typed into. */
  readonly response: Json;
}

const ASKED: Json = { role: 'user', content: NEW_REQUEST };

/** By protocol, with the names of its members. Assistants are not one call, and older completions are all different. */
const CALLS: Partial<Record<WireApi, (model: JsonRecord) => EmptyCall>> = {
  'openai-chat': (model) => ({
    request: { ...model, messages: [ASKED] },
    response: {
      object: 'chat.completion',
      ...model,
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    },
  }),
  'openai-responses': (model) => ({
    request: { ...model, input: [ASKED] },
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
    request: { ...model, max_tokens: 1024, messages: [ASKED] },
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
    request: { contents: [{ role: 'user', parts: [{ text: NEW_REQUEST }] }] },
    response: {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    },
  }),
  'gemini-interactions': (model) => ({
    request: { ...model, input: NEW_REQUEST },
    response: {
      object: 'interaction',
      status: 'completed',
      ...model,
      steps: [{ type: 'model_output', content: [{ type: 'text', text: '' }] }],
      usage: { total_input_tokens: 0, total_output_tokens: 0, total_tokens: 0 },
    },
  }),
  'bedrock-converse': () => ({
    request: { messages: [{ role: 'user', content: [{ text: NEW_REQUEST }] }] },
    response: {
      output: { message: { role: 'assistant', content: [{ text: '' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    },
  }),
  ollama: (model) => ({
    request: { ...model, messages: [ASKED], stream: false },
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
    request: { ...model, messages: [ASKED] },
    response: {
      message: { role: 'assistant', content: [{ type: 'text', text: '' }] },
      finish_reason: 'COMPLETE',
      usage: { tokens: { input_tokens: 0, output_tokens: 0 } },
    },
  }),
  embeddings: (model) => ({
    request: { ...model, input: NEW_REQUEST },
    response: { object: 'list', ...model, data: [], usage: { prompt_tokens: 0, total_tokens: 0 } },
  }),
};

const JSON_ONLY: readonly HttpHeader[] = [['content-type', 'application/json']];

/** A call like another, to the same address, in which nothing is said yet. Undefined where its protocol has none. */
export function emptyCall(
  { method, url }: HttpExchange,
  api: WireApi | undefined,
  model: string | undefined,
): HttpExchange | undefined {
  const call = api && CALLS[api]?.(model === undefined ? {} : { model });
  if (call === undefined) return undefined;
  return {
    method,
    url: unstreamed(url),
    requestHeaders: JSON_ONLY,
    requestBody: { type: 'text', text: compactJson(call.request) },
    status: 200,
    responseHeaders: JSON_ONLY,
    responseBody: { type: 'text', text: compactJson(call.response) },
  };
}

/** Where the address says that the answer is a stream, the one that says that it is not. */
function unstreamed(url: string): string {
  return url
    .replace(':streamGenerateContent', ':generateContent')
    .replace(/([?&])alt=sse(?:&|$)/, '$1')
    .replace(/[?&]$/, '')
    .replace(/\/converse-stream\b/, '/converse')
    .replace('/invoke-with-response-stream', '/invoke');
}
