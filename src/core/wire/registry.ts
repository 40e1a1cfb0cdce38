import type { ProtocolId } from '../model/interaction';
import { anthropicMessages } from './anthropic/index';
import { bedrockConverse } from './bedrock/index';
import { cohere } from './cohere/index';
import { embeddings } from './embeddings/index';
import { gemini } from './gemini/index';
import { geminiCodeAssist } from './geminiCodeAssist/index';
import { geminiInteractions } from './geminiInteractions/index';
import { mistralConversations } from './mistralConversations/index';
import { ollama } from './ollama/index';
import { openaiAssistants } from './openaiAssistants/index';
import { openaiChat } from './openaiChat/index';
import { openaiResponses } from './openaiResponses/index';
import type { Protocol } from './protocol';
import { textGeneration } from './textGeneration/index';

/** The supported protocols, the most specific first: when two fit an exchange equally well, the earlier one wins. */
export const PROTOCOLS: readonly Protocol[] = [
  openaiResponses,
  openaiAssistants,
  anthropicMessages,
  geminiInteractions,
  geminiCodeAssist,
  gemini,
  bedrockConverse,
  ollama,
  openaiChat,
  cohere,
  embeddings,
  textGeneration,
  mistralConversations,
];

export function protocolById(id: ProtocolId | undefined): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.id === id);
}
