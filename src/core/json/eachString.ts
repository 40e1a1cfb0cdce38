import type { JsonNode, JsonStringNode } from './jsonDocument';

/** The strings in a value, in their order; not the names of members. */
export function* eachString(node: JsonNode): Generator<JsonStringNode> {
  if (node.type === 'string') yield node;
  else if (node.type === 'array') for (const item of node.items) yield* eachString(item);
  else if (node.type === 'object') for (const { value } of node.members) yield* eachString(value);
}
