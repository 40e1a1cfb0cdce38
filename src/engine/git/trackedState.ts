import { join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { STATE_FOLDER } from '../../core/project/layout';
import { mayTrackState, TrackedState } from '../../core/project/trackedState';
import { unlessUnreadable } from '../errors/systemError';
import { unconfined } from '../files/confinement';
import { isFolder, realPath, stampOfFile } from '../files/fileStatus';
import { readBytes, readTextIfThere } from '../files/readFile';
import { nearestWithGit, Repository } from './repository';

/** What git said of a project, for as long as its index has this stamp. */
interface Answer {
  readonly stamp: string;
  readonly tracked: Promise<TrackedState>;
}

const answers = new Map<string, Answer>();
const NOTHING = new TrackedState([]);

/**
 * What git tracks at the place of a project's state, from the root. git is asked when its index may name something there, and
 * again when that has changed. Rejects with a `UserError` when git refuses to read the repository.
 */
export async function trackedState(root: string): Promise<TrackedState> {
  const top = nearestWithGit((await realPath(root)) ?? root);
  const index = top && (await indexOf(top));
  const stamp = index && stampOfFile(index);
  if (index === undefined || stamp === undefined) return NOTHING;
  const known = answers.get(root);
  if (known?.stamp === stamp) return known.tracked;
  const tracked = ask(root, index);
  answers.set(root, { stamp, tracked });
  // What kept git from answering may be mended while the index stays as it is.
  tracked.catch(() => answers.delete(root));
  return tracked;
}

/** The index of a working tree. */
async function indexOf(top: string): Promise<string | undefined> {
  // In a hook, it may be another one.
  const named = process.env.GIT_INDEX_FILE;
  if (named !== undefined) return resolve(top, named);
  const git = join(top, '.git');
  // In a worktree or a submodule, it is a file that names the folder.
  if (isFolder(git)) return join(git, 'index');
  const text = await unconfined(() => readTextIfThere(git, FILE_LIMITS.config));
  const [, folder] = /^gitdir: (.+)$/m.exec(text ?? '') ?? [];
  return folder && join(resolve(top, folder.trim()), 'index');
}

async function ask(root: string, index: string): Promise<TrackedState> {
  const bytes = await unlessUnreadable(unconfined(() => readBytes(index, FILE_LIMITS.tape)));
  return bytes === undefined || mayTrackState(bytes) ? askGit(root) : NOTHING;
}

async function askGit(root: string): Promise<TrackedState> {
  const repository = await Repository.of(root);
  if (repository === undefined) return NOTHING;
  const top = await repository.pathOf(root, '.');
  const paths = await repository.trackedUnder(await repository.pathOf(root, STATE_FOLDER));
  return new TrackedState(paths.map((path) => (top === '' ? path : path.slice(top.length + 1))));
}
