import { asIndex, asList, asRecord, isBlank } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import type { ProtocolId } from '../../model/interaction';
import { anthropicStreamSites } from '../anthropic/stream';
import { converseBlockSites, converseStreamSites } from '../bedrock/edit';
import { cohereStreamSites } from '../cohere/stream';
import { candidateSites, geminiStreamSites } from '../gemini/edit';
import { stepSites } from '../geminiInteractions/edit';
import { ollamaSites } from '../ollama/stream';
import { assistantsStreamSites } from '../openaiAssistants/stream';
import { chatMessageSites, chatStreamSites } from '../openaiChat/edit';
import { outputItemSites } from '../openaiResponses/edit';
import type { PieceSite, StreamEvent, StreamSite, StreamSiteReader, TextSite } from '../protocol';
import {
  contentSites,
  isTextBlock,
  isTextPart,
  nestSites,
  pieceSites,
  recordSites,
  stringSite,
} from '../shared/textSites';
import { generatedTextSites, generationStreamSites } from '../textGeneration/edit';

/** The strings of an answer in one piece that are its text, in their order, by the protocol. */
export const RESPONSE_TEXT_SITES: Readonly<Record<ProtocolId, (answer: Json) => readonly TextSite[]>> = {
  'openai-chat': (answer) => {
    const index = asList(asRecord(answer).choices).findIndex(isRecord);
    return index === -1
      ? []
      : nestSites(
          ['choices', index, 'message'],
          chatMessageSites(asRecord(valueAt(answer, ['choices', index, 'message']))),
        );
  },
  'openai-responses': (answer) => {
    const { output } = asRecord(answer);
    return isBlank(output)
      ? stringSite(answer, 'output_text')
      : nestSites(['output'], recordSites(output, outputItemSites));
  },
  // Runs are answered in streams only.
  'openai-assistants': () => [],
  'anthropic-messages': (answer) => nestSites(['content'], contentSites(asRecord(answer).content, isTextBlock)),
  gemini: (answer) => {
    const index = asList(asRecord(answer).candidates).findIndex(isRecord);
    return index === -1
      ? []
      : nestSites(['candidates', index], candidateSites(asRecord(valueAt(answer, ['candidates', index]))));
  },
  'gemini-interactions': (answer) => {
    const list = asRecord(answer).steps === undefined ? 'outputs' : 'steps';
    return nestSites([list], recordSites(asRecord(answer)[list], stepSites));
  },
  'bedrock-converse': (answer) => {
    const path = ['output', 'message', 'content'];
    return nestSites(path, recordSites(valueAt(answer, path), converseBlockSites));
  },
  ollama: (answer) => ollamaSites(asRecord(answer)),
  cohere: (answer) => {
    const { message } = asRecord(answer);
    return isRecord(message)
      ? nestSites(['message', 'content'], contentSites(message.content, isTextPart))
      : stringSite(answer, 'text');
  },
  'text-generation': (answer) => generatedTextSites(answer),
  embeddings: () => [],
};

/** The strings in the frames of an answer that are its text, in the order of the text. */
export function streamTextSites(api: ProtocolId, events: readonly StreamEvent[]): StreamSite[] {
  const read = STREAM_SITE_READERS[api](events);
  const sites = events.flatMap((event, frame) => read(event, frame).map((site) => ({ ...site, frame })));
  const segments = new Map<string, number>();
  for (const { segment } of sites) if (!segments.has(segment)) segments.set(segment, segments.size);
  return sites.sort((left, right) => (segments.get(left.segment) ?? 0) - (segments.get(right.segment) ?? 0));
}

const STREAM_SITE_READERS: Readonly<Record<ProtocolId, (events: readonly StreamEvent[]) => StreamSiteReader>> = {
  'openai-chat': chatStreamSites,
  'openai-responses': () => responsesStreamSites,
  'openai-assistants': () => assistantsStreamSites,
  'anthropic-messages': () => anthropicStreamSites,
  gemini: geminiStreamSites,
  'gemini-interactions': () => interactionsStreamSites,
  'bedrock-converse': () => converseStreamSites,
  ollama:
    () =>
    ({ json }) =>
      pieceSites('pieces', 0, ollamaSites(json)),
  cohere: () => cohereStreamSites,
  'text-generation': generationStreamSites,
  embeddings: () => () => [],
};

function responsesStreamSites({ json }: StreamEvent, frame: number): PieceSite[] {
  const part = `${asIndex(json.output_index)} ${asIndex(json.content_index)}`;
  const { type, item, response } = json;
  if (type === 'response.output_text.delta') return pieceSites('pieces', part, stringSite(json, 'delta'));
  if (type === 'response.output_text.done') return pieceSites('texts', part, stringSite(json, 'text'));
  if (type === 'response.content_part.done' && valueAt(json, ['part', 'type']) === 'output_text') {
    return pieceSites('parts', part, stringSite(json, 'part', 'text'));
  }
  if (type === 'response.output_item.done' && isRecord(item)) {
    return pieceSites('items', part, nestSites(['item'], outputItemSites(item)));
  }
  if (!isRecord(response) || isBlank(response.output)) return [];
  return pieceSites(
    `response ${frame}`,
    part,
    nestSites(['response'], RESPONSE_TEXT_SITES['openai-responses'](response)),
  );
}

function interactionsStreamSites({ json }: StreamEvent, frame: number): PieceSite[] {
  const { delta, interaction } = json;
  const begun = ['step', 'content'].flatMap((key) => {
    const step = json[key];
    return isRecord(step) ? nestSites([key], stepSites(step)) : [];
  });
  const isText = asRecord(delta).type === 'text' || asRecord(delta).type === undefined;
  return [
    ...pieceSites('pieces', asIndex(json.index), [...begun, ...(isText ? stringSite(json, 'delta', 'text') : [])]),
    ...(isRecord(interaction)
      ? pieceSites(
          `interaction ${frame}`,
          0,
          nestSites(['interaction'], RESPONSE_TEXT_SITES['gemini-interactions'](interaction)),
        )
      : []),
  ];
}
