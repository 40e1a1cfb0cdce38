import { basename, join } from 'node:path';
import type { EarlierVersions, KeptTake, RecordingSide } from '../../protocol/comparisons';
import { fileStatus } from '../files/fileStatus';
import { Repository } from '../git/repository';
import { previousTakes, takeTime } from '../recording/takes';

/** The most versions of each kind that are offered. */
const MAX_VERSIONS = 50;

/** The takes that a tape has replaced and the commits that changed a file, each the latest first. */
export async function earlierVersions({ root, path }: RecordingSide): Promise<EarlierVersions> {
  const repository = await Repository.of(root);
  return {
    takes: await takesOf(root, path),
    commits: (await repository?.commitsOf(await repository.pathOf(root, path), MAX_VERSIONS)) ?? [],
  };
}

async function takesOf(root: string, path: string): Promise<readonly KeptTake[]> {
  const latest = (await previousTakes({ root, tapePath: join(root, path) })).slice(-MAX_VERSIONS).reverse();
  const found = latest.map(async (file): Promise<readonly KeptTake[]> => {
    const size = (await fileStatus(file))?.size;
    return size === undefined ? [] : [{ take: basename(file), time: takeTime(file), size }];
  });
  return (await Promise.all(found)).flat();
}
