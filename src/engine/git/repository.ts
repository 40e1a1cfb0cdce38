import { dirname, join, resolve } from 'node:path';
import type { FileCommit } from '../../contracts/engine/comparisons';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fileStatus, isSameFile, pathExists, realPath } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { type ChangedFiles, changedContents } from './changedContents';
import { type ChangedEntry, changedEntries, commitOf, endsOf, submodulesIn } from './changedEntries';
import { objectSizes, readObjects } from './objects';
import type { RevisionSpan, SinceRevision } from './revision';
import { SafeGit } from './safeGit';
import { type IndexChange, StagingArea } from './staging';
import type { WantedFiles } from './wantedFiles';

/**
 * The git repository of a project. Whatever it is asked for, nothing of the repository runs: see `SafeGit`. Repositories
 * that lie in it are folders like others, and those without a working tree are none.
 */
export class Repository {
  readonly #git: SafeGit;
  readonly #gitFolder: string;
  readonly #index: StagingArea;

  private constructor(git: SafeGit, gitFolder: string) {
    this.#git = git;
    this.#gitFolder = gitFolder;
    this.#index = new StagingArea(git, gitFolder);
  }

  /** The repository that a folder is in; undefined when it is in none. Rejects with a `UserError` when git refuses to read it. */
  static async of(folder: string): Promise<Repository | undefined> {
    const top = nearestWithGit((await realPath(folder)) ?? folder);
    if (top === undefined) return undefined;
    const git = await SafeGit.in(top);
    const places = await git.line([
      'rev-parse',
      '--path-format=absolute',
      '--show-toplevel',
      '--absolute-git-dir',
      '--git-common-dir',
    ]);
    const [shown = '', gitFolder = '', common = ''] = places.split('\n');
    const dotGit = await fileStatus(join(top, '.git'));
    const isOwn = dotGit?.isFolder !== true || (await isSameFile(join(top, '.git'), gitFolder));
    if (isOwn && (await isSameFile(top, shown))) return new Repository(git, (await realPath(common)) ?? common);
    throw new UserError(
      () => t('{0} belongs to another working tree: {1}', join(top, '.git'), shown),
      () => t('Remove core.worktree from its configuration, or open that folder.'),
    );
  }

  /** Like `of`. Rejects with a `UserError` when there is none. */
  static async require(folder: string): Promise<Repository> {
    const repository = await Repository.of(folder);
    if (repository !== undefined) return repository;
    throw new UserError(
      () => t('{0} is not in a git repository', folder),
      () => t('Create one with git init, and commit your files.'),
    );
  }

  /** The top folder of the working tree, without links. */
  get top(): string {
    return this.#git.top;
  }

  /** When HEAD last moved, as with a commit or checkout, in milliseconds since 1970; undefined if git keeps no log of it. */
  async headMovedAt(): Promise<number | undefined> {
    const log = await this.#git.line(['rev-parse', '--path-format=absolute', '--git-path', 'logs/HEAD']);
    return (await fileStatus(log))?.modifiedMs;
  }

  /** Sets a setting of this clone alone. */
  async set(name: string, value: string): Promise<void> {
    await this.#git.run(['config', '--local', name, value]);
  }

  /** The path of a project's file from the top. Either may be named through a symbolic link. */
  async pathOf(root: string, path: string): Promise<string> {
    return fromRoot(this.top, join((await realPath(root)) ?? root, path));
  }

  /**
   * The wanted files that differ between two states, with both sides; those of Git LFS where they have been fetched. Rejects
   * with a `UserError` that names the file when a side cannot be read, or the folder that git cannot open.
   */
  async changes(span: RevisionSpan, wanted: WantedFiles): Promise<ChangedFiles> {
    return this.contentsOf(await this.changedEntries(span, wanted));
  }

