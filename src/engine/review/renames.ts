import { posix } from 'node:path';
import { countWords, diceSimilarity, type ItemCounts } from '../../core/diff/similarity';
import { distinguishingText } from '../../core/review/compare/interactionShape';
import type { ChangedFile } from '../git/changedContents';
import type { ChangedEntry } from '../git/changedEntries';
import type { Repository } from '../git/repository';
import { recordingOf } from './fileReview';
import { sha256 } from './stamp';

/** The least share of words that two versions of a renamed file have in common. */
const LEAST_LIKENESS = 0.5;
/** A larger file is known again only if it is equal. */
const MOST_COMPARED_BYTES = 4e6;
/** With more combinations, only equal files are known again. */
const MOST_COMBINATIONS = 10_000;

/**
 * The entries, with a file that is gone and a new one joined where the new one is the old one renamed, or moved: both have the same
 * content, or most of its words. Tests that are renamed rename their tapes.
 */
export async function withRenames(
  repository: Repository,
  entries: readonly ChangedEntry[],
): Promise<readonly ChangedEntry[]> {
  const gone = entries.filter(({ before, after }) => before !== undefined && after === undefined);
  const made = entries.filter(({ before, after }) => before === undefined && after !== undefined);
  if (gone.length === 0 || made.length === 0) return entries;
  const origins = pairsOf(await sketchesOf(repository, gone), await sketchesOf(repository, made));
  const renamed = new Set(origins.values());
  const earlier = new Map(gone.map((entry) => [entry.path, entry]));
  return entries
    .filter(({ path }) => !renamed.has(path))
    .map((entry) => {
      const from = origins.get(entry.path);
      const before = from === undefined ? undefined : earlier.get(from)?.before;
      return from === undefined || before === undefined ? entry : { ...entry, from, before };
    });
}

interface Sketch {
  readonly path: string;
  readonly digest: string;
  /** What it says; absent if it is no recording, or too large. */
  readonly said?: { readonly kind: 'tape' | 'baseline'; readonly words: ItemCounts } | undefined;
}

async function sketchesOf(repository: Repository, entries: readonly ChangedEntry[]): Promise<readonly Sketch[]> {
  const sketches: Sketch[] = [];
  for await (const file of (await repository.contentsOf(entries)).files) sketches.push(sketchOf(file));
  return sketches;
}

function sketchOf({ path, before, after }: ChangedFile): Sketch {
  const bytes = after ?? before ?? new Uint8Array();
  const recording = bytes.length > MOST_COMPARED_BYTES ? undefined : recordingOf(path, bytes);
  const text =
    recording?.kind === 'tape'
      ? recording.tape.interactions.map(distinguishingText).join('\n')
      : (recording?.file.text ?? '');
  return { path, digest: sha256(bytes), said: recording && { kind: recording.kind, words: countWords(text) } };
}

/** The earlier paths of files that were renamed, by their paths now. */
function pairsOf(gone: readonly Sketch[], made: readonly Sketch[]): ReadonlyMap<string, string> {
  const isSmall = gone.length * made.length <= MOST_COMBINATIONS;
  const likely = gone.flatMap((old) =>
    made.flatMap((now) => {
      const likeness = old.digest === now.digest ? 1 : isSmall ? likenessOf(old, now) : 0;
      // Of equals, those that kept their name.
      const isSameName = posix.basename(old.path) === posix.basename(now.path);
      return likeness < LEAST_LIKENESS ? [] : [{ old, now, score: likeness + (isSameName ? 0.01 : 0) }];
    }),
  );
  const origins = new Map<string, string>();
  const taken = new Set<string>();
  for (const { old, now } of likely.sort((left, right) => right.score - left.score)) {
    if (taken.has(old.path) || origins.has(now.path)) continue;
    taken.add(old.path);
    origins.set(now.path, old.path);
  }
  return origins;
}

/** Below that of equal files. */
function likenessOf({ said: old }: Sketch, { said: now }: Sketch): number {
  return old === undefined || old.kind !== now?.kind ? 0 : 0.99 * diceSimilarity(old.words, now.words);
}
