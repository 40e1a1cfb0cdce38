import { asList, asRecord } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import { type BlankBodies, NEW_REQUEST_TEXT, type StreamSiteReader, type TextSite } from '../protocol';
import { contentSites, nestSites, pieceSites, stringSite } from '../shared/textSites';

export function geminiTextSites(response: Json): TextSite[] {
  const index = asList(asRecord(response).candidates).findIndex(isRecord);
  if (index === -1) return [];
  const path = ['candidates', index];
  return nestSites(path, candidateSites(asRecord(valueAt(response, path))));
}

function candidateSites({ content }: JsonRecord): TextSite[] {
  if (!isRecord(content)) return nestSites(['content'], stringSite(content));
  const sites = contentSites(content.parts, ({ thought }) => thought !== true);
  return nestSites(['content', 'parts'], sites);
}

/** Reads the text of the candidate that the stream begins with; the others are alternatives. */
export function geminiStreamTextSites(): StreamSiteReader {
  let first: Json | undefined;
  return ({ json }) =>
    asList(json.candidates).flatMap((candidate, at) => {
      if (!isRecord(candidate)) return [];
      const index = candidate.index ?? 0;
      first ??= index;
      return index === first ? pieceSites('pieces', 0, nestSites(['candidates', at], candidateSites(candidate))) : [];
    });
}

/** The URL names the model; the bodies do not. */
export function blankGeminiBodies(): BlankBodies {
  return {
    request: { contents: [{ role: 'user', parts: [{ text: NEW_REQUEST_TEXT }] }] },
    response: {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    },
  };
}

export function unstreamedGeminiUrl(url: string): string {
  return withoutAltSse(url.replace(':streamGenerateContent', ':generateContent'));
}

/** Google's APIs stream server-sent events where the query says `alt=sse`. */
export function withoutAltSse(url: string): string {
  return url.replace(/([?&])alt=sse(?:&|$)/, '$1').replace(/[?&]$/, '');
}
