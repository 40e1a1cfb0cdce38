import type { ProtocolExamples } from '../examples';

export const examples: ProtocolExamples = {
  id: 'gemini-interactions',
  url: 'https://generativelanguage.googleapis.com/v1beta/interactions',
  body: { model: 'gemini-2.5-flash', input: 'Hi' },
  silent: [{ store: true, stream: false, background: false }],
  telling: [{ store: false }, { stream: true }],
  usage: {
    outputs: [],
    usage: {
      total_input_tokens: 90,
      total_tool_use_tokens: 10,
      total_output_tokens: 30,
      total_thought_tokens: 20,
      total_tokens: 150,
    },
  },
};
