import type { ProtocolExamples } from '../examples';

const user = { role: 'user', content: 'Hi' };

export const examples: ProtocolExamples = {
  id: 'cohere',
  url: 'https://api.cohere.com/v2/chat',
  body: { model: 'command-a', messages: [user] },
  silent: [{ temperature: 0.3, p: 0.75, k: 0, stream: false, safety_mode: 'CONTEXTUAL', strict_tools: false }],
  telling: [{ temperature: 1 }, { safety_mode: 'STRICT' }],
  usage: { message: { content: [] }, usage: { tokens: { input_tokens: 100, output_tokens: 50 }, cached_tokens: 40 } },
};
