import type { FormatId } from '../model/tape';
import type { TapeFormat } from './format';

/** The format of a tape whose interactions can be read one by one; undefined for any other. Loads none of the other formats. */
export async function piecewiseFormat(
  id: FormatId,
): Promise<(TapeFormat & Required<Pick<TapeFormat, 'inPieces'>>) | undefined> {
  return id === 'tapedeck' ? (await import('./formats/tapedeck/index')).tapedeckFormat : undefined;
}
