import type { ProtocolExamples } from '../examples';

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];

export const examples: ProtocolExamples = {
  id: 'gemini',
  url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
  body: { contents },
  silent: [
    { generationConfig: { responseModalities: ['TEXT'] } },
    { generationConfig: { candidateCount: 1, responseMimeType: 'text/plain' }, safetySettings: [] },
    { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
    { tool_config: { function_calling_config: { mode: 'AUTO' } } },
    { systemInstruction: { parts: [] }, tools: [] },
    { generationConfig: { stopSequences: [], thinkingConfig: { includeThoughts: false, thinkingBudget: null } } },
    { generation_config: { presence_penalty: 0, response_logprobs: false, thinking_config: {} } },
  ],
  telling: [
    { generationConfig: { responseModalities: ['IMAGE'] } },
    { generationConfig: { temperature: 1 } },
    { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    { toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['f'] } } },
  ],
  usage: {
    candidates: [],
    usageMetadata: {
      promptTokenCount: 90,
      toolUsePromptTokenCount: 10,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 20,
      totalTokenCount: 150,
    },
  },
};
