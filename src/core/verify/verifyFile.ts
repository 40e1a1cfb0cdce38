import type { FormatId, Tape } from '../model/tape';
import type { SecretSearch } from '../secrets/secretSearch';
import { readDocuments } from '../tapes/documents';
import type { TapeFormat } from '../tapes/format';
import { isNotRead } from '../tapes/notRead';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { conflictProblem, UNREADABLE } from '../tapes/unreadable';
import { t } from '../text/l10n';
import type { Problem } from '../text/source';
import { findDamage, missingContent } from './damagedTape';
import type { Finding } from './finding';
import { findFileSecrets, findLeakedSecrets } from './leakedSecrets';
import { findBadBase64, findDuplicateKeys, findTruncation } from './malformed';
import { findRepeatedInteractions } from './repeatedInteractions';

/** The findings in a file that is a tape, or was meant to be one. */
interface VerifiedFile {
  /** Absent if the file is too damaged to recognise it. */
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
  if (format === UNREADABLE) return verifyConflict(file, secrets);
  if (format !== undefined) return verifyTape(file, format, secrets);
  const findings = findDamage(file);
  return findings.length === 0 ? undefined : { interactions: 0, findings };
}

/** A tape with two versions in it is only searched for secrets: whatever else seems wrong follows from that. */
function verifyConflict(file: TapeFile, secrets: SecretSearch | undefined): VerifiedFile {
  const problem = conflictProblem(file);
  const conflict: Finding[] = problem === undefined ? [] : [{ ...problem, rule: 'conflict' }];
  return { interactions: 0, findings: [...conflict, ...findFileSecrets(file, secrets)].sort(byPlace) };
}

/** The findings in a file that stands where only tapes do, and that no format knows: `check` asks about it, too. */
export function verifyUnknownFile(file: TapeFile, secrets?: SecretSearch): VerifiedFile {
  const unknown: Finding = {
    severity: 'info',
    rule: 'unknown',
    message: t('it is not a tape in a known format, so it was only checked for secrets'),
    span: { start: 0, end: 0 },
  };
  return { interactions: 0, findings: [unknown, ...findFileSecrets(file, secrets)] };
}

function verifyTape(file: TapeFile, format: TapeFormat, secrets: SecretSearch | undefined): VerifiedFile {
  const tape = format.read(file);
  const documents = readDocuments(file);
  const encoded = findBadBase64(file.text, tape, documents);
  const findings: Finding[] = [
    // Formats report the body with invalid base64; `encoded` has the character.
    ...tape.problems.filter(({ message }) => encoded.length === 0 || !/base64/.test(message)).map(ofFormat),
    ...findDuplicateKeys(documents.roots),
    ...encoded,
    ...findTruncation(file, format, tape, documents),
    ...findLeakedSecrets({ file, tape, roots: documents.roots }, secrets),
    // Where bodies were not read, interactions look alike that are not.
    ...(tape.problems.some(isNotRead) ? [] : findRepeatedInteractions(file.text, tape)),
  ];
  return { format: format.id, tape, interactions: tape.interactions.length, findings: findings.sort(byPlace) };
}

function ofFormat(problem: Problem): Finding {
  return { ...problem, rule: isNotRead(problem) ? 'not-read' : 'format' };
}

function byPlace(left: Finding, right: Finding): number {
  return left.span.start - right.span.start;
}
