import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { ComparisonParams } from '../../src/contracts/engine/comparisons';
import { reviewText } from '../../src/core/export/reviewText';
import { encodeTapeFile } from '../../src/core/tapes/tapeFile';
import { comparisonsApi } from '../../src/engine/review/comparison';
import { corpusFolder, projectFolder } from '../corpus';
import { runSeed } from '../soak/random';
import { editedPair } from '../soak/reviewPairs';

/** Two versions of a tape in a folder, and the engine's review of them as text. */
export interface ComparedPair {
  readonly files: readonly [before: WrittenFile, after: WrittenFile];
  readonly review: string;
}

export interface WrittenFile {
  /** From the folder. */
  readonly path: string;
  readonly base64: string;
}

/** Large tapes take long to edit, and the formats are what matters. */
const MAX_BYTES = 60_000;
/** Of a few tapes there are many edits; of the many of a corpus, one. */
const ROUNDS = 400;
const SEED = 19;

/**
 * So many pairs of tapes, compared by the engine: tapes of the corpus with seeded edits. Without a corpus, which is told loudly, those of
 * the sample.
 */
export async function comparedPairs(count: number): Promise<readonly ComparedPair[]> {
  const folder = corpusFolder();
  if (folder === undefined)
    console.error('NOT TESTED on the corpus, which is not here: pairs are made of the sample. Set TAPEDECK_CORPUS.');
  const tapes = tapesIn(folder ?? join(projectFolder, 'media/sample/tapes'));
  const root = mkdtempSync(join(tmpdir(), 'tapedeck-pairs-'));
  try {
    const pairs: ComparedPair[] = [];
    for (let round = 0; round < ROUNDS && pairs.length < count; round += 1)
      for (const [path, bytes] of tapes) {
        if (pairs.length === count) break;
        const pair = editedPair(path, bytes, runSeed(SEED, path, round));
        if (pair === undefined) continue;
        const versions = [bytes, encodeTapeFile(pair.before, pair.after.text)] as const;
        pairs.push(await comparePair(root, `pairs/${pairs.length}`, path, versions));
      }
    return pairs;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** One of each format, which is the name of a folder, then the next of each. */
function tapesIn(folder: string): readonly (readonly [path: string, bytes: Uint8Array])[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const seen = new Map<string, number>();
  const places = paths
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => {
      const format = path.slice(0, path.indexOf(sep));
      const place = seen.get(format) ?? 0;
      seen.set(format, place + 1);
      return { path, place };
    });
  return places
    .sort((left, right) => left.place - right.place)
    .flatMap(({ path }) => {
      const bytes = readFileSync(join(folder, path));
      return bytes.length > MAX_BYTES ? [] : [[path.replaceAll(sep, '/'), bytes] as const];
    });
}

async function comparePair(
  root: string,
  folder: string,
  path: string,
  versions: readonly [Uint8Array, Uint8Array],
): Promise<ComparedPair> {
  const write = (side: string, bytes: Uint8Array): WrittenFile => {
    const written = `${folder}/${side}/${path}`;
    mkdirSync(dirname(join(root, written)), { recursive: true });
    writeFileSync(join(root, written), bytes);
    return { path: written, base64: Buffer.from(bytes).toString('base64') };
  };
  const files = [write('before', versions[0]), write('after', versions[1])] as const;
  return { files, review: await engineReview(root, files) };
}

/** What the engine sends to a page, every deferred text included, as "Open Review as Text" writes it. */
async function engineReview(root: string, [before, after]: ComparedPair['files']): Promise<string> {
  const params: ComparisonParams = { before: { root, path: before.path }, after: { root, path: after.path } };
  try {
    const { changes, hidden, notices } = await comparisonsApi.comparison(params);
    const whole = changes.map(async (change) => ({
      ...change,
      ...(change.deferred && (await comparisonsApi.comparisonTexts({ ...params, id: change.id }))),
      decision: 'open' as const,
    }));
    return reviewText({
      name: after.path.slice(after.path.lastIndexOf('/') + 1),
      compared: `${after.path}, compared with ${before.path}`,
      isComparison: true,
      changes: await Promise.all(whole),
      hidden,
      notices,
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
