import { type NodeWriter, stringifyLike, valueSplices } from '../../json/editJson';
import { compactJson } from '../../json/json';
import type { JsonNode } from '../../json/jsonNode';
import { nodeAt } from '../../json/jsonPath';
import { jsonValue, readJson } from '../../json/readJson';
import type { Interaction } from '../../model/interaction';
import { readTextDocument } from '../../syntax/textDocument';
import type { Span } from '../../text/source';
import { keepLineEnd, type Splice } from '../../text/splice';
import { candidateEdits } from '../../wire/edit/candidateEdits';
import type { ResponseValueEdit } from '../../wire/edit/responseEdit';
import { jsonStrings, yamlStrings } from '../formats/shared/storedBody';
import type { TapeFile } from '../tapeFile';

/** The candidate edits of a value of an interaction in the tree of its file, the most likely first. */
export function candidateSplices(file: TapeFile, interaction: Interaction, change: ResponseValueEdit): Splice[][] {
  const place = locateInteraction(file, interaction.source);
  if (place === undefined || interaction.response === undefined) return [];
  const { node, writer, by } = place;
  return candidateEdits([jsonValue(node)], interaction.response, change).map((changes) =>
    changes.flatMap(({ path, value }) => {
      const changed = nodeAt(node, path);
      return changed === undefined
        ? []
        : [...valueSplices(changed, value, writer)].map((splice) => keepLineEnd(file.text, shiftSplice(splice, by)));
    }),
  );
}

interface NodeLocation {
  readonly node: JsonNode;
  readonly writer: NodeWriter;
  /** The offset in the file that the node's positions count from. */
  readonly by: number;
}

function locateInteraction(file: TapeFile, source: Span): NodeLocation | undefined {
  const text = file.text.slice(source.start, source.end);
  if (text.startsWith('{')) {
    const { value: node, problems } = readJson(text);
    const string = jsonStrings({ text, encoding: file.encoding });
    const value = (replaced: JsonNode, next: Parameters<typeof stringifyLike>[0]): string =>
      stringifyLike(next, text.slice(replaced.start, replaced.end));
    return node === undefined || problems.length > 0
      ? undefined
      : { node, writer: { string, value }, by: source.start };
  }
  const { syntax, roots } = readTextDocument(file.text);
  const node = syntax === 'yaml' ? nodeAtSpan(roots, source) : undefined;
  const string = yamlStrings(file.text, { step: 2, binaryColumns: 76 });
  return node && { node, writer: { string, value: (_, next) => compactJson(next) }, by: 0 };
}

/** The node at exactly this span. */
function nodeAtSpan(nodes: readonly JsonNode[], source: Span): JsonNode | undefined {
  for (const node of nodes) {
    if (node.start === source.start && node.end === source.end) return node;
    if (node.start > source.start || node.end < source.end) continue;
    const inner =
      node.type === 'array' ? node.items : node.type === 'object' ? node.members.map(({ value }) => value) : [];
    const found = nodeAtSpan(inner, source);
    if (found !== undefined) return found;
  }
  return undefined;
}

function shiftSplice({ start, end, text }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, text };
}
