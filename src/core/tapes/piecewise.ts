import type { FormatId } from '../model/tape';
import type { MatchedFormat } from './format';
import type { PieceReader } from './pieces';

/** What reads the tapes of a format in pieces; undefined for a format that has to be read whole. Loads no other format. */
export async function pieceReader(format: FormatId): Promise<PieceReader | undefined> {
  return format === 'tapedeck' ? (await import('./formats/tapedeck/pieces')).tapedeckPieces : undefined;
}

/** The same with what finding requests has to know of the format, which is not loaded for that: it writes and edits tapes as well. */
export async function piecewiseFormat(
  id: FormatId,
): Promise<{ readonly format: MatchedFormat; readonly pieces: PieceReader } | undefined> {
  const pieces = await pieceReader(id);
  // It keeps whole requests, and no keys of them.
  return pieces && { format: { id }, pieces };
}
