import { basename } from 'node:path';
import type { Tape } from '../../core/model/tape';
import type { TapeFormat } from '../../core/tapes/format';
import type { TapeFile } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { shellWord } from '../../core/text/shellWord';
import { UserError } from '../errors/userError';

/** A tape to convert; `name` is as the user wrote it. */
export interface ConvertedFile {
  readonly file: TapeFile;
  readonly format: TapeFormat;
  readonly name: string;
}

/** Of a tape in another format, in UTF-16 units: both texts and everything that is read from them are in memory. */
const MAX_CONVERTED_TEXT = 40_000_000;
const MAX_CONVERTED = 20_000;

/**
 * Reads a tape to convert it. Throws a `UserError` if it is too large, or broken: what cannot be read would be missing
 * from the new one without notice.
 */
export function wholeTape({ file, format, name }: ConvertedFile): Tape {
  const tape = format.read(file);
  const problem = tape.problems.find(({ severity }) => severity === 'error');
  if (problem !== undefined)
    throw new UserError(`${name}: ${problem.message}`, () => t('For details: tapedeck verify {0}', shellWord(name)));
  requireConvertible(name, file, tape);
  return tape;
}

function requireConvertible(name: string, { text }: TapeFile, { interactions }: Tape): void {
  const count = (value: number): string => value.toLocaleString('en-US');
  const isLong = text.length > MAX_CONVERTED_TEXT;
  if (!isLong && interactions.length <= MAX_CONVERTED) return;
  const message = () =>
    isLong
      ? t(
          '{0} has {1} characters; at most {2} can be converted to another format',
          name,
          count(text.length),
          count(MAX_CONVERTED_TEXT),
        )
      : t(
          '{0} has {1} interactions; at most {2} can be converted to another format',
          name,
          count(interactions.length),
          count(MAX_CONVERTED),
        );
  throw new UserError(message, () => t('Split it into smaller tapes.'));
}

/** The name of a file without its extensions, for a tape without a name. */
export function nameOfTape(path: string): string {
  return basename(path).replace(/(?:\.tape)?\.[^.]+(?:\.gz)?$/, '');
}
