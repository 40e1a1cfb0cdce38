import { join } from 'node:path';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { git } from './git';

/** The content that one file is to have in git's index. Paths are from the top of the repository, with `/`. */
export interface IndexChange {
  readonly path: string;
  /** Absent where the file is to be removed. */
  readonly bytes?: Uint8Array;
}

interface IndexEntry {
  /** As git writes it, such as `100644`. */
  readonly mode: string;
  readonly id: string;
}

const FILE = '100644';
const PROGRAM = '100755';
/** Command lines have their limits, on Windows 32 KB. */
const PATHS_AT_ONCE = 100;

/**
 * Puts files into git's index, all of them or none: git writes the index once, aside, and renames it. All other entries
 * stay. The repository's filters may change the bytes, such as their line ends, as in `git add`. Gives the paths whose
 * entry has changed. Rejects with a `UserError` during a merge.
 */
export async function putIntoIndex(repository: string, changes: readonly IndexChange[]): Promise<readonly string[]> {
  const paths = changes.map(({ path }) => path);
  await requireNoMerge(repository, paths);
  const entries = await indexEntries(repository, paths);
  const entryChanges = await sequentially(changes, async (change): Promise<EntryChange> => {
    const from = entries.get(change.path);
    return { path: change.path, from, to: await entryFor(repository, change, from) };
  });
  return writeEntries(repository, entryChanges);
}

/**
 * Unstages a file, if the index has exactly these bytes: its entry becomes that of the last commit. Anything else that was
 * staged of it stays.
 */
export async function takeOutOfIndex(repository: string, { path, bytes }: IndexChange): Promise<void> {
  const from = (await indexEntries(repository, [path])).get(path);
  const id = bytes && (await writeBlob(repository, path, bytes));
  if (from?.id !== id) return;
  await writeEntries(repository, [{ path, from, to: await committedEntry(repository, path) }]);
}

/** Rejects during a merge: there is no single last commit to compare with, and staging would resolve a conflict. */
export async function requireNoMerge(repository: string, paths: readonly string[] = []): Promise<void> {
  const merging = await git(repository, ['rev-parse', '--quiet', '--verify', 'MERGE_HEAD']).catch(() => undefined);
  const unmerged = await list(repository, ['ls-files', '--unmerged', '-z'], paths);
  const [conflict] = unmerged.map((entry) => entry.slice(entry.indexOf('\t') + 1));
  if (conflict !== undefined)
    throw new UserError(`${conflict} has merge conflicts`, 'Resolve them with git first, then decide.');
  if (merging !== undefined)
    throw new UserError('a merge is in progress', 'Finish it first: git merge --continue, or git merge --abort');
}

async function indexEntries(repository: string, paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry>> {
  const listed = await list(repository, ['ls-files', '--stage', '-z'], paths);
  return new Map(
    listed.map((line) => {
      const [mode = '', id = ''] = line.split(' ');
      return [line.slice(line.indexOf('\t') + 1), { mode, id }] as const;
    }),
  );
}

async function committedEntry(repository: string, path: string): Promise<IndexEntry | undefined> {
  // Before the first commit there is no HEAD.
  const [line] = await list(repository, ['ls-tree', '-z', '--full-tree', 'HEAD'], [path]).catch(() => []);
  const [mode = '', , id = ''] = line?.split(/[ \t]/) ?? [];
  return line === undefined ? undefined : { mode, id };
}

/** The NUL-separated lines that git prints about some paths. */
async function list(repository: string, args: readonly string[], paths: readonly string[]): Promise<readonly string[]> {
  const groups = Array.from({ length: Math.ceil(paths.length / PATHS_AT_ONCE) }, (_, index) =>
    paths.slice(index * PATHS_AT_ONCE, (index + 1) * PATHS_AT_ONCE),
  );
  const printed = await sequentially(groups, (some) => git(repository, [...args, '--', ...some]));
  return printed.flatMap((bytes) => bytes.toString('utf8').split('\0')).filter((line) => line !== '');
}

async function entryFor(
  repository: string,
  { path, bytes }: IndexChange,
  known: IndexEntry | undefined,
): Promise<IndexEntry | undefined> {
  if (bytes === undefined) return undefined;
  const status = await fileStatus(join(repository, path), { followLinks: false });
  if (status?.isLink || (known !== undefined && known.mode !== FILE && known.mode !== PROGRAM))
    throw new UserError(`${path} is a link, not a file`, 'Stage it yourself: git add');
  const mode = known?.mode ?? (status?.isExecutable ? PROGRAM : FILE);
  return { mode, id: await writeBlob(repository, path, bytes) };
}

async function writeBlob(repository: string, path: string, bytes: Uint8Array): Promise<string> {
  return (await git(repository, ['hash-object', '-w', '--stdin', `--path=${path}`], bytes)).toString('latin1').trim();
}

/** An entry before and after a change; undefined where there is none. */
interface EntryChange {
  readonly path: string;
  readonly from: IndexEntry | undefined;
  readonly to: IndexEntry | undefined;
}

/** `git update-index --index-info` takes `mode id TAB path`; the mode 0 removes. See git-update-index(1). */
async function writeEntries(repository: string, changes: readonly EntryChange[]): Promise<readonly string[]> {
  const differing = changes.filter(({ from, to }) => from?.id !== to?.id);
  const lines = differing.map(({ path, from, to }) => `${to?.mode ?? 0} ${to?.id ?? from?.id}\t${path}\0`);
  if (lines.length > 0) await git(repository, ['update-index', '-z', '--index-info'], lines.join(''));
  return differing.map(({ path }) => path);
}

async function sequentially<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
