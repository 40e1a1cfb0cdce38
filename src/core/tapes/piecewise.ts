import type { FormatId } from '../model/tape';
import type { TapeFormat } from './format';
import type { PieceReader } from './pieces';

/** What reads the tapes of a format in pieces; undefined for a format that has to be read whole. Loads no other format. */
export async function pieceReader(format: FormatId): Promise<PieceReader | undefined> {
  return format === 'tapedeck' ? (await import('./formats/tapedeck/pieces')).tapedeckPieces : undefined;
}

/** The same with the format itself. */
export async function piecewiseFormat(
  id: FormatId,
): Promise<{ readonly format: TapeFormat; readonly pieces: PieceReader } | undefined> {
  const pieces = await pieceReader(id);
  return pieces && { format: (await import('./formats/tapedeck/index')).tapedeckFormat, pieces };
}
