import { UserError } from '../errors/userError';
import { git } from './git';

/** A file that differs between two states of a repository. Object ids are absent on a side where there is no file. */
export interface ChangedFile {
  /** From the top of the repository, with `/`. */
  readonly path: string;
  readonly before?: string;
  /** `worktree`: the later side is the file on disk. */
  readonly after?: string | 'worktree';
}

/** The states of a repository that are compared. */
export type RevisionSpan =
  | { readonly type: 'worktree' }
  | { readonly type: 'staged' }
  /** From a revision to the last commit, or a range in git's form `a...b`. */
  | { readonly type: 'since'; readonly revision: string };

/** The span from a revision that the user named. Throws a `UserError` for text that is not one. */
export function revisionSince(revision: string): RevisionSpan {
  if (!revision.startsWith('-') && revision.trim() !== '') return { type: 'since', revision };
  throw new UserError(`${revision} is not a revision`, 'Pass a branch, a tag or a commit, or a range: A..B');
}

/** The files that differ. In the working tree, these include untracked ones. */
export async function changedFiles(repository: string, span: RevisionSpan): Promise<readonly ChangedFile[]> {
  if (span.type === 'since') return since(repository, span.revision);
  const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all'];
  const status = (await git(repository, args)).toString('utf8');
  return status.split('\0').flatMap((entry) => statusEntry(entry, span.type === 'staged') ?? []);
}

/** `git status` writes `1 XY sub mH mI mW hH hI path` for what changed, `?` for a new file. See git-status(1). */
function statusEntry(entry: string, staged: boolean): ChangedFile | undefined {
  if (entry.startsWith('? ')) return staged ? undefined : { path: entry.slice(2), after: 'worktree' };
  const fields = /^[1u] (.)(.) \S+ (?:\S+ ){3,4}?([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (?:[0-9a-f]{40,64} )?(.+)$/s.exec(
    entry,
  );
  if (fields === null) return undefined;
  const [, index, worktree, head = '', indexed = '', path = ''] = fields;
  const before = isNothing(head) ? {} : { before: head };
  if (staged) return index === '.' ? undefined : { path, ...before, ...(isNothing(indexed) ? {} : { after: indexed }) };
  return { path, ...before, ...(worktree === 'D' || (index === 'D' && worktree === '.') ? {} : { after: 'worktree' }) };
}

/** `git diff --raw -z` writes `:mode mode before after status`, and the path. */
async function since(repository: string, revision: string): Promise<readonly ChangedFile[]> {
  const range = revision.includes('..') ? revision : `${revision}...HEAD`;
  const raw = await git(repository, ['diff', '--raw', '-z', '--no-renames', '--no-abbrev', range, '--']);
  const entries = raw.toString('utf8').split('\0');
  return entries.flatMap((entry, index) => {
    const [, , before = '', after = ''] = entry.startsWith(':') ? entry.split(' ') : [];
    const path = entries[index + 1];
    if (before === '' || path === undefined) return [];
    return [{ path, ...(isNothing(before) ? {} : { before }), ...(isNothing(after) ? {} : { after }) }];
  });
}

function isNothing(objectId: string): boolean {
  return /^0+$/.test(objectId);
}
