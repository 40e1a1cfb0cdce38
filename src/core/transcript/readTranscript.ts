import type { PriceTable } from '../prices/priceTable';
import type { TapeFile } from '../tapes/tapeFile';
import type { Transcript } from './transcript';
import { openTranscript } from './transcriptReader';

/** The whole transcript of a tape at once; undefined when the file is no tape. */
export function readTranscript(file: TapeFile, prices?: PriceTable): Transcript | undefined {
  const reader = openTranscript(file, prices);
  if (reader === undefined) return undefined;
  while (reader.advance());
  const bodies = reader.summaries.flatMap((_, position) => reader.body(position) ?? []);
  return {
    name: reader.name,
    formatLabel: reader.format.label,
    totals: reader.totals,
    interactions: reader.summaries,
    bodies,
    problems: reader.problems,
  };
}
