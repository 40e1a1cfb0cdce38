import { join } from 'node:path';
import { t } from '../../core/text/l10n';
import { readLfsPointer, writeLfsPointer } from '../../core/verify/lfsPointer';
import { UserError } from '../errors/userError';
import { fileStatus, realPath } from '../files/fileStatus';
import { isInside } from '../files/projectPaths';
import { writeOutput } from '../files/writeFile';
import { lfsDigest, lfsPlace } from './lfs';
import type { SafeGit } from './safeGit';

/** The content that one file is to have in git's index. Paths are from the top of the repository, with `/`. */
export interface IndexChange {
  readonly path: string;
  /** Reads the content, which may be large; absent if the file is to be removed. */
  readonly read?: () => Promise<Uint8Array>;
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

/** Git's index. What goes into it is what `git add` would put there, but no filter is run for it. */
export class StagingArea {
  constructor(
    private readonly git: SafeGit,
    /** Git's own folder, of the main working tree. */
    private readonly gitFolder: string,
  ) {}

  /**
   * Puts files into the index, all of them or none: git writes it once, aside, and renames it. All other entries stay. Line
   * ends are converted as the repository wants. Gives the paths whose entry has changed. Rejects with a `UserError` during
   * a merge, and for a file that goes through a filter.
   */
  async put(changes: readonly IndexChange[]): Promise<readonly string[]> {
    const paths = changes.map(({ path }) => path);
    await this.requireNoMerge(paths);
    const entries = await this.#entries(paths);
    const entryChanges = await sequentially(changes, async (change): Promise<EntryChange> => {
      const from = entries.get(change.path);
      return { path: change.path, from, to: await this.#entryFor(change, from) };
    });
    return this.#write(entryChanges);
  }

  /**
   * Unstages a file, if the index has exactly this content: its entry becomes that of the last commit. Anything else that was
   * staged of it stays.
   */
  async takeOut({ path, read }: IndexChange): Promise<void> {
    const from = (await this.#entries([path])).get(path);
    const to = await this.#committedEntry(path);
    if (from?.id === to?.id) return;
    const id = read && (await this.#blobFor(path, await read(), from));
    if (from?.id === id) await this.#write([{ path, from, to }]);
  }

  /** Rejects during a merge: there is no single last commit to compare with, and staging would resolve a conflict. */
  async requireNoMerge(paths: readonly string[]): Promise<void> {
    const merging = await this.git.line(['rev-parse', '--quiet', '--verify', 'MERGE_HEAD']).catch(() => undefined);
    const unmerged = await this.#list(['ls-files', '--unmerged', '-z'], paths);
    const [conflict] = unmerged.map((entry) => entry.slice(entry.indexOf('\t') + 1));
    if (conflict !== undefined)
      throw new UserError(
        () => t('{0} has merge conflicts', conflict),
        () => t('Resolve them with git first, then decide.'),
      );
    if (merging !== undefined)
      throw new UserError(
        () => t('a merge is in progress'),
        () => t('Finish it first: git merge --continue, or git merge --abort'),
      );
  }

  /** Rejects for a file whose content another program would change on its way into the index, other than git-lfs. */
  async requireNoFilter(path: string): Promise<void> {
    const filter = await this.#filterOf(path);
    if (filter !== undefined && filter !== 'lfs') throw filterError(path, filter);
  }

  async #entries(paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry>> {
    const listed = await this.#list(['ls-files', '--stage', '-z'], paths);
    return new Map(
      listed.map((line) => {
        const [mode = '', id = ''] = line.split(' ');
        return [line.slice(line.indexOf('\t') + 1), { mode, id }] as const;
      }),
    );
  }

  async #committedEntry(path: string): Promise<IndexEntry | undefined> {
    // Before the first commit there is no HEAD.
    const [line] = await this.#list(['ls-tree', '-z', '--full-tree', 'HEAD'], [path]).catch(() => []);
    const [mode = '', , id = ''] = line?.split(/[ \t]/) ?? [];
    return line === undefined ? undefined : { mode, id };
  }

  /** The NUL-separated lines that git prints about some paths. */
  async #list(args: readonly string[], paths: readonly string[]): Promise<readonly string[]> {
    const groups = Array.from({ length: Math.ceil(paths.length / PATHS_AT_ONCE) }, (_, index) =>
      paths.slice(index * PATHS_AT_ONCE, (index + 1) * PATHS_AT_ONCE),
    );
    const printed = await sequentially(groups, (some) => this.git.run([...args, '--', ...some]));
    return printed.flatMap((bytes) => bytes.toString('utf8').split('\0')).filter((line) => line !== '');
  }

