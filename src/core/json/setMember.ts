import type { Splice } from '../text/splice';
import { type JsonNode, type JsonObjectNode, member } from './jsonDocument';

/**
 * Puts a value, given as a JSON token, into a member of an object: in place of the old one, or as the first member, with
 * the white space that the first one had.
 */
export function setMember(text: string, object: JsonObjectNode, key: string, token: string): Splice {
  const old = member(object, key);
  if (old !== undefined) return { start: old.start, end: old.end, text: token };
  const name = JSON.stringify(key);
  const [first] = object.members;
  if (first === undefined) return { start: object.start + 1, end: object.end - 1, text: `${name}: ${token}` };
  const at = first.keySpan.start;
  return { start: at, end: at, text: `${name}: ${token},${text.slice(object.start + 1, at) || ' '}` };
}

/** The value at a path of names and indexes; undefined where there is none. */
export function nodeAt(node: JsonNode | undefined, ...path: readonly (string | number)[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((parent, key) => {
    if (typeof key === 'string') return member(parent, key);
    return parent?.type === 'array' ? parent.items[key] : undefined;
  }, node);
}
