import { GZIPPED_TAPE } from '../bytes/fileLimits';
import { readArtifact } from '../cases/artifactFile';
import { looksLikeCase } from '../cases/toml/looksLikeCase';
import type { Artifact } from '../model/artifact';
import type { ChangeSet } from '../model/change';
import type { Tape } from '../model/tape';
import type { TapeFormat } from '../tapes/format';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { t } from '../text/l10n';
import { shellWord } from '../text/shellWord';

/** A tape with its file. */
export interface RecordedTape {
  readonly file: TapeFile;
  readonly format: TapeFormat;
  readonly tape: Tape;
}

/** A file that holds recorded runs. */
export type RecordedFile =
  | ({ readonly kind: 'tape' } & RecordedTape)
  | { readonly kind: 'artifact'; readonly text: string; readonly artifact: Artifact };

/** Why two recordings are not compared, and what to do. */
export interface Refusal {
  readonly refused: string;
  readonly fix: string;
}

/** A tape or an artifact of its content; `name` is for messages. */
export function readRecording(name: string, file: TapeFile): RecordedFile | Refusal {
  const format = detectFormat(file);
  if (format !== undefined) return { kind: 'tape', file, tape: format.read(file), format };
  const { text } = file;
  const { value: artifact } = readArtifact(text);
  if (artifact !== undefined) return { kind: 'artifact', text, artifact };
  if (looksLikeCase(text))
    return { refused: t('{0} is a case, not a recording', name), fix: t('Run it: tapedeck run {0}', shellWord(name)) };
  return {
    refused: t('{0} is neither a tape nor an artifact in a known format', name),
    fix: t(
      'Pass a tape, or an artifact or baseline of Tapedeck or MoFA. To use a format of your own, describe it: tapedeck layout {0}',
      shellWord(name),
    ),
  };
}

/** Whether two files say the same to the last character, so that nothing in them need be compared. */
export function isSameFile(before: RecordedFile, after: RecordedFile): boolean {
  if (before.kind === 'tape') return after.kind === 'tape' && before.file.text === after.file.text;
  return after.kind === 'artifact' && before.text === after.text;
}

export const NO_CHANGES: ChangeSet = { changes: [], hidden: [], notices: [] };

/** A recorded file with its name for messages. */
export interface NamedRecording {
  readonly name: string;
  readonly file: RecordedFile;
}

/** Why a tape is not compared that can be read only in part: the rest would appear as removed. */
export function partlyRead({ name, file }: NamedRecording, fix: string): Refusal | undefined {
  const problem = file.kind === 'tape' ? file.tape.problems.find(({ severity }) => severity === 'error') : undefined;
  return problem && { refused: `${name}: ${problem.message}`, fix };
}

/**
 * The most bytes of a file, of both sides together, that are compared in detail: as bytes, as text, and as interactions they
 * take several times the memory.
 */
export const MAX_COMPARED_BYTES = 96e6;
export const COMPARED_GZIP = { ...GZIPPED_TAPE, maxBytes: MAX_COMPARED_BYTES / 2 };

/** Why two files of so many bytes together are not compared. */
export function tooLargeToCompare(bytes: number): Refusal | undefined {
  if (bytes <= MAX_COMPARED_BYTES) return undefined;
  return {
    refused: t('the two files together are larger than {0} MB', MAX_COMPARED_BYTES / 1e6),
    fix: t('Compare them in a terminal: tapedeck diff A B'),
  };
}
