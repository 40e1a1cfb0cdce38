import { type JsonNode, type JsonObjectNode, type JsonStringNode, member } from '../../json/jsonDocument';
import { nodeAt } from '../../json/setMember';

/** Where a parsed answer of a model may have its text, most particular first. */
const PLACES: readonly (readonly (string | number)[])[] = [
  ['choices', 0, 'message', 'content'],
  ['choices', 0, 'text'],
  ['message', 'content'],
  ['content'],
  ['output_text'],
  ['output'],
  ['response'],
  ['text'],
  ['answer'],
  ['result'],
];

/** The one string that is the text of an answer stored as JSON; undefined where there is none, or more than one. */
export function answerText(answer: JsonNode | undefined): JsonStringNode | undefined {
  if (answer?.type === 'string') return answer;
  for (const place of PLACES) {
    const found = nodeAt(answer, ...place);
    if (found?.type === 'string') return found;
    if (found?.type === 'array') return onlyTextPart(found.items);
  }
  return undefined;
}

function onlyTextPart(parts: readonly JsonNode[]): JsonStringNode | undefined {
  const texts = parts.filter((part): part is JsonObjectNode => member(part, 'text')?.type === 'string');
  const text = texts.length === 1 ? member(texts[0], 'text') : undefined;
  return text?.type === 'string' ? text : undefined;
}
