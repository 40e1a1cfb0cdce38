import type { HttpRequest } from '../model/http';
import type { Tape } from '../model/tape';
import type { Span } from '../text/source';

/** Reads interactions from the pieces of a text that they come from, without what is between. */
export interface PieceReader {
  /** Whether that is possible for a tape without errors. */
  fits(interactions: Tape['interactions']): boolean;
  read(pieces: TapePieces): PiecewiseTape;
}

/** The pieces of a text that the interactions of a tape come from. */
export interface TapePieces {
  readonly count: number;
  /** Of the whole text, in bytes. */
  readonly length: number;
  textOf(at: number): string;
  sourceOf(at: number): Span;
  /** The whole text. */
  whole(): string;
}

/** A tape in which no problem was found. */
export interface PiecewiseTape extends Pick<Tape, 'format' | 'interactions'> {
  /** The HTTP request of an interaction, without the rest of it. */
  request?(at: number): HttpRequest | undefined;
}
