import { copyFile, link, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { takesFolder } from '../../core/project/layout';
import { hasCode, unlessMissing } from '../errors/systemError';
import { asidePath } from '../files/atomicWrite';
import { requireInProject } from '../files/projectPaths';

export interface TapePlace {
  /** The project's root, where `.tapedeck/` is. */
  readonly root: string;
  readonly tapePath: string;
}

/** How many takes of the tape there are: the kept ones and the tape itself. */
export async function takeCount(root: string, tapePath: string): Promise<number> {
  const tape = await unlessMissing(stat(tapePath));
  return (await previousTakes({ root, tapePath })).length + (tape === undefined ? 0 : 1);
}

/** The kept takes of a tape, oldest first, as absolute paths. */
export async function previousTakes(place: TapePlace): Promise<readonly string[]> {
  const folder = folderOf(place);
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const takes = names.filter((name) => name.endsWith('.json')).sort();
  return takes.map((name) => join(folder, name));
}

/**
 * Keeps the tape that is about to be replaced as `<UTC time>.json`, and says where; undefined when there is no tape yet.
 * `asideFolder` is on the file system of the takes.
 */
export async function keepTake(place: TapePlace, asideFolder: string): Promise<string | undefined> {
  // Resolved, because a hard link to a symbolic link would keep the link and not the tape.
  const source = await unlessMissing(realpath(place.tapePath));
  if (source === undefined) return undefined;
  const tape = await stat(source);
  const latest = (await previousTakes(place)).at(-1);
  const kept = latest === undefined ? undefined : await unlessMissing(stat(latest));
  // A run that was killed between keeping and replacing has kept this very file already.
  if (kept !== undefined && kept.ino === tape.ino && kept.dev === tape.dev) return latest;
  const folder = folderOf(place);
  await requireInProject(place.root, folder);
  await mkdir(folder, { recursive: true });
  for (let time = Date.now(); ; time += 1) {
    const take = join(folder, `${new Date(time).toISOString().replaceAll(':', '-')}.json`);
    if (await keepAs(take, source, asideFolder)) return take;
  }
}

/** False when there is a take of this name, which then stays as it is. */
async function keepAs(take: string, source: string, asideFolder: string): Promise<boolean> {
  try {
    await link(source, take);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!hasCode(error, 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS')) throw error;
  }
  // Without hard links it is a copy, made aside so that a take is never half a tape.
  if ((await unlessMissing(stat(take))) !== undefined) return false;
  const aside = asidePath(asideFolder);
  try {
    await copyFile(source, aside);
    await rename(aside, take);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  return true;
}

/** A tape outside the project has its takes inside it all the same. */
function folderOf({ root, tapePath }: TapePlace): string {
  const segments = relative(root, tapePath).split(sep);
  const inside = segments.map((segment) => (segment === '..' ? '__' : segment.replace(':', '_')));
  return join(root, takesFolder(inside.join('/')));
}
