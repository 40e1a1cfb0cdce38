import { isRecord, type Json, type JsonRecord } from '../json/json';
import { valueAt } from '../json/jsonPath';
import { indexOf, isBlank, listOf, recordOf, recordsOf, textOf } from './fields';
import { generatedChoices } from './generatedChoices';
import { below, contentSites, eachRecord, siteAt, type TextSite } from './textSites';
import {
  candidateSites,
  chatMessageSites,
  generatedSites,
  isTextPart,
  ollamaSites,
  outputItemSites,
  stepSites,
  WHOLE_TEXT_SITES,
} from './wholeTextSites';
import type { WireApi } from './wireApi';
import type { StreamEvent } from './wireProtocol';

/** A piece of the text in a frame. Streams may tell the same text several times: in deltas, and at the end as a whole. */
export interface StreamSite extends TextSite {
  readonly frame: number;
  /** Sites of one telling are pieces of one text. */
  readonly telling: string;
  /** Pieces of one segment belong together, even where those of another come in between. */
  readonly segment: string;
}

type Site = Omit<StreamSite, 'frame'>;
/** Gives the sites of one frame after the other. */
type FrameReader = (event: StreamEvent, frame: number) => readonly Site[];

/** The strings in the frames of an answer that are its text, in the order of the text. */
export function streamTextSites(api: WireApi, events: readonly StreamEvent[]): StreamSite[] {
  const read = READERS[api](events);
  const sites = events.flatMap((event, frame) => read(event, frame).map((site) => ({ ...site, frame })));
  const segments = new Map<string, number>();
  for (const { segment } of sites) if (!segments.has(segment)) segments.set(segment, segments.size);
  return sites.sort((left, right) => (segments.get(left.segment) ?? 0) - (segments.get(right.segment) ?? 0));
}

function as(telling: string, segment: string | number, sites: readonly TextSite[]): Site[] {
  return sites.map((site) => ({ ...site, telling, segment: `${segment}` }));
}

const READERS: Readonly<Record<WireApi, (events: readonly StreamEvent[]) => FrameReader>> = {
  'openai-chat': chatReader,
  'openai-responses': () => responsesSites,
  'openai-assistants': () => assistantSites,
  'anthropic-messages': () => anthropicSites,
  gemini: geminiReader,
  'gemini-interactions': () => interactionSites,
  'bedrock-converse': () => converseSites,
  ollama:
    () =>
    ({ json }) =>
      as('pieces', 0, ollamaSites(json)),
  cohere: () => cohereSites,
  'text-generation': generationReader,
  embeddings: () => () => [],
};

/** Only the choice of the lowest index is the answer, whichever comes first. */
function chatReader(events: readonly StreamEvent[]): FrameReader {
  const answer = lowestIndex(events, ({ choices }) => recordsOf(choices));
  return ({ json }, frame) =>
    listOf(json.choices).flatMap((choice, at): Site[] => {
      if (!isRecord(choice) || indexOf(choice.index) !== answer) return [];
      const content = contentSites(recordOf(choice.delta).content, isTextPart);
      const spoken = siteAt(recordOf(choice.delta), 'audio', 'transcript');
      return [
        ...as('pieces', 'content', below(['choices', at, 'delta', 'content'], content)),
        ...as('pieces', 'spoken', below(['choices', at, 'delta'], spoken)),
        // Some servers repeat the whole message beside the piece, or send nothing else.
        ...as(
          `message ${frame}`,
          'content',
          below(['choices', at, 'message'], chatMessageSites(recordOf(choice.message))),
        ),
      ];
    });
}

function lowestIndex(events: readonly StreamEvent[], choicesIn: (json: JsonRecord) => readonly JsonRecord[]): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { json } of events) for (const { index } of choicesIn(json)) lowest = Math.min(lowest, indexOf(index));
  return lowest;
}

