import { asIndex, asRecord } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import { type BlankBodies, NEW_REQUEST_TEXT, type PieceSite, type StreamEvent, type TextSite } from '../protocol';
import { contentSites, isTextBlock, nestSites, pieceSites, recordSites } from '../shared/textSites';

export function conversationTextSites(response: Json): TextSite[] {
  return nestSites(['outputs'], recordSites(asRecord(response).outputs, entrySites));
}

function entrySites({ type, content }: JsonRecord): TextSite[] {
  return type === 'message.output' ? nestSites(['content'], contentSites(content, isTextBlock)) : [];
}

export function conversationStreamTextSites({ json }: StreamEvent): PieceSite[] {
  if (json.type !== 'message.output.delta') return [];
  const segment = `${asIndex(json.output_index)} ${asIndex(json.content_index)}`;
  return pieceSites('pieces', segment, nestSites(['content'], contentSites(json.content, isTextBlock)));
}

export function blankConversationBodies(model: JsonRecord): BlankBodies {
  return {
    request: { ...model, inputs: NEW_REQUEST_TEXT },
    response: {
      object: 'conversation.response',
      conversation_id: 'conv_new',
      outputs: [{ object: 'entry', type: 'message.output', role: 'assistant', ...model, content: '' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    },
  };
}
