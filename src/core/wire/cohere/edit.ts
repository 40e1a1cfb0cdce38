import { asIndex, asRecord } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { BlankBodies, PieceSite, StreamEvent, TextSite } from '../protocol';
import { BLANK_USER_MESSAGE } from '../shared/messages';
import { contentSites, isTextPart, nestSites, pieceSites, stringSite } from '../shared/textSites';

export function cohereTextSites(response: Json): TextSite[] {
  const { message } = asRecord(response);
  return isRecord(message)
    ? nestSites(['message', 'content'], contentSites(message.content, isTextPart))
    : stringSite(response, 'text');
}

export function cohereStreamTextSites({ json }: StreamEvent): PieceSite[] {
  if (json.event_type === 'text-generation') return pieceSites('pieces', 0, stringSite(json, 'text'));
  if (json.event_type === 'stream-end') return pieceSites('end', 0, stringSite(json, 'response', 'text'));
  return pieceSites('pieces', asIndex(json.index), stringSite(json, 'delta', 'message', 'content', 'text'));
}

/** The bodies of version 2. */
export function blankCohereBodies(model: JsonRecord): BlankBodies {
  return {
    request: { ...model, messages: [BLANK_USER_MESSAGE] },
    response: {
      message: { role: 'assistant', content: [{ type: 'text', text: '' }] },
      finish_reason: 'COMPLETE',
      usage: { tokens: { input_tokens: 0, output_tokens: 0 } },
    },
  };
}
