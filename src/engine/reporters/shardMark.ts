import type { Shard } from '../../core/project/shard';

const MARK = /\n<!-- tapedeck: shard (\d{1,4})\/(\d{1,4}) -->\n$/;

/** The end of a report of JUnit or Markdown, by which `merge` knows its shard: a comment, which is not shown. */
export function shardMark(shard: Shard | undefined): string {
  return shard === undefined ? '' : `\n<!-- tapedeck: shard ${shard.index}/${shard.count} -->\n`;
}

/** A report without its mark, and the shard that it names. */
export function readShardMark(printed: string): { readonly report: string; readonly shard: Shard | undefined } {
  const found = MARK.exec(printed);
  if (found === null) return { report: printed, shard: undefined };
  return { report: printed.slice(0, found.index), shard: { index: Number(found[1]), count: Number(found[2]) } };
}
