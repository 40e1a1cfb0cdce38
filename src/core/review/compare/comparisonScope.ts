import { commonEnds } from '../../diff/commonOrder';
import { isRecord } from '../../json/json';
import type { Interaction } from '../../model/interaction';
import { COMPARED_PARTS, isEqualInteraction } from './interactionShape';

/** How much of two recordings is compared in detail. Anything beyond is reported as changed unless it is equal. */
export interface ComparisonLimits {
  /** Between the equal ends of both tapes: of more interactions, or larger ones, only those with equal content are aligned. */
  readonly aligned: number;
  readonly alignedSize: number;
  /** Of two tapes beyond these limits, so many interactions, and so much of them, is compared in detail. */
  readonly detailed: number;
  readonly detailedSize: number;
  /** A larger interaction or artifact is not compared in detail. */
  readonly valueSize: number;
}

/** Sizes are in characters. */
export const COMPARISON_LIMITS: ComparisonLimits = {
  aligned: 10_000,
  alignedSize: 68_000_000,
  detailed: 1000,
  detailedSize: 20_000_000,
  valueSize: 10_000_000,
};

/** What there is to compare between two lists of interactions. */
export interface ComparisonScope {
  /** The numbers of interactions that are equal at the start and, beyond that, at the end. */
  readonly start: number;
  readonly end: number;
  /** There is too much between them to look for similar interactions. */
  readonly isTooMuch: boolean;
  /** Some interactions are too large to compare in detail. */
  readonly isAnyTooLarge: boolean;
}

export function comparisonScope(
  before: readonly Interaction[],
  after: readonly Interaction[],
  limits: ComparisonLimits,
): ComparisonScope {
  const ends = commonEnds(before.length, after.length, (old, now) => isSame(before[old], after[now]));
  const { start, end } = ends;
  const rest = [...before.slice(start, before.length - end), ...after.slice(start, after.length - end)];
  if (rest.length > limits.aligned) return { ...ends, isTooMuch: true, isAnyTooLarge: false };
  const sizes = rest.map(sizeOf);
  return {
    ...ends,
    isTooMuch: sizes.reduce((sum, size) => sum + Math.min(size, limits.valueSize), 0) > limits.alignedSize,
    isAnyTooLarge: sizes.some((size) => size > limits.valueSize),
  };
}

export function isTooLarge(interaction: Interaction | undefined, limits: ComparisonLimits): boolean {
  return interaction !== undefined && sizeOf(interaction) > limits.valueSize;
}

function isSame(before: Interaction | undefined, after: Interaction | undefined): boolean {
  return before !== undefined && after !== undefined && isEqualInteraction(before, after);
}

/** What takes as long to compare as this many characters of text. */
export function sizeOf(interaction: Interaction): number {
  return COMPARED_PARTS.reduce((sum, part) => sum + sizeOfValue(interaction[part]), 0);
}

/** What a value takes besides its characters. */
const SIZE_OF_VALUE = 200;

export function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return SIZE_OF_VALUE + value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOfValue(item), SIZE_OF_VALUE);
  if (!isRecord(value)) return SIZE_OF_VALUE;
  let size = SIZE_OF_VALUE;
  for (const key of Object.keys(value)) size += key.length + sizeOfValue(value[key]);
  return size;
}
