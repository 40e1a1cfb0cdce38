import { sha256Hex } from '../hash/digest';

/** One of several parts of a project's files, for a machine each. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** Whether a file belongs to a shard by its path from the project's root alone, so that no other file moves it. */
export function isInShard(path: string, { index, count }: Shard): boolean {
  return Number.parseInt(sha256Hex(path).slice(0, 12), 16) % count === index - 1;
}

/** A file with its duration, which every machine can compute. */
export interface TimedFile {
  /** From the project's root. */
  readonly path: string;
  /** In milliseconds; absent if it is not known. */
  readonly durationMs?: number;
}

/**
 * The paths of a shard, so that all shards take about as long: the longest file first, each goes to the shard that has the least.
 * Files without a time count as one in the middle; where no time is known, all take the same.
 */
export function filesInShard(files: readonly TimedFile[], shard: Shard): ReadonlySet<string> {
  const times = files.flatMap(({ durationMs }) => durationMs ?? []).sort((left, right) => left - right);
  const middle = times[Math.floor(times.length / 2)] ?? 1;
  const timed = files.map(({ path, durationMs = middle }) => ({ path, durationMs }));
  timed.sort((left, right) => right.durationMs - left.durationMs || (left.path < right.path ? -1 : 1));
  const loads = Array.from({ length: shard.count }, () => ({ durationMs: 0, paths: [] as string[] }));
  for (const { path, durationMs } of timed) {
    const least = loads.reduce((one, other) => (isLess(other, one) ? other : one));
    least.durationMs += durationMs;
    least.paths.push(path);
  }
  return new Set(loads[shard.index - 1]?.paths);
}

interface Load {
  readonly durationMs: number;
  readonly paths: readonly string[];
}

/** Of shards that take the same time, the one with fewer files: none stays empty because files take no time. */
function isLess(left: Load, right: Load): boolean {
  return (left.durationMs - right.durationMs || left.paths.length - right.paths.length) < 0;
}
