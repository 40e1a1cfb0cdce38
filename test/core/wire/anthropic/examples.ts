import type { ProtocolExamples } from '../examples';

const user = { role: 'user', content: 'Hi' };

export const examples: ProtocolExamples = {
  id: 'anthropic-messages',
  url: 'https://api.anthropic.com/v1/messages',
  body: { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [user], tools: [{ name: 'f', input_schema: {} }] },
  silent: [
    { tool_choice: { type: 'auto' } },
    { tool_choice: { type: 'auto', disable_parallel_tool_use: false } },
    { temperature: 1, stream: false, service_tier: 'auto' },
    { system: '' },
    { metadata: { user_id: null } },
    { thinking: null, context_management: { edits: [] } },
    { system: [], stop_sequences: [] },
  ],
  telling: [
    { tool_choice: { type: 'any' } },
    { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    { tool_choice: 'auto' },
    { top_p: 1 },
    { system: 'Be brief.' },
  ],
  usage: {
    content: [],
    usage: { input_tokens: 60, cache_read_input_tokens: 30, cache_creation_input_tokens: 10, output_tokens: 50 },
  },
};
