import { stringifyStringLike } from '../json/editJson';
import type { JsonMember, JsonNode } from '../json/jsonNode';
import { applySplices, type Splice } from '../text/splice';
import { replaceMemberString } from '../yaml/replaceYamlScalar';
import { readTextDocument, type Syntax } from './textDocument';

/** The member of an object with this key, if its value is text. */
export function textMember(object: JsonNode | undefined, key: string): JsonMember | undefined {
  const member = object?.type === 'object' ? object.members.findLast((one) => one.key === key) : undefined;
  return member?.value.type === 'string' && !member.value.binary ? member : undefined;
}

/** An item of a list in the form of a member whose key is the item's dash. */
export function textItem(text: string, item: JsonNode | undefined): JsonMember | undefined {
  if (item?.type !== 'string' || item.binary) return undefined;
  const dash = text.lastIndexOf('-', item.start - 1);
  const start = dash !== -1 && /^-\s*$/.test(text.slice(dash, item.start)) ? dash : item.start;
  return { key: '', keySpan: { start, end: start + 1 }, value: item };
}

/**
 * Replaces a text, in its current style if that can represent the new text. Undefined if no style can: TOML, for
 * example, has no lone surrogates.
 */
export function replaceText(text: string, syntax: Syntax, member: JsonMember, value: string): Splice | undefined {
  const { start, end } = member.value;
  const quoted = { start, end, text: writeQuoted(syntax, value, text.slice(start, end)) };
  const styled =
    syntax === 'yaml' ? replaceMemberString(text, member, value, { step: 2, binaryColumns: 76 }) : undefined;
  return [styled, quoted].find((splice) => splice !== undefined && isReadBack(text, member.value, value, splice));
}

function writeQuoted(syntax: Syntax, value: string, replaced: string): string {
  if (syntax === 'json') return stringifyStringLike(value, replaced);
  if (syntax === 'toml' && replaced.startsWith("'") && /^[ -&(-~]*$/.test(value)) return `'${value}'`;
  // JSON strings are valid in YAML and TOML, except for characters that these do not allow unescaped.
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether the spliced text reads as the new value, with all other values unchanged. */
function isReadBack(text: string, node: JsonNode, value: string, splice: Splice): boolean {
  const after = readTextDocument(applySplices(text, [splice]));
  const before = readTextDocument(text);
  if (after.problems.length > before.problems.length || after.roots.length !== before.roots.length) return false;
  return before.roots.every((root, index) => isSameTree(root, after.roots[index], node.start, value));
}

/** Whether trees are equal except for the value that was at offset `edited`. */
function isSameTree(before: JsonNode, after: JsonNode | undefined, edited: number, value: string): boolean {
  if (before.type === 'string' && before.start === edited) return after?.type === 'string' && after.value === value;
  if (before.type === 'array') {
    return (
      after?.type === 'array' &&
      areSameItems(before.items, after.items, (one, other) => isSameTree(one, other, edited, value))
    );
  }
  if (before.type !== 'object') return isSameScalar(before, after);
  const isSameMember = (one: JsonMember, other: JsonMember): boolean =>
    one.key === other.key && isSameTree(one.value, other.value, edited, value);
  return after?.type === 'object' && areSameItems(before.members, after.members, isSameMember);
}

function areSameItems<T>(
  before: readonly T[],
  after: readonly T[],
  isSameItem: (one: T, other: T) => boolean,
): boolean {
  return (
    before.length === after.length &&
    before.every((item, index) => {
      const other = after[index];
      return other !== undefined && isSameItem(item, other);
    })
  );
}

function isSameScalar(before: JsonNode, after: JsonNode | undefined): boolean {
  if (before.type === 'number') return after?.type === 'number' && before.lexeme === after.lexeme;
  if (before.type !== 'string' && before.type !== 'literal') return false;
  return after?.type === before.type && before.value === after.value;
}
