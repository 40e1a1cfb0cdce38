import { asIndex, asRecord } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { StreamEvent, StreamSiteReader, TextSite } from '../protocol';
import { contentSites, lowestIndex, nestSites, pieceSites, stringSite } from '../shared/textSites';
import { CHOICE_LISTS, generatedChoices } from './read';

const TEXT_MEMBERS = ['completion', 'generation', 'generated_text', 'outputText', 'value'];
const ITEM_TEXT_PATHS: readonly JsonPath[] = [
  ...['text', 'output', ...TEXT_MEMBERS, 'content'].map((name) => [name]),
  ['message', 'content'],
  ['data', 'text'],
  ['candidates', 0, 'content'],
  ['delta', 'content'],
];
/** Where `textGeneration.ts` finds the text, in its order. */
const TEXT_PATHS: readonly JsonPath[] = [
  ['token', 'text'],
  ...CHOICE_LISTS.flatMap((list) => ITEM_TEXT_PATHS.map((path) => [list, 0, ...path])),
  ...TEXT_MEMBERS.map((name) => [name]),
  ['output'],
  ['content'],
  ['result', 'response'],
];

export function generatedTextSites(answer: Json): TextSite[] {
  if (Array.isArray(answer)) return answer.length === 0 ? [] : nestSites([0], generatedTextSites(answer[0]));
  const found = TEXT_PATHS.map((path) => stringSite(answer, ...path)).find((sites) => sites.length > 0);
  // Replicate's models give the pieces of a text.
  return (
    found ??
    nestSites(
      ['output'],
      contentSites(asRecord(answer).output, () => false),
    )
  );
}

/** Hugging Face repeats the whole text beside the last token. Replicate streams the text itself. */
export function generationStreamSites(events: readonly StreamEvent[]): StreamSiteReader {
  const answer = lowestIndex(events, generatedChoices);
  return ({ event, data, json }, frame) => {
    if (event === 'output') return pieceSites('pieces', 0, [{ path: [], text: data }]);
    const [choice] = generatedChoices(json);
    if (choice !== undefined && asIndex(choice.index) !== answer) return [];
    const whole = isRecord(json.token) ? pieceSites(`whole ${frame}`, 0, stringSite(json, 'generated_text')) : [];
    return [...pieceSites('pieces', 0, generatedTextSites(json)), ...whole];
  };
}
