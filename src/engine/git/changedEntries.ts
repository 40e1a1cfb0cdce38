import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import type { RevisionSpan } from './revision';
import type { SafeGit } from './safeGit';
import type { WantedFiles } from './wantedFiles';

/** A file that differs between two states of a repository. Object ids are absent on a side where there is no file. */
export interface ChangedEntry {
  /** From the top of the repository, with `/`. */
  readonly path: string;
  /** Its path on the earlier side, if it was renamed. */
  readonly from?: string;
  readonly before?: string;
  /** `worktree`: the later side is the file on disk. */
  readonly after?: string | 'worktree';
}

/**
 * The wanted files that differ. In the working tree, these include untracked ones; rejects with a `UserError` where git cannot
 * open a folder that may hold them, which it leaves out with a warning.
 */
export async function changedEntries(
  git: SafeGit,
  span: RevisionSpan,
  wanted: WantedFiles,
): Promise<readonly ChangedEntry[]> {
  const entries = span.type === 'since' ? await since(git, span.revision) : await changedFiles(git, span.type, wanted);
  return entries.filter(({ path }) => wanted.isWanted(path));
}

async function changedFiles(
  git: SafeGit,
  type: 'worktree' | 'staged',
  wanted: WantedFiles,
): Promise<readonly ChangedEntry[]> {
  const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];
  const { printed, warnings } = await git.runWarned(args);
  const isStaged = type === 'staged';
  if (!isStaged) requireOpened(warnings, wanted);
  const entries = printed
    .toString('utf8')
    .split('\0')
    .flatMap((entry) => statusEntry(entry, isStaged) ?? []);
  return onePerPath(entries);
}

/** Git reports a file twice if its deletion is staged and it exists again, untracked. It is one file, with both its sides. */
function onePerPath(entries: readonly ChangedEntry[]): readonly ChangedEntry[] {
  const byPath = new Map<string, ChangedEntry>();
  for (const entry of entries) byPath.set(entry.path, { ...byPath.get(entry.path), ...entry });
  return [...byPath.values()];
}

function requireOpened(warnings: string, wanted: WantedFiles): void {
  for (const [, folder = '', reason = ''] of warnings.matchAll(CLOSED_FOLDER))
    if (wanted.mayHoldWanted(folder))
      throw new UserError(
        () => t('{0} cannot be read: {1}', folder, reason.toLowerCase()),
        () => t('Make it readable, or leave it out with .gitignore.'),
      );
}

const CLOSED_FOLDER = /^warning: could not open directory '(.+)': (.+)$/gm;

/** A repository in the repository: git has the id of its commit, and nothing else. */
const SUBMODULE = '160000';

/** The paths of submodules whose commit differs between two states. Git enters none of them, and looks only at their HEAD. */
export async function submodulesIn(git: SafeGit, span: RevisionSpan): Promise<readonly string[]> {
  const args =
    span.type === 'since'
      ? ['diff-tree', '-r', ...(await endsOf(git, span.revision))]
      : ['diff-index', span.type === 'staged' ? '--cached' : '--ignore-submodules=dirty', 'HEAD'];
  const [command = '', option = '', ...ends] = args;
  // Before the first commit there is no HEAD.
  if (span.type !== 'since' && (await commitOf(git, 'HEAD').catch(() => undefined)) === undefined) return [];
  const raw = await git.run([command, option, '--raw', '-z', '--no-renames', '--no-abbrev', ...ends]);
  const entries = raw.toString('utf8').split('\0');
  return entries.flatMap((entry, index) => {
    const [before, after] = entry.startsWith(':') ? entry.slice(1).split(' ') : [];
    return before === SUBMODULE || after === SUBMODULE ? (entries[index + 1] ?? []) : [];
  });
}

/** `git status` writes `1 XY sub mH mI mW hH hI path` for what changed, `?` for a new file. See git-status(1). */
function statusEntry(entry: string, staged: boolean): ChangedEntry | undefined {
  if (entry.startsWith('? '))
    return staged || entry.endsWith('/') ? undefined : { path: entry.slice(2), after: 'worktree' };
  const fields =
    /^[1u] (.)(.) \S+ ((?:\d{6} ){3,4})([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (?:[0-9a-f]{40,64} )?(.+)$/s.exec(entry);
  if (fields === null) return undefined;
  const [, index, worktree, modes = '', head = '', indexed = '', path = ''] = fields;
  if (modes.includes(SUBMODULE)) return undefined;
  const before = isNothing(head) ? {} : { before: head };
  if (staged) return index === '.' ? undefined : { path, ...before, ...(isNothing(indexed) ? {} : { after: indexed }) };
  return { path, ...before, ...(worktree === 'D' || (index === 'D' && worktree === '.') ? {} : { after: 'worktree' }) };
}

/** `git diff-tree --raw -z` writes `:mode mode before after status`, and the path. */
async function since(git: SafeGit, revision: string): Promise<readonly ChangedEntry[]> {
  const trees = await endsOf(git, revision);
  const raw = await git.run(['diff-tree', '-r', '--raw', '-z', '--no-renames', '--no-abbrev', ...trees]);
  const entries = raw.toString('utf8').split('\0');
  return entries.flatMap((entry, index) => {
    const [modeBefore = '', modeAfter, before = '', after = ''] = entry.startsWith(':')
      ? entry.slice(1).split(' ')
      : [];
    const path = entries[index + 1];
    if (before === '' || path === undefined || modeBefore === SUBMODULE || modeAfter === SUBMODULE) return [];
    return [{ path, ...(isNothing(before) ? {} : { before }), ...(isNothing(after) ? {} : { after }) }];
  });
}

/** The two commits of a range. A revision alone stands for `revision...HEAD`: what the last commit has that it has not. */
export async function endsOf(git: SafeGit, revision: string): Promise<readonly [from: string, to: string]> {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,3})(.*)$/s.exec(revision) ?? ['', revision, '...'];
  const [start, end] = await Promise.all([commitOf(git, from || 'HEAD'), commitOf(git, to || 'HEAD')]);
  if (dots === '..') return [start, end];
  const base = await git.line(['merge-base', start, end]).catch(() => undefined);
  if (base !== undefined) return [base, end];
  throw new UserError(
    () => t('{0} and {1} have no commit in common here', from || 'HEAD', to || 'HEAD'),
    () =>
      t('Fetch the whole history (git fetch --unshallow; in CI a checkout with fetch-depth: 0), or pass a range: A..B'),
  );
}

/** The id of a commit that was named. Rejects with a `UserError` if there is none. */
export async function commitOf(git: SafeGit, revision: string): Promise<string> {
  const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${revision}^{commit}`];
  const id = await git.line(args).catch(() => undefined);
  if (id !== undefined && /^[0-9a-f]{40,64}$/.test(id)) return id;
  throw new UserError(
    () => t('{0} is not a commit in this repository', revision),
    () => t('Pass a branch, a tag or a commit that is fetched.'),
  );
}

function isNothing(objectId: string): boolean {
  return /^0+$/.test(objectId);
}
