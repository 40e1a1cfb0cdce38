import { asIndex, asList, asRecord, asRecords } from '../../json/fields';
import { isRecord, type JsonRecord } from '../../json/json';
import type { PieceSite, StreamEvent, StreamSiteReader, TextSite } from '../protocol';
import { contentSites, isTextPart, lowestIndex, nestSites, pieceSites, stringSite } from '../shared/textSites';

export function chatMessageSites(message: JsonRecord): TextSite[] {
  return [
    ...nestSites(['content'], contentSites(message.content, isTextPart)),
    ...stringSite(message, 'audio', 'transcript'),
  ];
}

/** Only the choice of the lowest index is the answer, whichever comes first. */
export function chatStreamSites(events: readonly StreamEvent[]): StreamSiteReader {
  const answer = lowestIndex(events, ({ choices }) => asRecords(choices));
  return ({ json }, frame) =>
    asList(json.choices).flatMap((choice, at): PieceSite[] => {
      if (!isRecord(choice) || asIndex(choice.index) !== answer) return [];
      const content = contentSites(asRecord(choice.delta).content, isTextPart);
      const spoken = stringSite(asRecord(choice.delta), 'audio', 'transcript');
      return [
        ...pieceSites('pieces', 'content', nestSites(['choices', at, 'delta', 'content'], content)),
        ...pieceSites('pieces', 'spoken', nestSites(['choices', at, 'delta'], spoken)),
        // Some servers repeat the whole message beside the piece, or send nothing else.
        ...pieceSites(
          `message ${frame}`,
          'content',
          nestSites(['choices', at, 'message'], chatMessageSites(asRecord(choice.message))),
        ),
      ];
    });
}
