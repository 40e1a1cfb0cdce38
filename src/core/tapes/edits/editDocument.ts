import { jsonChanges, type NodeWriter } from '../../json/jsonChanges';
import { type JsonNode, jsonValue, readJson } from '../../json/jsonDocument';
import { nodeAt } from '../../json/jsonPath';
import { printLike } from '../../json/printLike';
import type { Span } from '../../text/source';
import type { Splice } from '../../text/splice';
import type { ValueChange } from '../../wire/answerChange';
import { compactJson } from '../../wire/compactJson';
import { waysToChange } from '../../wire/valueChanges';
import { jsonStrings } from '../formats/storedBody';
import { readTextDocument } from '../formats/textDocument';
import { keepLineEnd } from '../formats/yamlHttp';
import { yamlStrings } from '../formats/yamlStrings';
import type { Interaction } from '../tape';
import type { TapeFile } from '../tapeFile';

/** The ways in which a value of an interaction could be changed in the tree of its file, the most likely first. */
export function waysInDocument(file: TapeFile, interaction: Interaction, change: ValueChange): Splice[][] {
  const place = placeOf(file, interaction.source);
  if (place === undefined || interaction.response === undefined) return [];
  const { node, writer, by } = place;
  return waysToChange([jsonValue(node)], interaction.response, change).map((changes) =>
    changes.flatMap(({ path, value }) => {
      const changed = nodeAt(node, path);
      return changed === undefined
        ? []
        : [...jsonChanges(changed, value, writer)].map((splice) => keepLineEnd(file.text, moved(splice, by)));
    }),
  );
}

interface Place {
  readonly node: JsonNode;
  readonly writer: NodeWriter;
  /** Where the text begins that the node knows its place in. */
  readonly by: number;
}

function placeOf(file: TapeFile, source: Span): Place | undefined {
  const text = file.text.slice(source.start, source.end);
  if (text.startsWith('{')) {
    const { value: node, problems } = readJson(text);
    const string = jsonStrings({ text, encoding: file.encoding });
    const value = (replaced: JsonNode, next: Parameters<typeof printLike>[0]): string =>
      printLike(next, text.slice(replaced.start, replaced.end));
    return node === undefined || problems.length > 0
      ? undefined
      : { node, writer: { string, value }, by: source.start };
  }
  const { syntax, roots } = readTextDocument(file.text);
  const node = syntax === 'yaml' ? nodeWith(roots, source) : undefined;
  const string = yamlStrings(file.text, { step: 2, binaryColumns: 76 });
  return node && { node, writer: { string, value: (_, next) => compactJson(next) }, by: 0 };
}

/** The node that stands exactly here. */
function nodeWith(nodes: readonly JsonNode[], source: Span): JsonNode | undefined {
  for (const node of nodes) {
    if (node.start === source.start && node.end === source.end) return node;
    if (node.start > source.start || node.end < source.end) continue;
    const inner =
      node.type === 'array' ? node.items : node.type === 'object' ? node.members.map(({ value }) => value) : [];
    const found = nodeWith(inner, source);
    if (found !== undefined) return found;
  }
  return undefined;
}

function moved({ start, end, text }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, text };
}
