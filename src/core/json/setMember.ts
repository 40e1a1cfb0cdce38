import type { Splice } from '../text/splice';
import { type JsonObjectNode, member } from './jsonDocument';

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
