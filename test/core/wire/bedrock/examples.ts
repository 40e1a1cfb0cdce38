import type { ProtocolExamples } from '../examples';

export const examples: ProtocolExamples = {
  id: 'bedrock-converse',
  url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse',
  body: {
    messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
    toolConfig: { tools: [{ toolSpec: { name: 'f' } }] },
  },
  silent: [
    { toolConfig: { tools: [{ toolSpec: { name: 'f' } }], toolChoice: { auto: {} } } },
    { system: [] },
    { inferenceConfig: { stopSequences: [], topP: null } },
    { performanceConfig: { latency: 'standard' }, serviceTier: { type: 'default' } },
  ],
  telling: [{ toolConfig: { tools: [{ toolSpec: { name: 'f' } }], toolChoice: { any: {} } } }],
  usage: {
    output: {},
    usage: { inputTokens: 60, cacheReadInputTokens: 30, cacheWriteInputTokens: 10, outputTokens: 50, totalTokens: 150 },
  },
};
