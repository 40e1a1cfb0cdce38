import type { ProtocolExamples } from '../examples';

export const examples: ProtocolExamples = {
  id: 'text-generation',
  url: 'https://api.openai.com/v1/completions',
  body: { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' },
  silent: [{ n: 1, best_of: 1, echo: false, stream: false }],
  telling: [{ echo: true }, { temperature: 1 }],
  usage: { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } },
};
