import type { FileCommit } from '../../contracts/engine/comparisons';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { commitOf } from './changedEntries';
import { objectSizes, readObjects } from './objects';
import type { SafeGit } from './safeGit';

/** The commits that changed a file, the latest first. `path` is from the top. None if nothing was committed. */
export async function commitsOf(git: SafeGit, path: string, limit: number): Promise<readonly FileCommit[]> {
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
export async function fileAt(git: SafeGit, revision: string, path: string): Promise<Buffer> {
  const content = await fileIn(git, await commitOf(git, revision), path);
  if (content !== undefined) return content;
  throw new UserError(
    () => t('{0} is not in {1}', path, revision),
    () => t('Choose a commit that has it.'),
  );
}

/** A file of a tree; undefined if there is none, and for links and folders. */
export async function fileIn(git: SafeGit, tree: string, path: string): Promise<Buffer | undefined> {
  const listed = await git.line(['ls-tree', '-z', '--full-tree', tree, '--', path]);
  const [, type, id = ''] = listed.split(/[ \t]/);
  if (type !== 'blob') return undefined;
  const objects = [{ path, id }];
  return (await readObjects(git, objects, await objectSizes(git, objects))).get(id);
}
