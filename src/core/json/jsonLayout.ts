import type { JsonNode } from './jsonDocument';

/** How programs lay JSON out: in one line without spaces, with Python's `", "` and `": "`, or two spaces a level. */
export type JsonLayout = 'compact' | 'spaced' | 'indented';

/** The JSON text of a node in a layout. Strings and numbers stay as they are written in `text`, digit for digit. */
export function layOut(text: string, node: JsonNode, layout: JsonLayout = 'compact'): string {
  if (layout === 'indented') return indented(text, node, '\n');
  const [comma, colon] = layout === 'spaced' ? [', ', ': '] : [',', ':'];
  return inLine(text, node, comma, colon);
}

function inLine(text: string, node: JsonNode, comma: string, colon: string): string {
  if (node.type === 'array') return `[${node.items.map((item) => inLine(text, item, comma, colon)).join(comma)}]`;
  if (node.type !== 'object') return text.slice(node.start, node.end);
  const members = node.members.map(
    ({ keySpan, value }) => text.slice(keySpan.start, keySpan.end) + colon + inLine(text, value, comma, colon),
  );
  return `{${members.join(comma)}}`;
}

/** `line` begins a line of the level that the node is on. */
function indented(text: string, node: JsonNode, line: string): string {
  const inner = `${line}  `;
  if (node.type === 'array') {
    const items = node.items.map((item) => inner + indented(text, item, inner));
    return items.length === 0 ? '[]' : `[${items.join(',')}${line}]`;
  }
  if (node.type !== 'object') return text.slice(node.start, node.end);
  const members = node.members.map(
    ({ keySpan, value }) => `${inner + text.slice(keySpan.start, keySpan.end)}: ${indented(text, value, inner)}`,
  );
  return members.length === 0 ? '{}' : `{${members.join(',')}${line}}`;
}
