import { dirname, join } from 'node:path';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { realPath } from '../files/fileStatus';
import { fromRoot, isInside, withSlashes } from '../files/projectPaths';
import { Repository } from '../git/repository';

interface OverwrittenFiles {
  readonly paths: readonly string[];
  /** Why the last commit could not be read, for each project. */
  readonly notices: readonly string[];
}

interface OverwriteSearch {
  rootOf(folder: string): string;
  /** Whether the content that was committed is of the kind that is missed. `path` has `/`. */
  wasOne(path: string, committed: Uint8Array): boolean;
}

/**
 * Those of some unrecognised files, by absolute paths, that were recognised in the last commit. They were emptied, cut off, or
 * overwritten, and would disappear from the results without a word.
 */
export async function findOverwrittenFiles(
  paths: readonly string[],
  search: OverwriteSearch,
): Promise<OverwrittenFiles> {
  const byRoot = new Map<string, string[]>();
  for (const path of paths) {
    const root = search.rootOf(dirname(path));
    const inRoot = byRoot.get(root);
    if (inRoot === undefined) byRoot.set(root, [path]);
    else inRoot.push(path);
  }
  const found = await Promise.all([...byRoot].map(([root, inRoot]) => overwrittenIn(root, inRoot, search)));
  return { paths: found.flatMap((one) => one.paths), notices: found.flatMap((one) => one.notices) };
}

async function overwrittenIn(
  root: string,
  paths: readonly string[],
  search: OverwriteSearch,
): Promise<OverwrittenFiles> {
  try {
    const repository = await Repository.of(root);
    return { paths: repository === undefined ? [] : await changedIn(repository, root, paths, search), notices: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { paths: [], notices: [t('not compared with the last commit: {0}', error.message)] };
  }
}

async function changedIn(
  repository: Repository,
  root: string,
  paths: readonly string[],
  { wasOne }: OverwriteSearch,
): Promise<string[]> {
  const top = (await realPath(root)) ?? root;
  const inRoot = paths.filter((path) => isInside(root, path));
  const pathAt = new Map(inRoot.map((path) => [join(top, fromRoot(root, path)), path]));
  const placeOf = (path: string): string => join(repository.top, path);
  const { files } = await repository.changes(
    { type: 'worktree' },
    {
      isWanted: (path) => pathAt.has(placeOf(path)),
      // A file that cannot be seen is not overwritten.
      mayHoldWanted: () => false,
    },
  );
  const overwritten: string[] = [];
  for await (const { path, before } of files) {
    const place = pathAt.get(placeOf(path));
    if (place !== undefined && before !== undefined && wasOne(withSlashes(placeOf(path)), before))
      overwritten.push(place);
  }
  return overwritten;
}
