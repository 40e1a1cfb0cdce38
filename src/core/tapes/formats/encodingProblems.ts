import type { Problem } from '../../text/source';
import type { TapeFile } from '../tapeFile';

/** What keeps Python from reading a file as UTF-8 JSON, and is no mistake in its text. */
export function encodingProblems({ encoding, bom }: TapeFile, reader: string): Problem[] {
  const span = { start: 0, end: 0 };
  if (encoding !== 'utf-8') {
    const fix = 'Save it as UTF-8, or restore it from version control.';
    return [{ severity: 'error', message: `the file is not UTF-8: ${reader} cannot read it`, fix, span }];
  }
  if (!bom) return [];
  const message = `the file begins with a byte order mark: ${reader} does not read what follows it`;
  return [{ severity: 'error', message, fix: 'Save it as UTF-8 without a byte order mark.', span }];
}
