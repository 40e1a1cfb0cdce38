import type { JsonMember, JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import type { Span } from '../../../text/source';

/** An object with members from anywhere in the file. */
export function objectNode(
  members: Readonly<Record<string, JsonNode | undefined>>,
  { start, end }: Span,
): JsonObjectNode {
  return {
    type: 'object',
    members: Object.entries(members).flatMap(([key, value]): JsonMember[] =>
      value === undefined ? [] : [{ key, keySpan: { start, end: start }, value }],
    ),
    start,
    end,
  };
}

export function arrayNode(items: readonly JsonNode[], { start, end }: Span): JsonNode {
  return { type: 'array', items, start, end };
}

/** The same object with some members replaced by name; a member that is undefined is removed. */
export function withMembers(
  node: JsonObjectNode,
  changed: Readonly<Record<string, JsonNode | undefined>>,
): JsonObjectNode {
  const kept = node.members.filter(({ key }) => !Object.hasOwn(changed, key));
  return { ...node, members: [...kept, ...objectNode(changed, node).members] };
}
