import { isRecord, type Json, type JsonRecord } from '../json/json';
import { type JsonPath, valueAt } from '../json/jsonPath';
import { isBlank, listOf, recordOf, textOf } from './fields';
import { CHOICE_LISTS } from './generatedChoices';
import { below, contentSites, eachRecord, siteAt, type TextSite } from './textSites';
import type { WireApi } from './wireApi';

/** The strings of an answer in one piece that are its text, in their order, by the protocol. */
export const WHOLE_TEXT_SITES: Readonly<Record<WireApi, (answer: Json) => readonly TextSite[]>> = {
  'openai-chat': (answer) => {
    const index = listOf(recordOf(answer).choices).findIndex(isRecord);
    return index === -1
      ? []
      : below(
          ['choices', index, 'message'],
          chatMessageSites(recordOf(valueAt(answer, ['choices', index, 'message']))),
        );
  },
  'openai-responses': (answer) => {
    const { output } = recordOf(answer);
    return isBlank(output) ? siteAt(answer, 'output_text') : below(['output'], eachRecord(output, outputItemSites));
  },
  // Runs are answered in streams only.
  'openai-assistants': () => [],
  'anthropic-messages': (answer) => below(['content'], contentSites(recordOf(answer).content, isTextBlock)),
  gemini: (answer) => {
    const index = listOf(recordOf(answer).candidates).findIndex(isRecord);
    return index === -1
      ? []
      : below(['candidates', index], candidateSites(recordOf(valueAt(answer, ['candidates', index]))));
  },
  'gemini-interactions': (answer) => {
    const list = recordOf(answer).steps === undefined ? 'outputs' : 'steps';
    return below([list], eachRecord(recordOf(answer)[list], stepSites));
  },
  'bedrock-converse': (answer) => {
    const path = ['output', 'message', 'content'];
    return below(path, eachRecord(valueAt(answer, path), converseBlockSites));
  },
  ollama: (answer) => ollamaSites(recordOf(answer)),
  cohere: (answer) => {
    const { message } = recordOf(answer);
    return isRecord(message)
      ? below(['message', 'content'], contentSites(message.content, isTextPart))
      : siteAt(answer, 'text');
  },
  'text-generation': (answer) => generatedSites(answer),
  embeddings: () => [],
};

export function chatMessageSites(message: JsonRecord): TextSite[] {
  return [...below(['content'], contentSites(message.content, isTextPart)), ...siteAt(message, 'audio', 'transcript')];
}

/** A part of OpenAI's protocols and of those modelled on them. */
export function isTextPart({ type }: JsonRecord): boolean {
  return type === undefined || type === 'text' || type === 'input_text' || type === 'output_text';
}

function isTextBlock({ type }: JsonRecord): boolean {
  return type === 'text';
}

export function outputItemSites(item: JsonRecord): TextSite[] {
  const isMessage = item.type === undefined || item.type === 'message';
  return isMessage ? below(['content'], contentSites(item.content, isTextPart)) : [];
}

export function candidateSites({ content }: JsonRecord): TextSite[] {
  if (!isRecord(content)) return below(['content'], siteAt(content));
  return below(
    ['content', 'parts'],
    contentSites(content.parts, ({ thought }) => thought !== true),
  );
}

export function stepSites(step: JsonRecord): TextSite[] {
  const type = textOf(step.type) ?? '';
  if (/^(?:function_call|function_result|thought|user_input)$/.test(type)) return [];
  if (type === 'model_output' || 'content' in step) return below(['content'], contentSites(step.content, isTextBlock));
  return type === 'text' ? siteAt(step, 'text') : [];
}

function converseBlockSites(block: JsonRecord): TextSite[] {
  const cited = valueAt(block, ['citationsContent', 'content']);
  return typeof block.text === 'string'
    ? siteAt(block, 'text')
    : below(
        ['citationsContent', 'content'],
        eachRecord(cited, (part) => siteAt(part, 'text')),
      );
}

export function ollamaSites(answer: JsonRecord): TextSite[] {
  const inMessage = siteAt(answer, 'message', 'content');
  return inMessage.length > 0 ? inMessage : siteAt(answer, 'response');
}

const TEXTS = ['completion', 'generation', 'generated_text', 'outputText', 'value'];
const IN_ITEMS: readonly JsonPath[] = [
  ...['text', 'output', ...TEXTS, 'content'].map((name) => [name]),
  ['message', 'content'],
  ['data', 'text'],
  ['candidates', 0, 'content'],
  ['delta', 'content'],
];
/** Where `textGeneration.ts` finds the text, in its order. */
const GENERATED: readonly JsonPath[] = [
  ['token', 'text'],
  ...CHOICE_LISTS.flatMap((list) => IN_ITEMS.map((path) => [list, 0, ...path])),
  ...TEXTS.map((name) => [name]),
  ['output'],
  ['content'],
  ['result', 'response'],
];

export function generatedSites(answer: Json): TextSite[] {
  if (Array.isArray(answer)) return answer.length === 0 ? [] : below([0], generatedSites(answer[0]));
  const found = GENERATED.map((path) => siteAt(answer, ...path)).find((sites) => sites.length > 0);
  // Replicate's models give the pieces of a text.
  return (
    found ??
    below(
      ['output'],
      contentSites(recordOf(answer).output, () => false),
    )
  );
}
