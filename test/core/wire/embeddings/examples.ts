import type { ProtocolExamples } from '../examples';

export const examples: ProtocolExamples = {
  id: 'embeddings',
  url: 'https://api.openai.com/v1/embeddings',
  body: { model: 'text-embedding-3-small', input: ['Hi'] },
  silent: [{ encoding_format: 'float' }, { user: '' }],
  telling: [{ encoding_format: 'base64' }, { dimensions: 256 }],
  usage: { data: [], usage: { prompt_tokens: 100, total_tokens: 100 } },
};
