import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { caseKindOf } from '../../core/cases/registry';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { filesInShard, type Shard } from '../../core/project/shard';
import { readTape } from '../../core/tapes/readTape';
import { tapeFileOf } from '../../core/tapes/tapeFile';
import { plural } from '../../core/text/counts';
import { tapeTotals } from '../../core/transcript/metrics';
import { unlessUnreadable } from '../errors/systemError';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, withSlashes } from '../files/projectPaths';
import { readContent, readTextIfThere } from '../files/readFile';
import type { Terminal } from '../terminal/terminal';

/**
 * The cases of a shard. Those of one file stay together. Shards are balanced by the times on the tapes, which every machine has,
 * and not by runs, which only one has made.
 */
export async function casesInShard(
  casePaths: readonly string[],
  shard: Shard | undefined,
  rootOf: (folder: string) => string,
  { note }: Pick<Terminal, 'note'>,
): Promise<readonly string[]> {
  if (shard === undefined) return casePaths;
  const files = new Map(casePaths.map((casePath) => [fileOf(casePath), '']));
  for (const file of files.keys()) files.set(file, fromRoot(rootOf(dirname(file)), file));
  const timed = [];
  for (const [file, path] of files) {
    const durationMs = await recordedTime(file);
    timed.push({ path, durationMs });
  }
  const paths = filesInShard(timed, shard);
  const chosen = casePaths.filter((casePath) => paths.has(files.get(fileOf(casePath)) ?? ''));
  note(`tapedeck: shard ${shard.index}/${shard.count}: ${chosen.length} of ${plural(casePaths.length, 'case')}`);
  return chosen;
}

function fileOf(casePath: string): string {
  return parseCaseAddress(casePath).path;
}

/** The milliseconds of the recordings that the cases of a file replay; undefined if they have no times. */
async function recordedTime(file: string): Promise<number | undefined> {
  const text = await unlessUnreadable(readTextIfThere(file, FILE_LIMITS.case));
  const { cases = [] } =
    (text !== undefined && caseKindOf(text, withSlashes(file))?.list(text, withSlashes(file))) || {};
  const tapes = new Set(cases.flatMap((listed) => listed.tapes.map((tape) => pathOfUser(dirname(file), tape))));
  const times = await Promise.all([...tapes].map(timeOnTape));
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, time) => sum + time, 0);
}

async function timeOnTape(path: string): Promise<number | undefined> {
  const content = await unlessUnreadable(readContent(path, FILE_LIMITS.tape));
  const tape = content && readTape(tapeFileOf(path, content));
  return tape && tapeTotals(tape).durationMs;
}