  /** The wanted files that differ between two states, without their contents: see `changedEntries`. */
  changedEntries(span: RevisionSpan, wanted: WantedFiles): Promise<readonly ChangedEntry[]> {
    return changedEntries(this.#git, span, wanted);
  }

  /** The submodules whose commit differs between two states: see `submodulesIn`. */
  submodules(span: RevisionSpan): Promise<readonly string[]> {
    return submodulesIn(this.#git, span);
  }

  /** The contents of changed files: see `changedContents`. */
  contentsOf(entries: readonly ChangedEntry[]): Promise<ChangedFiles> {
    return changedContents(this.#git, this.#gitFolder, entries);
  }

  /** A file at the beginning of a span, by its path from the top; undefined if it did not exist. */
  async fileBefore({ revision }: SinceRevision, path: string): Promise<Uint8Array | undefined> {
    const [start] = await endsOf(this.#git, revision);
    return fileIn(this.#git, start, path);
  }

  /** A file as it was in a commit: see `fileAt`. */
  fileAt(revision: string, path: string): Promise<Buffer> {
    return fileAt(this.#git, revision, path);
  }

  /** The commits that changed a file: see `commitsOf`. */
  commitsOf(path: string, limit: number): Promise<readonly FileCommit[]> {
    return commitsOf(this.#git, path, limit);
  }

  /**
   * What git tracks at this path, or below it, from the top. Letters of either case are one, as on some file systems, so a
   * path of another case is listed as well.
   */
  async trackedUnder(path: string): Promise<readonly string[]> {
    const pattern = path.replace(/[\\*?[]/g, '\\$&');
    const environment = { GIT_LITERAL_PATHSPECS: '0' };
    const listed = await this.#git.run(['ls-files', '-z', '--', `:(icase)${pattern}`], { environment });
    return listed
      .toString('utf8')
      .split('\0')
      .filter((tracked) => tracked !== '');
  }

  /** The folders that belong to the repository alone, without links: its working tree, and git's own. */
  get ownFolders(): readonly string[] {
    return [this.top, this.#gitFolder];
  }

  /** Where git looks for hooks, and whether that is a folder that other repositories have as well. */
  async hooksFolder(): Promise<{ readonly path: string; readonly isShared: boolean }> {
    const own = await this.#configured('--local', 'core.hooksPath');
    if (own !== undefined) return { path: resolve(this.top, own), isShared: false };
    const common = await this.#configured('--global', 'core.hooksPath');
    if (common !== undefined) return { path: resolve(this.top, common), isShared: true };
    return { path: join(this.#gitFolder, 'hooks'), isShared: false };
  }

  /** The setting of one of git's files; undefined if it has none. Paths of the user's home are written out. */
  async #configured(file: '--local' | '--global', name: string): Promise<string | undefined> {
    const found = await this.#git.line(['config', file, '--default', '', '--type', 'path', '--get', name]);
    return found === '' ? undefined : found;
  }

  /** Puts files into git's index: see `StagingArea.put`. */
  stage(changes: readonly IndexChange[]): Promise<readonly string[]> {
    return this.#index.put(changes);
  }

  /** Takes a file out of git's index: see `StagingArea.takeOut`. */
  unstage(change: IndexChange): Promise<void> {
    return this.#index.takeOut(change);
  }

  /** Rejects with a `UserError` if a file could not be unstaged. */
  async requireStageable(path: string): Promise<void> {
    await this.#index.requireNoMerge([path]);
    await this.#index.requireNoFilter(path);
  }
}

/** The nearest folder with a `.git`. Other folders are never a repository, whatever is in them. */
export function nearestWithGit(folder: string): string | undefined {
  if (pathExists(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestWithGit(parent);
}

/** The commits that changed a file, the latest first. `path` is from the top. None if nothing was committed. */
async function commitsOf(git: SafeGit, path: string, limit: number): Promise<readonly FileCommit[]> {
  const head = await commitOf(git, 'HEAD').catch(() => undefined);
  if (head === undefined) return [];
  // Unlike `log`, it reads no setting by which a program would check signatures.
  const listed = await git.line(['rev-list', `--max-count=${limit}`, '--format=%cI%x09%s', head, '--', path]);
  return [...listed.matchAll(/^commit ([0-9a-f]+)\n(\S+)\t(.*)$/gm)].map(
    ([, revision = '', at = '', subject = '']) => ({
      revision,
      time: Date.parse(at),
      subject,
    }),
  );
}

/** A file as it was in a commit, by its path from the top. Rejects with a `UserError` if it was not there. */
async function fileAt(git: SafeGit, revision: string, path: string): Promise<Buffer> {
  const content = await fileIn(git, await commitOf(git, revision), path);
  if (content !== undefined) return content;
  throw new UserError(
    () => t('{0} is not in {1}', path, revision),
    () => t('Choose a commit that has it.'),
  );
}

/** A file of a tree; undefined if there is none, and for links and folders. */
async function fileIn(git: SafeGit, tree: string, path: string): Promise<Buffer | undefined> {
  const listed = await git.line(['ls-tree', '-z', '--full-tree', tree, '--', path]);
  const [, type, id = ''] = listed.split(/[ \t]/);
  if (type !== 'blob') return undefined;
  const objects = [{ path, id }];
  return (await readObjects(git, objects, await objectSizes(git, objects))).get(id);
}
