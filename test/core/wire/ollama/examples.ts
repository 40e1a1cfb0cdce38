import type { ProtocolExamples } from '../examples';

export const examples: ProtocolExamples = {
  id: 'ollama',
  url: 'http://127.0.0.1:11434/api/generate',
  body: { model: 'llama3', prompt: 'Hi' },
  silent: [
    { raw: false, stream: true, keep_alive: '5m', logprobs: false },
    { options: { stop: null, num_ctx: null } },
    { system: '', template: '', suffix: '', images: [] },
  ],
  telling: [{ stream: false }, { raw: true }, { keep_alive: 0 }, { options: { temperature: 1 } }],
  usage: { message: { content: '' }, prompt_eval_count: 100, eval_count: 50 },
};
