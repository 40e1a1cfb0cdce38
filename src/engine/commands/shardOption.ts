import type { Shard } from '../../core/project/shard';
import { type Arguments, text, UsageError } from './command';

export const SHARD_OPTION = {
  shard: text(
    'I/N',
    'Only shard I of N, to split the work between machines; see `merge`. Shards are balanced by the durations on the tapes; without them, by path',
  ),
};

/** The shard that the command line names. */
export function shardOf(args: Arguments<typeof SHARD_OPTION>): Shard | undefined {
  const written = args.options.shard;
  if (written === undefined) return undefined;
  const [, index = 0, count = 0] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(written) ?? []).map(Number);
  if (index > 0 && index <= count) return { index, count };
  throw new UsageError(`--shard must look like 2/5, not \`${written}\``, 'The first number is from 1 to the second.');
}
