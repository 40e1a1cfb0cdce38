import { asRecords } from '../../json/fields';
import { isRecord, type JsonRecord } from '../../json/json';
import type { Protocol } from '../protocol';
import { writeOpenaiError } from '../shared/errors';
import { blankChatBodies, chatStreamTextSites, chatTextSites } from './edit';
import { readChatCompletionRequest, readChatCompletionResponse } from './read';
import { joinChatChunks } from './stream';

function isFinished({ finish_reason: reason }: JsonRecord): boolean {
  return typeof reason === 'string' && reason !== '';
}

/**
 * OpenAI's Chat Completions, also spoken by Azure, Groq, Mistral, DeepSeek, OpenRouter, xAI, Together, Perplexity,
 * vLLM, llama.cpp, Ollama's `/v1` and most others, each with members of its own.
 */
export const openaiChat: Protocol = {
  id: 'openai-chat',
  kind: 'llm',
  endpoints: {
    // The latter is Mistral's.
    own: [{ below: 'any', paths: ['/chat/completions', '/agents/completions'] }],
    shared: /\/(chat|completions?|generate|invocations|text\/chat)\/?$/,
    others: [{ below: 'any', paths: ['/chat/completions/{id}', '/chat/completions/{id}/messages'] }],
    // Azure, and LiteLLM. Docker's `/engines/v1/chat/completions` names none.
    models: [/\/deployments\/([^/]+)\//d, /\/engines\/(?!v\d+\/)([^/]+)\/chat\/completions\/?$/d],
  },
  isRequest: (body) => isRecord(body) && Array.isArray(body.messages),
  isResponse: (body) => isRecord(body) && asRecords(body.choices).some(({ message }) => isRecord(message)),
  isEvent: ({ json }) =>
    json.object === 'chat.completion.chunk' || asRecords(json.choices).some(({ delta }) => isRecord(delta)),
  endsStream: ({ data, json }) => data.trim() === '[DONE]' || asRecords(json.choices).some(isFinished),
  members: {
    hasSystemMessages: true,
    messages: [['messages']],
    tools: [['tools'], ['functions']],
    toolSettings: [['tool_choice'], ['parallel_tool_calls']],
    toolResults: ['content'],
  },
  cache: { parameters: ['response_format'], isAutomatic: true },
  requestIds: ['user', 'safety_identifier', 'prompt_cache_key'],
  callIds: [
    '/messages/*/tool_calls/*/id',
    '/messages/*/tool_call_id',
    // Some servers take Anthropic's blocks as well.
    '/messages/*/content/*/id',
    '/messages/*/content/*/tool_use_id',
  ],
  results: ['/messages/*/tool_call_id', '/messages/*/content/*/tool_use_id'],
  // https://platform.openai.com/docs/api-reference/chat/create
  defaults: {
    '/frequency_penalty': 0,
    '/logprobs': false,
    '/modalities': ['text'],
    '/n': 1,
    '/parallel_tool_calls': true,
    '/presence_penalty': 0,
    '/response_format': { type: 'text' },
    // https://docs.mistral.ai/api/#tag/chat, which the others refuse.
    '/safe_prompt': false,
    '/service_tier': 'auto',
    '/store': false,
    '/stream': false,
    '/temperature': 1,
    '/tool_choice': 'auto',
    '/top_logprobs': 0,
    '/top_p': 1,
    '/verbosity': 'medium',
  },
  readRequest: readChatCompletionRequest,
  readResponse: readChatCompletionResponse,
  joinStream: joinChatChunks,
  writeError: writeOpenaiError,
  textSites: chatTextSites,
  streamTextSites: chatStreamTextSites,
  blankBodies: blankChatBodies,
};
