/** Names that begin alike, and the others. */
interface NameGroups<T> {
  readonly groups: readonly NameGroup<T>[];
  readonly rest: readonly T[];
}

interface NameGroup<T> {
  /** Ends where a word of the names does, as in `test_openai_chat_`. */
  readonly prefix: string;
  readonly members: readonly T[];
}

/** A group is worth a row of its own if it has this many names, and if this much of them would be read again and again. */
const MIN_MEMBERS = 4;
const MIN_PREFIX = 12;
const WORD_END = /[._\-\s([{]+/g;

/**
 * Groups names by the beginnings that they share, the longest possible: of hundreds of recordings of one test suite, a narrow
 * list shows only what is the same. `from` is how many characters of each name are not looked at.
 */
export function groupNames<T>(items: readonly T[], nameOf: (item: T) => string, from = 0): NameGroups<T> {
  if (items.length < MIN_MEMBERS) return { groups: [], rest: items };
  const prefix = sharedPrefix(items.map(nameOf));
  if (prefix.length - from >= MIN_PREFIX) return { groups: [{ prefix, members: items }], rest: [] };
  const byHead = new Map<string, T[]>();
  for (const item of items) {
    const head = headOf(nameOf(item), prefix.length);
    const members = byHead.get(head);
    if (members === undefined) byHead.set(head, [item]);
    else members.push(item);
  }
  // Names without a further word, and names that nothing distinguishes.
  if (byHead.size <= 1) return { groups: [], rest: items };
  const found = [...byHead.values()].map((members) => groupNames(members, nameOf, from));
  return { groups: found.flatMap(({ groups }) => groups), rest: found.flatMap(({ rest }) => rest) };
}

/** What all of the names begin with, up to the end of a word. */
function sharedPrefix([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const name of others) {
    let same = 0;
    while (same < length && first[same] === name[same]) same += 1;
    length = same;
  }
  let end = 0;
  for (let next = wordEnd(first, 0); next !== undefined && next <= length; next = wordEnd(first, next)) end = next;
  return first.slice(0, end);
}

/** The beginning of a name up to the end of the first word after `from`; the whole name where that is its last. */
function headOf(name: string, from: number): string {
  return name.slice(0, wordEnd(name, from));
}

/** Where the next word after `from` begins; undefined if that is the last. */
function wordEnd(name: string, from: number): number | undefined {
  WORD_END.lastIndex = from;
  return WORD_END.test(name) ? WORD_END.lastIndex : undefined;
}
