import { whatChanged } from '../../src/core/review/changeId';
import type { TapeComparison } from '../../src/core/review/compare/compareTapes';
import { Normaliser } from '../../src/core/review/compare/normaliser';
import { type FileMerge, mergeTapes } from '../../src/core/review/merge/mergeTapes';
import { compareTapeFiles } from '../../src/core/review/unread/compareTapeFiles';
import { detectFormat } from '../../src/core/tapes/readTape';
import { decodeTapeFile, type TapeFile } from '../../src/core/tapes/tapeFile';
import { Random } from './random';
import type { EditedPair, MadeEdit } from './reviewPairs';

export interface Verdict {
  /** Edits that were made and not reported, and changes that were reported and not made. */
  readonly missed: readonly string[];
  readonly invented: readonly string[];
  /** What is wrong with the files that come of decisions, as sentences. */
  readonly wrong: readonly string[];
  readonly subsets: number;
  /** Changes that can only be taken with others. */
  readonly bound: number;
}

/** Reviews a pair and compares what it says, and what comes of decisions, with the edits that were made. */
export function judge(pair: EditedPair, seed: number): Verdict {
  const normaliser = new Normaliser();
  const before = { file: pair.before, format: pair.format, tape: pair.format.read(pair.before) };
  const after = { file: pair.after, format: pair.format, tape: pair.format.read(pair.after) };
  const comparison = compareTapeFiles(before, after, normaliser);
  const [made, reported] = [
    pair.edits.map(editText),
    comparison.changes.flatMap((change) => reportedTexts(change, comparison)),
  ];
  const merge = mergeTapes(before, after, comparison, normaliser);
  const { subsets, wrong } = judgeDecisions(pair, comparison, merge, normaliser, new Random(seed));
  return {
    missed: without(made, reported),
    invented: without(reported, made),
    wrong,
    subsets,
    bound: merge.groups.filter((group) => group.length > 1).reduce((sum, group) => sum + group.length, 0),
  };
}

function editText({ kind, subject, before, after }: MadeEdit): string {
  return `${kind} ${subject} ${before ?? ''}>${after ?? ''}`;
}

/**
 * A change with its repeats, and the token counts that came with it. Where later requests repeat an added or removed interaction, as
 * those of a session's log do, no other edit was made.
 */
function reportedTexts(
  { id, kind, subject, place, repeats }: TapeComparison['changes'][number],
  { sources }: TapeComparison,
): string[] {
  const counts = (sources.get(id) ?? []).filter((one) => one.subject === 'usage' && subject !== 'usage');
  return [
    ...[place, ...(subject === 'interaction' ? [] : repeats)].map(
      ({ before, after }) => `${kind} ${subject} ${before ?? ''}>${after ?? ''}`,
    ),
    ...counts.map((one) => `${one.kind} usage ${one.interaction?.before ?? ''}>${one.interaction?.after ?? ''}`),
  ];
}

function without(left: readonly string[], right: readonly string[]): string[] {
  const rest = [...right];
  return left.filter((item) => {
    const at = rest.indexOf(item);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}

function judgeDecisions(
  pair: EditedPair,
  { changes }: TapeComparison,
  merge: FileMerge,
  normaliser: Normaliser,
  random: Random,
): { readonly subsets: number; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  const all = new Set(changes.map(({ id }) => id));
  const isFile = (ids: ReadonlySet<string>, bytes: Uint8Array): boolean => {
    const merged = merge.take(ids);
    return 'bytes' in merged && Buffer.from(merged.bytes).equals(bytes);
  };
  if (changes.length > 0 && !isFile(all, pair.after.bytes)) wrong.push('accepting all does not give the later file');
  if (!isFile(new Set(), pair.before.bytes)) wrong.push('rejecting all does not give the earlier file');
  if (merge.groups.length < 2) return { subsets: 0, wrong };
  let subsets = 0;
  for (let round = 0; round < 3; round += 1) {
    const accepted = new Set(merge.groups.filter(() => random.chance(0.5)).flat());
    if (accepted.size === 0 || accepted.size === all.size) continue;
    subsets += 1;
    const merged = merge.take(accepted);
    if ('torn' in merged) {
      wrong.push(`refused: ${merged.torn.join()}`);
      continue;
    }
    const recorded = (file: TapeFile) => ({ file, format: pair.format, tape: pair.format.read(file) });
    const file = decodeTapeFile(pair.path, merged.bytes);
    if (detectFormat(file) !== pair.format) wrong.push('a subset is no longer a tape');
    const done = compareTapeFiles(recorded(pair.before), recorded(file), normaliser).changes.map(({ id }) => id);
    const left = compareTapeFiles(recorded(file), recorded(pair.after), normaliser).changes.map(({ id }) => id);
    const rejected = [...all].filter((id) => !accepted.has(id));
    if (done.sort().join() !== [...accepted].sort().join())
      wrong.push('a subset made other changes than were accepted');
    if (contents(left) !== contents(rejected)) wrong.push('a subset lacks other changes than were rejected');
  }
  return { subsets, wrong };
}

/** What the changes are, wherever: the places in the file with a subset are others than in the earlier one. */
function contents(ids: readonly string[]): string {
  return ids.map(whatChanged).sort().join();
}
