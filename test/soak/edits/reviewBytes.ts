import { compareTapes } from '../../../src/core/review/compare/compareTapes';
import { Normaliser } from '../../../src/core/review/compare/normaliser';
import { type MergeResult, mergeTapes } from '../../../src/core/review/merge/mergeTapes';
import { compareTapeFiles } from '../../../src/core/review/unread/compareTapeFiles';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';

/** What the review of two files says, by the titles of its changes. */
export interface BytesReview {
  readonly format: string | undefined;
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
  /** The titles of changes that token counts came with. */
  readonly counted: readonly string[];
  /** The titles of changes that can only be decided together. */
  readonly groups: readonly (readonly string[])[];
  take(titles: readonly string[]): MergeResult;
}

/** Reviews two versions of a tape as the product does. */
export function reviewBytes(path: string, before: Uint8Array, after: Uint8Array): BytesReview {
  const [left, right] = [recorded(path, before), recorded(path, after)];
  if (left === undefined || right === undefined || left.format !== right.format)
    return {
      format: right?.format.id,
      shown: [],
      hidden: [],
      counted: [],
      groups: [],
      take: () => ({ torn: [] }),
    };
  const normaliser = new Normaliser();
  const comparison = compareTapeFiles(left, right, normaliser);
  const merge = mergeTapes(left, right, comparison, normaliser);
  const titleOf = new Map(comparison.changes.map(({ id, title }) => [id, title]));
  return {
    format: right.format.id,
    groups: merge.groups.map((group) => group.map((id) => titleOf.get(id) ?? '')),
    shown: comparison.changes.map(({ title }) => title),
    counted: comparison.changes.flatMap(({ title, usage, subject }) => (usage && subject !== 'usage' ? [title] : [])),
    hidden: comparison.hidden.map(({ title }) => title),
    take: (titles) => {
      const ids = comparison.changes.filter(({ title }) => titles.includes(title)).map(({ id }) => id);
      return merge.take(new Set(ids));
    },
  };
}

/** How the review pairs the interactions of two versions of a tape. */
export function pairsOf(path: string, before: Uint8Array, after: Uint8Array) {
  const [left, right] = [recorded(path, before), recorded(path, after)];
  if (left === undefined || right === undefined) return [];
  return compareTapes(left.tape, right.tape, new Normaliser()).pairs;
}

function recorded(path: string, bytes: Uint8Array) {
  const file = decodeTapeFile(path, bytes);
  const format = detectFormat(file);
  return format && { file, format, tape: format.read(file) };
}
