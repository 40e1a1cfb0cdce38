import { join, relative, sep } from 'node:path';
import { UserError } from '../errors/userError';
import { pathExists, realPath } from '../files/fileStatus';
import { Repository } from '../git/repository';
import type { RevisionSpan } from '../git/revision';
import { NAMED_LIKE_TAPES } from './reviewedFiles';

/**
 * The submodules of a project in which recordings changed, by their paths from the root. They are repositories of their own, and are
 * not reviewed with it. Between commits, and in the index, a submodule is a commit: one that changed may have other recordings.
 */
export async function changedSubmodules(root: string, span: RevisionSpan): Promise<readonly string[]> {
  const repository = await Repository.of(root);
  if (repository === undefined || !pathExists(join(repository.top, '.gitmodules'))) return [];
  const top = (await realPath(root)) ?? root;
  const inProject = (path: string) => relative(top, join(repository.top, path)).split(sep).join('/');
  const changed: string[] = [];
  for (const { path, commit } of await repository.submodules(span)) {
    if (inProject(path).startsWith('../')) continue;
    if (span.type !== 'worktree' || (await hasChanged(join(repository.top, path), commit)))
      changed.push(inProject(path));
  }
  return changed;
}

/** Whether recordings differ from those of a commit, in the working tree of a submodule that is checked out. */
async function hasChanged(folder: string, commit: string): Promise<boolean> {
  const submodule = await Repository.of(folder);
  if (submodule === undefined || submodule.top !== (await realPath(folder))) return false;
  try {
    const uncommitted = await submodule.changedEntries({ type: 'worktree' }, NAMED_LIKE_TAPES);
    if (uncommitted.length > 0) return true;
    return (
      (await submodule.changedEntries({ type: 'since', revision: `${commit}..HEAD` }, NAMED_LIKE_TAPES)).length > 0
    );
  } catch (error) {
    // It lacks the commit, or has none: that is another state, too.
    if (error instanceof UserError) return true;
    throw error;
  }
}
