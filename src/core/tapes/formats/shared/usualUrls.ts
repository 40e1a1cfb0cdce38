import type { ProtocolId } from '../../../model/interaction';

/** Where the protocols are usually called, for calls that were recorded without an address. */
const USUAL_URLS: Readonly<Partial<Record<ProtocolId, string>>> = {
  'openai-chat': 'https://api.openai.com/v1/chat/completions',
  'openai-responses': 'https://api.openai.com/v1/responses',
  embeddings: 'https://api.openai.com/v1/embeddings',
  'anthropic-messages': 'https://api.anthropic.com/v1/messages',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent',
};

/** `/` for a protocol without such an address, and for no protocol. */
export function usualUrlOf(protocol: ProtocolId | undefined, model = '-'): string {
  return (protocol && USUAL_URLS[protocol]?.replace('{model}', model)) ?? '/';
}
