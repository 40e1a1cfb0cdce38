import { type JsonNode, type JsonObjectNode, type JsonStringNode, jsonValue, member } from '../../json/jsonDocument';
import { type JsonPath, nodeAt } from '../../json/jsonPath';
import { writeJsonString } from '../../json/jsonScalar';
import type { Splice } from '../../text/splice';
import { changesInJson } from '../../wire/changeText';
import type { WireApi } from '../../wire/wireApi';

/** Where a parsed answer of a model may have its text, most particular first. */
const PLACES: readonly JsonPath[] = [
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

/** What changes in an answer stored as JSON when its text does; undefined where no one place in it tells the text. */
export function answerSplices(source: string, answer: JsonNode, change: AnswerChange): readonly Splice[] | undefined {
  const { api, content, text } = change;
  const known =
    api === undefined || answer.type === 'string' ? [] : changesInJson(jsonValue(answer), { api, content, text });
  const nodes = known.map(({ path, value }) => ({ node: nodeAt(answer, path), value: String(value) }));
  const places = nodes.length > 0 ? nodes : [{ node: answerText(answer), value: text }];
  const splices = places.flatMap(({ node, value }) =>
    node?.type === 'string'
      ? [{ start: node.start, end: node.end, text: writeJsonString(value, source.slice(node.start, node.end)) }]
      : [],
  );
  return splices.length === places.length ? splices : undefined;
}

export interface AnswerChange {
  /** The protocol of the answer, where it is known. */
  readonly api: WireApi | undefined;
  readonly content: string;
  readonly text: string;
}

/** The one string that is the text of an answer stored as JSON; undefined where there is none, or more than one. */
export function answerText(answer: JsonNode | undefined): JsonStringNode | undefined {
  if (answer?.type === 'string') return answer;
  for (const place of PLACES) {
    const found = nodeAt(answer, place);
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
