/** A file in a tree. */
export interface TreeFile<T> {
  /** From the root of the tree, with `/`. */
  readonly path: string;
  readonly item: T;
  /** Whether its name may be shortened where many files begin alike. */
  readonly isShortened: boolean;
}

/** A folder, or the files of a folder whose names begin alike. */
export interface TreeFolder<T> {
  /** From the root of the tree, with `/`; empty for the root. */
  readonly path: string;
  /** What the names of its files begin with, where they are shown without that. */
  readonly prefix: string;
  /** Its name, with those of the folders above that hold nothing else: `tests/cassettes`. */
  readonly label: string;
  readonly parent: TreeFolder<T> | undefined;
  readonly folders: readonly TreeFolder<T>[];
  readonly files: readonly TreeFile<T>[];
  /** The number of files in it and below. */
  readonly count: number;
}

/** Folders with fewer files show their names whole. */
const MANY_FILES = 12;

/** A row of several folders is this long at most, so that a narrow list shows it whole. */
const MAX_COMPACT = 24;

/** Made for the first comparison: that takes some milliseconds. */
let collator: Intl.Collator | undefined;

/** Text in the order in which the explorer lists names: `t2` before `t10`. */
export function compareNames(left: string, right: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(left, right);
}

/**
 * The tree of files by their folders, in the order of a file explorer: folders first. Where `isCompact`, a folder that holds
 * nothing but one other is one row with it, as long as that row is short.
 */
export function fileTree<T>(files: readonly TreeFile<T>[], isCompact: boolean): TreeFolder<T> {
  const root = new Growing<T>('', '');
  for (const file of files) root.of(file.path).files.push(file);
  return finish(root, root.name, undefined, isCompact);
}

/** A folder while the files are put into it. */
class Growing<T> {
  readonly folders = new Map<string, Growing<T>>();
  readonly files: TreeFile<T>[] = [];

  constructor(
    readonly path: string,
    readonly name: string,
  ) {}

  /** The folder of a file, by its path from here. */
  of(path: string): Growing<T> {
    let folder: Growing<T> = this;
    for (let start = 0, end = path.indexOf('/'); end !== -1; start = end + 1, end = path.indexOf('/', start))
      folder = folder.#below(path.slice(start, end));
    return folder;
  }

  #below(name: string): Growing<T> {
    const known = this.folders.get(name);
    if (known !== undefined) return known;
    const folder = new Growing<T>(this.path === '' ? name : `${this.path}/${name}`, name);
    this.folders.set(name, folder);
    return folder;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function finish<T>(
  growing: Growing<T>,
  label: string,
  parent: TreeFolder<T> | undefined,
  isCompact: boolean,
): TreeFolder<T> {
  const [only, ...others] = growing.folders.values();
  if (isCompact && parent !== undefined && only !== undefined && others.length === 0 && growing.files.length === 0) {
    const together = `${label}/${only.name}`;
    if (together.length <= MAX_COMPACT) return finish(only, together, parent, isCompact);
  }
  const folder: Mutable<TreeFolder<T>> = {
    path: growing.path,
    prefix: '',
    label,
    parent,
    folders: [],
    files: growing.files,
    count: 0,
  };
  const below = [...growing.folders.values()].sort((left, right) => compareNames(left.name, right.name));
  folder.folders = below.map((one) => finish(one, one.name, folder, isCompact));
  groupFiles(folder);
  folder.count = folder.files.length + folder.folders.reduce((sum, { count }) => sum + count, 0);
  return folder;
}

/** Moves files whose names begin alike below rows of their own. A folder with nothing else becomes that row. */
function groupFiles<T>(folder: Mutable<TreeFolder<T>>): void {
  const { path, prefix, files } = folder;
  const nameOf = (file: TreeFile<T>) => file.path.slice(file.path.lastIndexOf('/') + 1);
  const shortened = files.filter(({ isShortened }) => isShortened);
  if (shortened.length < MANY_FILES) return;
  const { groups, rest } = groupNames(shortened, nameOf, prefix.length);
  const [only, ...others] = groups;
  if (only === undefined) return;
  const together = `${prefix === '' ? `${folder.label}/` : folder.label}${only.prefix.slice(prefix.length)}`;
  const isAll = others.length === 0 && only.members.length === files.length && folder.folders.length === 0;
  if (isAll && folder.parent && together.length <= MAX_COMPACT) {
    folder.prefix = only.prefix;
    folder.label = together;
    groupFiles(folder);
    return;
  }
  const kept = new Set(rest);
  folder.files = files.filter((file) => !file.isShortened || kept.has(file));
  const groupFolders = groups.map((group) =>
    groupFolder(path, group.prefix, group.prefix.slice(prefix.length), folder, group.members),
  );
  folder.folders = [...folder.folders, ...groupFolders.sort((left, right) => compareNames(left.label, right.label))];
}

function groupFolder<T>(
  path: string,
  prefix: string,
  label: string,
  parent: TreeFolder<T>,
  files: readonly TreeFile<T>[],
): TreeFolder<T> {
  const folder: Mutable<TreeFolder<T>> = { path, prefix, label, parent, folders: [], files, count: files.length };
  groupFiles(folder);
  return folder;
}

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
function groupNames<T>(items: readonly T[], nameOf: (item: T) => string, from = 0): NameGroups<T> {
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
