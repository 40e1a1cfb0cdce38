import { join } from 'node:path';
import { STATE_FOLDER } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { filesBelow, pathExists } from '../files/fileStatus';
import { linkInState } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { trackedState } from '../git/trackedState';

/**
 * What in a project's `.tapedeck` is its user's own: what git does not track, and no link leads to. The rest came with a
 * commit or an archive: it is not read as ours, offered, written, or removed.
 *
 * Paths are from the project's root, with `/`. Everything rejects with a `UserError` where git's index names something there and
 * git refuses to say more.
 */
export class OwnState {
  constructor(readonly root: string) {}

  /** Whether there is a file of the user's own. */
  async has(path: string): Promise<boolean> {
    return pathExists(join(this.root, path)) && !(await this.isForeign(path));
  }

  /** Whether what is at the path is not the user's own. */
  async isForeign(path: string): Promise<boolean> {
    return linkInState(this.root, join(this.root, path)) !== undefined || (await this.isCommitted(path));
  }

  /** The user's own files in a folder and below it, as paths from the folder. */
  async files(folder: string): Promise<readonly string[]> {
    const place = join(this.root, folder);
    if (linkInState(this.root, place) !== undefined) return [];
    const names = await filesBelow(place);
    if (names.length === 0) return [];
    const tracked = await trackedState(this.root);
    return names.filter((name) => !tracked.holds(`${folder}/${name}`));
  }

  /** A file of the user's own as text; undefined if there is none. */
  async readText(path: string, limit: number): Promise<string | undefined> {
    return (await this.has(path)) ? readTextIfThere(join(this.root, path), limit) : undefined;
  }

  /** Rejects with a `UserError` for what git tracks, which is neither written nor removed. What a link leads to is refused by who does that. */
  async requireUncommitted(path: string): Promise<void> {
    if (!(await this.isCommitted(path))) return;
    throw new UserError(
      () => t('{0} is committed, and Tapedeck uses nothing in {1}/ that is committed', path, STATE_FOLDER),
      () => t('Remove it from git: git rm -r --cached {0}', STATE_FOLDER),
    );
  }

  /** Whether git tracks what is at the path, or something in it; false where there is nothing. */
  async isCommitted(path: string): Promise<boolean> {
    return pathExists(join(this.root, path)) && (await trackedState(this.root)).reaches(path);
  }
}
