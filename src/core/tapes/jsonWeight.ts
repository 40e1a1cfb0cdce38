import type { JsonNode } from '../json/jsonDocument';
import { ArrayNode, ObjectNode } from '../json/jsonNodes';

/** Of a value or name that somebody has looked at, with what was made of it. */
const VALUE_BYTES = 400;

/** The bytes of memory that the tree of a JSON text, and what is read from it, takes at most; undefined for another text. */
export function jsonWeight(root: JsonNode): number | undefined {
  return root instanceof ObjectNode || root instanceof ArrayNode ? root.size * VALUE_BYTES : undefined;
}
