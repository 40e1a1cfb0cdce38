import type { ProtocolExamples } from '../examples';

export const examples: ProtocolExamples = {
  id: 'openai-assistants',
  url: 'https://api.openai.com/v1/threads/thread_1/runs',
  body: { assistant_id: 'asst_1' },
  silent: [{ parallel_tool_calls: true, temperature: 1, tool_choice: 'auto', truncation_strategy: { type: 'auto' } }],
  telling: [{ temperature: 0 }],
  usage: {
    object: 'thread.run',
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  },
};
