import { join } from 'node:path';
import { isTakeName, takesFolder, takeTime } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fileStatus, isSameFile, listFolder, realPath } from '../files/fileStatus';
import { fromRoot, segments } from '../files/projectPaths';
import { keepCopy } from '../files/writeFile';
import { OwnState } from '../project/ownState';
import { removeRecordings } from './writeRecorded';

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
  const names = await new OwnState(place.root).files(fromRoot(place.root, folder));
  return names
    .filter(isTakeName)
    .sort()
    .map((name) => join(folder, name));
}

/** The path of a kept take, which its file name names. Rejects with a `UserError` if there is none. */
export async function requireTake(place: TapePlace, take: string): Promise<string> {
  const path = join(folderOf(place), take);
  if ((await previousTakes(place)).includes(path)) return path;
  throw new UserError(
    () => t('there is no take {0} of {1}', take, fromRoot(place.root, place.tapePath)),
    () => t('For a list of them: tapedeck takes TAPE'),
  );
}

/**
 * Keeps the tape that is about to be replaced as `<UTC time>.json`, later than all earlier ones, also when the clock was set
 * back. Gives its path; undefined if there is no tape yet. Called by who has the tape's lock.
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

/** Removes the folder of a tape's takes where it is empty, so that nobody looks for takes there. */
export async function forgetWithoutTakes(place: TapePlace): Promise<void> {
  const folder = folderOf(place);
  const isEmpty = (await realPath(folder)) !== undefined && (await listFolder(folder)).length === 0;
  if (isEmpty) await removeRecordings(place.root, folder);
}

/** The folder of a tape's takes, which is in the project even if the tape is not. */
function folderOf({ root, tapePath }: TapePlace): string {
  const inside = segments(root, tapePath).map((name) => (name === '..' ? '__' : name.replace(':', '_')));
  return join(root, takesFolder(inside.join('/')));
}
