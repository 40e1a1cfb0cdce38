import type { ProtocolExamples } from '../examples';

const user = { role: 'user', content: 'Hi' };

export const examples: ProtocolExamples = {
  id: 'openai-responses',
  url: 'https://api.openai.com/v1/responses',
  body: { model: 'gpt-4o', input: [user] },
  silent: [
    { parallel_tool_calls: true, service_tier: 'auto', temperature: 1, top_p: 1, truncation: 'disabled' },
    { store: true, stream: false, background: false },
    { text: { format: { type: 'text' } } },
    { text: { format: { type: 'text' }, verbosity: 'medium' } },
    { reasoning: { effort: null, summary: null }, top_logprobs: 0 },
    { instructions: '', tool_choice: 'auto', metadata: {} },
  ],
  telling: [
    { reasoning: { effort: 'low', summary: null } },
    { prompt: { id: 'p', variables: { city: null } } },
    { store: false },
    { truncation: 'auto' },
    { text: { verbosity: 'low' } },
    { background: true },
  ],
  usage: {
    output: [],
    usage: {
      input_tokens: 100,
      output_tokens: 50,
      total_tokens: 150,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens_details: { reasoning_tokens: 20 },
    },
  },
};
