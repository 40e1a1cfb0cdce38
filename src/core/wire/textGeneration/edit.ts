import { asIndex, asRecord } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { StreamEvent, StreamSiteReader, TextSite } from '../protocol';
import { contentSites, lowestIndex, nestSites, pieceSites, stringSite } from '../shared/textSites';
import { CHOICE_LISTS, generatedChoices, ITEM_TEXTS, pieceMember, TEXTS } from './read';

const ITEM_TEXT_PATHS: readonly JsonPath[] = [
  ...[...ITEM_TEXTS, 'content'].map((name) => [name]),
  ['message', 'content'],
  ['data', 'text'],
  ['candidates', 0, 'content'],
  ['delta', 'content'],
];
/** The places of the text, in the order in which `generatedText` looks for it. */
const TEXT_PATHS: readonly JsonPath[] = [
  ['token', 'text'],
  ...CHOICE_LISTS.flatMap((list) => ITEM_TEXT_PATHS.map((path) => [list, 0, ...path])),
  ...TEXTS.map((name) => [name]),
  ['output'],
  ['content'],
  ['result', 'response'],
];

export function generatedTextSites(response: Json): TextSite[] {
  if (Array.isArray(response)) return response.length === 0 ? [] : nestSites([0], generatedTextSites(response[0]));
  const found = TEXT_PATHS.map((path) => stringSite(response, ...path)).find((sites) => sites.length > 0);
  // Replicate's models return the text as a list of pieces.
  const pieces = contentSites(asRecord(response).output, () => false);
  return found ?? nestSites(['output'], pieces);
}

/** Hugging Face repeats the whole text beside the last token, and Cohere after it. Replicate's events are plain text. */
export function generationStreamTextSites(events: readonly StreamEvent[]): StreamSiteReader {
  const first = lowestIndex(events, generatedChoices);
  return ({ event, data, json }, frame) => {
    if (event === 'output') return pieceSites('pieces', 0, [{ path: [], text: data }]);
    const [choice] = generatedChoices(json);
    if (choice !== undefined && asIndex(choice.index) !== first) return [];
    const repeated = isRecord(json.token)
      ? stringSite(json, 'generated_text')
      : nestSites(['response'], generatedTextSites(asRecord(json.response)));
    const piece = pieceMember(json);
    const own = generatedTextSites(json);
    const sites = own.length === 0 && piece !== undefined ? stringSite(json, piece) : own;
    return [...pieceSites('pieces', 0, sites), ...pieceSites(`whole ${frame}`, 0, repeated)];
  };
}
