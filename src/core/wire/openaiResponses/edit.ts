import { asIndex, asRecord, isBlank } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import type { BlankBodies, PieceSite, StreamEvent, TextSite } from '../protocol';
import { BLANK_USER_MESSAGE } from '../shared/messages';
import { contentSites, isTextPart, nestSites, pieceSites, recordSites, stringSite } from '../shared/textSites';

export function responsesTextSites(response: Json): TextSite[] {
  const { output } = asRecord(response);
  return isBlank(output)
    ? stringSite(response, 'output_text')
    : nestSites(['output'], recordSites(output, outputItemSites));
}

function outputItemSites(item: JsonRecord): TextSite[] {
  const isMessage = item.type === undefined || item.type === 'message';
  return isMessage ? nestSites(['content'], contentSites(item.content, isTextPart)) : [];
}

/** A stream carries a text up to five times: in deltas, then in its text, part, item and response. */
export function responsesStreamTextSites({ json }: StreamEvent, frame: number): PieceSite[] {
  const { type, item, response } = json;
  const part = `${asIndex(json.output_index)} ${asIndex(json.content_index)}`;
  if (type === 'response.output_text.delta') return pieceSites('pieces', part, stringSite(json, 'delta'));
  if (type === 'response.output_text.done') return pieceSites('texts', part, stringSite(json, 'text'));
  if (type === 'response.content_part.done' && valueAt(json, ['part', 'type']) === 'output_text') {
    return pieceSites('parts', part, stringSite(json, 'part', 'text'));
  }
  if (type === 'response.output_item.done' && isRecord(item)) {
    return pieceSites('items', part, nestSites(['item'], outputItemSites(item)));
  }
  if (!isRecord(response) || isBlank(response.output)) return [];
  return pieceSites(`response ${frame}`, part, nestSites(['response'], responsesTextSites(response)));
}

export function blankResponsesBodies(model: JsonRecord): BlankBodies {
  const content = [{ type: 'output_text', text: '', annotations: [] }];
  return {
    request: { ...model, input: [BLANK_USER_MESSAGE] },
    response: {
      object: 'response',
      status: 'completed',
      ...model,
      output: [{ type: 'message', role: 'assistant', status: 'completed', content }],
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    },
  };
}
