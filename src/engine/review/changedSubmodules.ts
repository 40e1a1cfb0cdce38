import { join } from 'node:path';
import { pathExists, realPath } from '../files/fileStatus';
import { fromRoot, isInside } from '../files/projectPaths';
import { Repository } from '../git/repository';
import type { RevisionSpan } from '../git/revision';

/**
 * The submodules of a project of which another commit is checked out, by their paths from the root: it may have other tapes. They are
 * repositories of their own, which are not entered, so that nothing is known of what is not committed there.
 */
export async function changedSubmodules(root: string, span: RevisionSpan): Promise<readonly string[]> {
  const repository = await Repository.of(root);
  if (repository === undefined || !pathExists(join(repository.top, '.gitmodules'))) return [];
  const top = (await realPath(root)) ?? root;
  const places = (await repository.submodules(span)).map((path) => join(repository.top, path));
  return places.filter((place) => isInside(top, place)).map((place) => fromRoot(top, place));
}
