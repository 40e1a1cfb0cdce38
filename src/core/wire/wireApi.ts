/** The protocols in which programs talk to models. Providers that speak another's protocol count as that one. */
export type WireApi =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-assistants'
  | 'anthropic-messages'
  | 'gemini'
  | 'gemini-interactions'
  | 'bedrock-converse'
  | 'ollama'
  | 'cohere'
  /** A prompt in, its continuation out: the completion endpoints from before chat, of many providers. */
  | 'text-generation'
  | 'embeddings';