function responsesSites({ json }: StreamEvent, frame: number): Site[] {
  const part = `${indexOf(json.output_index)} ${indexOf(json.content_index)}`;
  const { type, item, response } = json;
  if (type === 'response.output_text.delta') return as('pieces', part, siteAt(json, 'delta'));
  if (type === 'response.output_text.done') return as('texts', part, siteAt(json, 'text'));
  if (type === 'response.content_part.done' && valueAt(json, ['part', 'type']) === 'output_text') {
    return as('parts', part, siteAt(json, 'part', 'text'));
  }
  if (type === 'response.output_item.done' && isRecord(item)) {
    return as('items', part, below(['item'], outputItemSites(item)));
  }
  if (!isRecord(response) || isBlank(response.output)) return [];
  return as(`response ${frame}`, part, below(['response'], WHOLE_TEXT_SITES['openai-responses'](response)));
}

function assistantSites({ event, json }: StreamEvent): Site[] {
  const value = (part: JsonRecord) => siteAt(part, 'text', 'value');
  if (event === 'thread.message.delta') {
    return as(
      'pieces',
      textOf(json.id) ?? '',
      below(['delta', 'content'], eachRecord(recordOf(json.delta).content, value)),
    );
  }
  return json.object === 'thread.message'
    ? as(event ?? 'message', textOf(json.id) ?? '', below(['content'], eachRecord(json.content, value)))
    : [];
}

function anthropicSites({ json }: StreamEvent): Site[] {
  if (json.type === 'content_block_start' && valueAt(json, ['content_block', 'type']) === 'text') {
    return as('pieces', indexOf(json.index), siteAt(json, 'content_block', 'text'));
  }
  return json.type === 'content_block_delta' ? as('pieces', indexOf(json.index), siteAt(json, 'delta', 'text')) : [];
}

/** Only the first candidate is the answer. */
function geminiReader(): FrameReader {
  let first: Json | undefined;
  return ({ json }) =>
    listOf(json.candidates).flatMap((candidate, at) => {
      if (!isRecord(candidate)) return [];
      const index = candidate.index ?? 0;
      first ??= index;
      return index === first ? as('pieces', 0, below(['candidates', at], candidateSites(candidate))) : [];
    });
}

function interactionSites({ json }: StreamEvent, frame: number): Site[] {
  const { delta, interaction } = json;
  const begun = ['step', 'content'].flatMap((key) => {
    const step = json[key];
    return isRecord(step) ? below([key], stepSites(step)) : [];
  });
  const isText = recordOf(delta).type === 'text' || recordOf(delta).type === undefined;
  return [
    ...as('pieces', indexOf(json.index), [...begun, ...(isText ? siteAt(json, 'delta', 'text') : [])]),
    ...(isRecord(interaction)
      ? as(`interaction ${frame}`, 0, below(['interaction'], WHOLE_TEXT_SITES['gemini-interactions'](interaction)))
      : []),
  ];
}

/** An event is named by its frame or, stored apart, by its one member. */
function converseSites({ json }: StreamEvent): Site[] {
  const path = isRecord(json.contentBlockDelta) ? ['contentBlockDelta'] : [];
  const payload = recordOf(valueAt(json, path));
  return as('pieces', indexOf(payload.contentBlockIndex), below(path, siteAt(payload, 'delta', 'text')));
}

function cohereSites({ json }: StreamEvent): Site[] {
  if (json.event_type === 'text-generation') return as('pieces', 0, siteAt(json, 'text'));
  if (json.event_type === 'stream-end') return as('end', 0, siteAt(json, 'response', 'text'));
  return as('pieces', indexOf(json.index), siteAt(json, 'delta', 'message', 'content', 'text'));
}

/** Hugging Face repeats the whole text beside the last token. Replicate streams the text itself. */
function generationReader(events: readonly StreamEvent[]): FrameReader {
  const answer = lowestIndex(events, generatedChoices);
  return ({ event, data, json }, frame) => {
    if (event === 'output') return as('pieces', 0, [{ path: [], text: data }]);
    const [choice] = generatedChoices(json);
    if (choice !== undefined && indexOf(choice.index) !== answer) return [];
    const whole = isRecord(json.token) ? as(`whole ${frame}`, 0, siteAt(json, 'generated_text')) : [];
    return [...as('pieces', 0, generatedSites(json)), ...whole];
  };
}
