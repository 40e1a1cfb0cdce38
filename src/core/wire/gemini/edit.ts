import { asList } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { StreamSiteReader, TextSite } from '../protocol';
import { contentSites, nestSites, pieceSites, stringSite } from '../shared/textSites';

export function candidateSites({ content }: JsonRecord): TextSite[] {
  if (!isRecord(content)) return nestSites(['content'], stringSite(content));
  return nestSites(
    ['content', 'parts'],
    contentSites(content.parts, ({ thought }) => thought !== true),
  );
}

/** Only the first candidate is the answer. */
export function geminiStreamSites(): StreamSiteReader {
  let first: Json | undefined;
  return ({ json }) =>
    asList(json.candidates).flatMap((candidate, at) => {
      if (!isRecord(candidate)) return [];
      const index = candidate.index ?? 0;
      first ??= index;
      return index === first ? pieceSites('pieces', 0, nestSites(['candidates', at], candidateSites(candidate))) : [];
    });
}
