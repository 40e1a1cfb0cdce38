import type { ProtocolExamples } from '../examples';

const user = { role: 'user', content: 'Hi' };

export const examples: ProtocolExamples = {
  id: 'openai-chat',
  url: 'https://api.openai.com/v1/chat/completions',
  body: { model: 'gpt-4o', messages: [user] },
  silent: [
    { safe_prompt: false },
    { parallel_tool_calls: true },
    { store: false },
    { service_tier: 'auto' },
    { temperature: 1 },
    { temperature: 1, top_p: 1 },
    { modalities: ['text'] },
    { verbosity: 'medium', top_logprobs: 0 },
    { stream_options: { include_usage: null } },
    { audio: { voice: null, format: null }, prediction: { content: [] } },
    { n: 1, stream: false, logprobs: false, presence_penalty: 0, frequency_penalty: 0, tool_choice: 'auto' },
    { response_format: { type: 'text' }, stop: null, metadata: {}, tools: [], user: '' },
  ],
  telling: [
    { parallel_tool_calls: false },
    { store: true },
    { verbosity: 'low' },
    { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { const: null } } } },
    { service_tier: 'flex' },
    { temperature: 0 },
    { top_p: 0.9 },
    { stream: true },
    { truncation: 'disabled' },
    { raw: false },
    { response_format: { type: 'json_object' } },
  ],
  usage: {
    choices: [],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
  },
};
