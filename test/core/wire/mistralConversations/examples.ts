import type { ProtocolExamples } from '../examples';

export const examples: ProtocolExamples = {
  id: 'mistral-conversations',
  url: 'https://api.mistral.ai/v1/conversations',
  body: { model: 'mistral-medium-latest', inputs: 'Hi' },
  silent: [
    { store: true, stream: false, handoff_execution: 'server' },
    { instructions: '', tools: [], completion_args: {} },
    { agent_version: null, metadata: {} },
  ],
  telling: [
    { store: false },
    { stream: true },
    { handoff_execution: 'client' },
    { completion_args: { temperature: 1 } },
    { instructions: 'Be brief.' },
  ],
  usage: {
    object: 'conversation.response',
    outputs: [],
    usage: { prompt_tokens: 90, completion_tokens: 50, total_tokens: 150, connector_tokens: 10 },
  },
};
