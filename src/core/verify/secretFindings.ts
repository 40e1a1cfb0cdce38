import { readTape } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { readDocuments } from './documents';
import type { Finding } from './finding';
import { leakedSecrets } from './leakedSecrets';

/** The secrets in a file; none where it is no tape. */
export function secretFindings(file: TapeFile): readonly Finding[] {
  const tape = readTape(file);
  return tape === undefined ? [] : leakedSecrets(file, tape, readDocuments(file).roots);
}
