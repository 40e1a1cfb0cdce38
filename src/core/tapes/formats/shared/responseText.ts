import { stringifyStringLike } from '../../../json/editJson';
import type { JsonNode, JsonObjectNode, JsonStringNode } from '../../../json/jsonNode';
import { type JsonPath, nodeAt } from '../../../json/jsonPath';
import { jsonValue, member } from '../../../json/readJson';
import type { ProtocolId } from '../../../model/interaction';
import type { Splice } from '../../../text/splice';
import { textEditsInJson } from '../../../wire/edit/textEdits';

/** The places of the text in a parsed response of a model, most specific first. */
const TEXT_PATHS: readonly JsonPath[] = [
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

/** The changes of a response stored as JSON for a new text; undefined if the text is not stored in a single place. */
export function responseTextSplices(
  source: string,
  response: JsonNode,
  change: ResponseTextChange,
): readonly Splice[] | undefined {
  const { api, content, text } = change;
  const known =
    api === undefined || response.type === 'string' ? [] : textEditsInJson(jsonValue(response), { api, content, text });
  const nodes = known.map(({ path, value }) => ({ node: nodeAt(response, path), value: String(value) }));
  const places = nodes.length > 0 ? nodes : [{ node: responseTextNode(response), value: text }];
  const splices = places.flatMap(({ node, value }) =>
    node?.type === 'string'
      ? [{ start: node.start, end: node.end, text: stringifyStringLike(value, source.slice(node.start, node.end)) }]
      : [],
  );
  return splices.length === places.length ? splices : undefined;
}

interface ResponseTextChange {
  /** The protocol of the response, if known. */
  readonly api: ProtocolId | undefined;
  readonly content: string;
  readonly text: string;
}

/** The only string that is the text of a response stored as JSON; undefined if there is none, or more than one. */
export function responseTextNode(response: JsonNode | undefined): JsonStringNode | undefined {
  if (response?.type === 'string') return response;
  for (const place of TEXT_PATHS) {
    const found = nodeAt(response, place);
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