  async #entryFor({ path, read }: IndexChange, known: IndexEntry | undefined): Promise<IndexEntry | undefined> {
    if (read === undefined) return undefined;
    const status = await fileStatus(join(this.git.top, path), { followLinks: false });
    if (status?.isLink || (known !== undefined && known.mode !== FILE && known.mode !== PROGRAM))
      throw new UserError(
        () => t('{0} is a link, not a file', path),
        () => t('Stage it yourself: git add'),
      );
    const mode = known?.mode ?? (status?.isExecutable ? PROGRAM : FILE);
    return { mode, id: await this.#blobFor(path, await read(), known) };
  }

  /** Writes an object with the content that git has of a file with these bytes. */
  async #blobFor(path: string, bytes: Uint8Array, known: IndexEntry | undefined): Promise<string> {
    const filter = await this.#filterOf(path);
    if (filter !== undefined && filter !== 'lfs') throw filterError(path, filter);
    const isKept = filter === 'lfs' || (known !== undefined && (await this.#isPointer(known)));
    const content = isKept ? await this.#pointerFor(path, bytes) : bytes;
    return this.git.line(['hash-object', '-w', '--stdin', `--path=${path}`], { input: content });
  }

  async #isPointer({ id }: IndexEntry): Promise<boolean> {
    const size = await this.git.line(['cat-file', '-s', id]).catch(() => '');
    if (!(Number(size) < 1024)) return false;
    return readLfsPointer(await this.git.run(['cat-file', 'blob', id])) !== undefined;
  }

  /** What git-lfs does with a file that is added. */
  async #pointerFor(path: string, bytes: Uint8Array): Promise<Uint8Array> {
    if (bytes.length === 0 || readLfsPointer(bytes) !== undefined) return bytes;
    const oid = lfsDigest(bytes);
    const place = lfsPlace(this.gitFolder, oid);
    const folder = await realPath(join(this.gitFolder, 'lfs'));
    if (this.git.configured.has('lfs.storage') || (folder !== undefined && !isInside(this.gitFolder, folder)))
      throw new UserError(
        () => t('{0} is kept by Git LFS in another folder', path),
        () => t('Stage it yourself: git add'),
      );
    if ((await fileStatus(place)) === undefined) await writeOutput(place, bytes);
    return Buffer.from(writeLfsPointer(oid, bytes.length));
  }

  /** The filter that a file goes through, if it is configured: git ignores others. */
  async #filterOf(path: string): Promise<string | undefined> {
    const printed = await this.git.run(['check-attr', '-z', '--stdin', 'filter'], { input: `${path}\0` });
    const [, , value = ''] = printed.toString('utf8').split('\0');
    return this.git.filters.has(value) ? value : undefined;
  }

  /** `git update-index --index-info` takes `mode id TAB path`; the mode 0 removes. See git-update-index(1). */
  async #write(changes: readonly EntryChange[]): Promise<readonly string[]> {
    const differing = changes.filter(({ from, to }) => from?.id !== to?.id);
    const lines = differing.map(({ path, from, to }) => `${to?.mode ?? 0} ${to?.id ?? from?.id}\t${path}\0`);
    if (lines.length > 0) await this.git.run(['update-index', '-z', '--index-info'], { input: lines.join('') });
    return differing.map(({ path }) => path);
  }
}

function filterError(path: string, filter: string): UserError {
  return new UserError(
    () => t('{0} goes through the filter {1} of git, which Tapedeck does not run', path, filter),
    () => t('Stage it, or restore it, yourself: git add, git restore'),
  );
}

/** An entry before and after a change; undefined if there is none. */
interface EntryChange {
  readonly path: string;
  readonly from: IndexEntry | undefined;
  readonly to: IndexEntry | undefined;
}

async function sequentially<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
