import { asIndex, asRecord } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import type { BlankBodies, PieceSite, StreamEvent, TextSite } from '../protocol';
import { BLANK_USER_MESSAGE } from '../shared/messages';
import { contentSites, isTextBlock, nestSites, pieceSites, stringSite } from '../shared/textSites';

export function anthropicTextSites(response: Json): TextSite[] {
  return nestSites(['content'], contentSites(asRecord(response).content, isTextBlock));
}

export function anthropicStreamTextSites({ json }: StreamEvent): PieceSite[] {
  if (json.type === 'content_block_start' && valueAt(json, ['content_block', 'type']) === 'text') {
    return pieceSites('pieces', asIndex(json.index), stringSite(json, 'content_block', 'text'));
  }
  return json.type === 'content_block_delta'
    ? pieceSites('pieces', asIndex(json.index), stringSite(json, 'delta', 'text'))
    : [];
}

export function blankAnthropicBodies(model: JsonRecord): BlankBodies {
  return {
    request: { ...model, max_tokens: 1024, messages: [BLANK_USER_MESSAGE] },
    response: {
      type: 'message',
      role: 'assistant',
      ...model,
      content: [{ type: 'text', text: '' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  };
}
