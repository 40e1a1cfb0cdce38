import type { EarlierVersions, RecordingSide } from '../../contracts/engine/comparisons';
import { Repository } from '../git/repository';
import { storedTakes } from '../recording/storedTakes';

/** The most commits that are offered. */
const MAX_COMMITS = 50;

/** The takes that a tape has replaced and the commits that changed a file, each the latest first. */
export async function earlierVersions({ root, path }: RecordingSide): Promise<EarlierVersions> {
  const repository = await Repository.of(root);
  return {
    takes: await storedTakes({ root, path }),
    commits: (await repository?.commitsOf(await repository.pathOf(root, path), MAX_COMMITS)) ?? [],
  };
}
