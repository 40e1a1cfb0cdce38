import { parseCaseAddress } from '../../core/project/caseAddress';
import { owningCasePath } from '../../core/project/layout';
import { filesInShard, isInShard, type Shard } from '../../core/project/shard';
import { MAX_COMPARED_BYTES } from '../../core/review/recordings';
import { tapeTotals } from '../../core/transcript/metrics';
import type { CasesByTape } from '../project/casesByTape';
import { type ChangedSides, recordingOf } from './fileReview';

/**
 * Whether a changed file, or the last run of a case, belongs to a shard: balanced by the times on the tapes that have changed, which
 * every machine has. Without any, paths decide, since a machine may have other changed files, such as its own reports. A baseline, and
 * the tape of a case, stay with the run of the case.
 */
export async function reviewsInShard(
  files: AsyncIterable<ChangedSides>,
  casePaths: readonly string[],
  cases: CasesByTape,
  shard: Shard,
): Promise<(path: string) => boolean> {
  /** The file of the case, for what belongs to one; any other file is its own. */
  const ownerOf = (path: string): string => parseCaseAddress(owningCasePath(path) ?? cases.only(path) ?? path).path;
  const times = new Map(casePaths.map((path): [string, number | undefined] => [ownerOf(path), undefined]));
  for await (const file of files) {
    const owner = ownerOf(file.path);
    times.set(owner, recordedTime(file) ?? times.get(owner));
  }
  if ([...times.values()].every((time) => time === undefined)) return (path) => isInShard(ownerOf(path), shard);
  const timed = [...times].map(([path, durationMs]) => ({ path, durationMs }));
  const chosen = filesInShard(timed, shard);
  return (path) => chosen.has(ownerOf(path));
}

/** The milliseconds of the recording as it is now; undefined where it has no times, or is too large to be compared in detail. */
function recordedTime({ path, sides: { before, after } }: ChangedSides): number | undefined {
  const bytes = after ?? before;
  if (bytes === undefined || bytes.length > MAX_COMPARED_BYTES) return undefined;
  const recording = recordingOf(path, bytes);
  return recording?.kind === 'tape' ? tapeTotals(recording.tape).durationMs : undefined;
}
