import { sha256Hex } from '../hash/digest';

/** One of several parts of a project's files, for a machine each. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** Whether a file belongs to a shard. That depends on its path from the project's root alone, so no other file moves it. */
export function isInShard(path: string, { index, count }: Shard): boolean {
  return Number.parseInt(sha256Hex(path).slice(0, 12), 16) % count === index - 1;
}
