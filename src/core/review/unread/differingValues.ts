import { isSameBase64 } from '../../bytes/base64';
import { commonEnds } from '../../diff/commonOrder';
import { jsonEqual } from '../../json/json';
import type { JsonMember, JsonNode, JsonStringNode } from '../../json/jsonNode';
import { jsonValue } from '../../json/readJson';
import type { FileValue } from './fileValues';

/** A value that is another one in the later file; a side without it is absent. */
export interface DifferingValue {
  readonly before?: FileValue;
  readonly after?: FileValue;
}

/**
 * The innermost values in which two files differ. What only the layout shows is no difference: white space, the order of
 * members, quotes, comments. Of members with the same name, each counts, because readers differ in which they take.
 */
export function differingValues(before: readonly FileValue[], after: readonly FileValue[]): readonly DifferingValue[] {
  const { start, end } = commonEnds(before.length, after.length, (old, now) => isSameValue(before[old], after[now]));
  return pairwise(before.slice(start, before.length - end), after.slice(start, after.length - end));
}

function differencesIn(before: FileValue | undefined, after: FileValue | undefined): readonly DifferingValue[] {
  if (before === undefined || after === undefined) return [{ before, after }];
  const [old, now] = [before.node, after.node];
  if (old.type === 'array' && now.type === 'array') return differingValues(itemsOf(before), itemsOf(after));
  if (old.type === 'object' && now.type === 'object') {
    const [olds, news] = [membersByName(before, old.members), membersByName(after, now.members)];
    return [...new Set([...olds.keys(), ...news.keys()])].flatMap((name) =>
      pairwise(olds.get(name) ?? [], news.get(name) ?? []),
    );
  }
  return isSameNode(old, now) ? [] : [{ before, after }];
}

function pairwise(before: readonly FileValue[], after: readonly FileValue[]): readonly DifferingValue[] {
  const count = Math.max(before.length, after.length);
  return Array.from({ length: count }, (_, at) => differencesIn(before[at], after[at])).flat();
}

function itemsOf({ node, offset, path }: FileValue): readonly FileValue[] {
  return node.type === 'array' ? node.items.map((item, at) => ({ node: item, offset, path: [...path, at] })) : [];
}

function membersByName(
  { offset, path }: FileValue,
  members: readonly JsonMember[],
): ReadonlyMap<string, readonly FileValue[]> {
  const named = new Map<string, FileValue[]>();
  for (const { key, value } of members) {
    const others = named.get(key) ?? [];
    others.push({ node: value, offset, path: [...path, key] });
    named.set(key, others);
  }
  return named;
}

function isSameValue(before: FileValue | undefined, after: FileValue | undefined): boolean {
  return before !== undefined && after !== undefined && isSameNode(before.node, after.node);
}

function isSameNode(before: JsonNode, after: JsonNode): boolean {
  if (before.type === 'array')
    return (
      after.type === 'array' &&
      before.items.length === after.items.length &&
      before.items.every((item, at) => isSameItem(item, after.items[at]))
    );
  if (before.type === 'object') return after.type === 'object' && hasSameMembers(before.members, after.members);
  if (before.type === 'string')
    return after.type === 'string' && before.binary === after.binary && isSameText(before, after);
  return before.type === after.type && jsonEqual(jsonValue(before), jsonValue(after));
}

function isSameText(before: JsonStringNode, after: JsonStringNode): boolean {
  return before.value === after.value || (before.binary === true && isSameBase64(before.value, after.value));
}

function isSameItem(before: JsonNode, after: JsonNode | undefined): boolean {
  return after !== undefined && isSameNode(before, after);
}

function hasSameMembers(before: readonly JsonMember[], after: readonly JsonMember[]): boolean {
  if (before.length !== after.length) return false;
  const inOrder = before.every(({ key }, at) => key === after[at]?.key);
  if (inOrder) return before.every(({ value }, at) => isSameItem(value, after[at]?.value));
  const left = [...after];
  return before.every(({ key, value }) => {
    const at = left.findIndex((other) => other.key === key);
    const [other] = at === -1 ? [] : left.splice(at, 1);
    return isSameItem(value, other?.value);
  });
}
