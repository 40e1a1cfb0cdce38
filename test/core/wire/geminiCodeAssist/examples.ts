import type { ProtocolExamples } from '../examples';

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];

export const examples: ProtocolExamples = {
  id: 'gemini-code-assist',
  url: 'https://cloudcode-pa.googleapis.com/v1internal:generateContent',
  body: { model: 'gemini-2.5-pro', request: { contents } },
  silent: [{ request: { contents, toolConfig: { functionCallingConfig: { mode: 'AUTO' } } } }],
  telling: [{ request: { contents, toolConfig: { functionCallingConfig: { mode: 'NONE' } } } }],
  usage: {
    response: {
      candidates: [],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 30, thoughtsTokenCount: 20, totalTokenCount: 150 },
    },
  },
};
