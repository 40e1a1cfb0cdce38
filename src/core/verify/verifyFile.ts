import type { FormatId, Tape } from '../model/tape';
import type { SecretSearch } from '../secrets/secretSearch';
import { readDocuments } from '../tapes/documents';
import type { TapeFormat } from '../tapes/format';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import type { Problem } from '../text/source';
import type { Finding } from './finding';
import { findLeakedSecrets } from './leakedSecrets';
import { isLfsPointer } from './lfsPointer';
import { findBadBase64, findDuplicateKeys, findRemains, findTruncation } from './malformed';
import { findRepeatedInteractions } from './repeatedInteractions';

/** The findings in a file that is a tape, or was meant to be one. */
export interface VerifiedFile {
  /** Absent where the file is too damaged to recognise it. */
  readonly format?: FormatId;
  /** Absent likewise. */
  readonly tape?: Tape;
  readonly interactions: number;
  /** In the order of the file. */
  readonly findings: readonly Finding[];
}

/**
 * Verifies one file. Undefined if it is not a tape, nor a damaged one. `secrets` is the search of the project's recorder; by
 * default, secrets are known by their shapes and names.
 */
export function verifyFile(file: TapeFile, secrets?: SecretSearch): VerifiedFile | undefined {
  const missing = missingContent(file);
  if (missing !== undefined) return { interactions: 0, findings: [missing] };
  const format = detectFormat(file);
  if (format === undefined) return verifyRemains(file);
  return verifyTape(file, format, secrets);
}

function verifyTape(file: TapeFile, format: TapeFormat, secrets: SecretSearch | undefined): VerifiedFile {
  const tape = format.read(file);
  const documents = readDocuments(file);
  const encoded = findBadBase64(file.text, tape, documents.roots);
  const findings: Finding[] = [
    // Formats report the body with invalid base64; `encoded` has the character.
    ...tape.problems.filter(({ message }) => encoded.length === 0 || !/base64/.test(message)).map(ofFormat),
    ...findDuplicateKeys(documents.roots),
    ...encoded,
    ...findTruncation(file.text, tape, documents),
    ...findLeakedSecrets({ file, tape, roots: documents.roots }, secrets),
    ...findRepeatedInteractions(file.text, tape),
  ];
  return { format: format.id, tape, interactions: tape.interactions.length, findings: findings.sort(byPlace) };
}

function ofFormat(problem: Problem): Finding {
  return { ...problem, rule: 'format' };
}

function byPlace(left: Finding, right: Finding): number {
  return left.span.start - right.span.start;
}

const GZIP = '\u001f\u008b';

/** Reports a file whose content is elsewhere or lost. */
function missingContent({ text, gzipHeader, unreadable }: TapeFile): Finding | undefined {
  if (unreadable !== undefined) return atStart('unreadable', `the file was not read: ${unreadable}`, RESTORE);
  if (isLfsPointer(text)) {
    return atStart(
      'lfs-pointer',
      'this is a Git LFS pointer: the tape itself has not been fetched',
      'Run: git lfs pull',
    );
  }
  if (text.trim() === '') return atStart('empty', 'the file is empty', RESTORE);
  if (text.startsWith(GZIP) && gzipHeader === undefined) {
    return atStart('gzip', 'the gzip data is damaged or truncated', RESTORE);
  }
  return undefined;
}

const RESTORE = 'Restore it from version control, or record the tape again.';

/** Reports a file that no format recognises if its syntax is broken or it begins like a tape. */
function verifyRemains(file: TapeFile): VerifiedFile | undefined {
  const { syntax, problems } = readDocuments(file);
  const broken = syntax === 'other' ? [] : problems.map((problem): Finding => ({ ...problem, rule: 'syntax' }));
  const findings = broken.length > 0 ? broken : findRemains(file.text);
  return findings.length === 0 ? undefined : { interactions: 0, findings };
}

function atStart(rule: Finding['rule'], message: string, fix: string): Finding {
  return { severity: 'error', rule, message, fix, span: { start: 0, end: 0 } };
}
