import type { InteractionKind } from './interaction';

/** What a search has found. Plain data, with its secrets hidden. */
export interface Found {
  readonly tapes: readonly FoundTape[];
  /** How many tapes were searched. */
  readonly searched: number;
  /** The search stopped at this many interactions; there may be more. */
  readonly limit?: number;
  readonly skipped: readonly SkippedTape[];
}

export interface FoundTape {
  /** Absolute. */
  readonly path: string;
  readonly format: string;
  /** Empty if the query asks for nothing of them. */
  readonly interactions: readonly FoundInteraction[];
  /** More of its interactions match than are listed. */
  readonly hasMore?: true;
}

/** What a search asks of an interaction besides its texts. */
export interface SearchedInteraction {
  readonly kind: InteractionKind;
  /** The model that responded. */
  readonly model?: string;
  /** The model that was asked for, if another one responded. */
  readonly askedModel?: string;
  /** The tools that it shows the calls of. */
  readonly tools: readonly string[];
  readonly status?: number;
  readonly isFailed: boolean;
  /** In US dollars. */
  readonly cost?: number;
  /** In milliseconds since 1970. */
  readonly recordedAt?: number;
}

export interface FoundInteraction extends SearchedInteraction {
  /** From 0. */
  readonly index: number;
  /** Around the first text that was searched for. */
  readonly excerpt?: Excerpt;
}

/** On one line. The match is between `start` and `end`. */
export interface Excerpt {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A file that could not be searched. */
export interface SkippedTape {
  /** Absolute. */
  readonly path: string;
  readonly reason: string;
}
