import { asIndex, asList, asRecord, asRecords } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import type { BlankBodies, PieceSite, StreamEvent, StreamSiteReader, TextSite } from '../protocol';
import { BLANK_USER_MESSAGE } from '../shared/messages';
import { contentSites, isTextPart, lowestIndex, nestSites, pieceSites, stringSite } from '../shared/textSites';

export function chatTextSites(response: Json): TextSite[] {
  const index = asList(asRecord(response).choices).findIndex(isRecord);
  if (index === -1) return [];
  const path = ['choices', index, 'message'];
  return nestSites(path, messageSites(asRecord(valueAt(response, path))));
}

function messageSites(message: JsonRecord): TextSite[] {
  return [
    ...nestSites(['content'], contentSites(message.content, isTextPart)),
    ...stringSite(message, 'audio', 'transcript'),
  ];
}

export function chatStreamTextSites(events: readonly StreamEvent[]): StreamSiteReader {
  const first = lowestIndex(events, ({ choices }) => asRecords(choices));
  return ({ json }, frame) =>
    asList(json.choices).flatMap((choice, at): PieceSite[] => {
      if (!isRecord(choice) || asIndex(choice.index) !== first) return [];
      const { delta, message } = choice;
      const content = contentSites(asRecord(delta).content, isTextPart);
      const transcript = stringSite(asRecord(delta), 'audio', 'transcript');
      const sites = [
        ...pieceSites('pieces', 'content', nestSites(['delta', 'content'], content)),
        ...pieceSites('pieces', 'spoken', nestSites(['delta'], transcript)),
        // Some servers repeat the whole message beside the delta, or send nothing else.
        ...pieceSites(`message ${frame}`, 'content', nestSites(['message'], messageSites(asRecord(message)))),
      ];
      return nestSites(['choices', at], sites);
    });
}

export function blankChatBodies(model: JsonRecord): BlankBodies {
  return {
    request: { ...model, messages: [BLANK_USER_MESSAGE] },
    response: {
      object: 'chat.completion',
      ...model,
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    },
  };
}
