import { join, relative, sep } from 'node:path';
import { takesFolder } from '../../core/project/layout';
import { fileStatus, isSameFile, listFolder, realPath } from '../files/fileStatus';
import { keepCopy } from '../files/writeFile';

export interface TapePlace {
  /** The project's root, where `.tapedeck/` is. */
  readonly root: string;
  readonly tapePath: string;
}

/** How many takes of the tape there are: the kept ones and the tape itself. */
export async function takeCount(root: string, tapePath: string): Promise<number> {
  const tape = await fileStatus(tapePath);
  return (await previousTakes({ root, tapePath })).length + (tape === undefined ? 0 : 1);
}

/** The kept takes of a tape, oldest first, as absolute paths. */
export async function previousTakes(place: TapePlace): Promise<readonly string[]> {
  const folder = folderOf(place);
  const names = await listFolder(folder);
  const takes = names.filter((name) => name.endsWith('.json')).sort();
  return takes.map((name) => join(folder, name));
}

/**
 * Keeps the tape that is about to be replaced as `<UTC time>.json`, later than all earlier ones, also when the clock was set
 * back. Gives its path; undefined where there is no tape yet. Called by who has the tape's lock.
 */
export async function keepTake(place: TapePlace): Promise<string | undefined> {
  // Resolved, because a hard link to a symbolic link would keep the link and not the tape.
  const source = await realPath(place.tapePath);
  if (source === undefined) return undefined;
  const latest = (await previousTakes(place)).at(-1);
  // A run that was killed between keeping and replacing has kept this very file already.
  if (latest !== undefined && (await isSameFile(latest, source))) return latest;
  for (let time = Math.max(Date.now(), takeTime(latest) + 1); ; time += 1) {
    const take = join(folderOf(place), `${new Date(time).toISOString().replaceAll(':', '-')}.json`);
    if (await keepCopy(place.root, source, take)) return take;
  }
}

/** The time in the name of a take, in milliseconds since 1970; -1 where there is none. */
export function takeTime(take: string | undefined): number {
  const [, day, time] = /([\d-]{10}T)([\d-]{8}\.\d{3}Z)\.json$/.exec(take ?? '') ?? [];
  const parsed = Date.parse(`${day}${time?.replaceAll('-', ':')}`);
  return Number.isNaN(parsed) ? -1 : parsed;
}

/** The folder of a tape's takes, which is in the project even if the tape is not. */
function folderOf({ root, tapePath }: TapePlace): string {
  const segments = relative(root, tapePath).split(sep);
  const inside = segments.map((segment) => (segment === '..' ? '__' : segment.replace(':', '_')));
  return join(root, takesFolder(inside.join('/')));
}
