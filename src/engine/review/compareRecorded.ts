import type { ChangeSet } from '../../core/model/change';
import { compareRuns } from '../../core/review/compare/compareRuns';
import { compareTapes } from '../../core/review/compare/compareTapes';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { UserError } from '../errors/userError';
import type { RecordedFile } from '../recording/recordedFile';

/** A recorded file with its name for messages. */
export interface NamedRecording {
  readonly name: string;
  readonly file: RecordedFile;
}

const ARTICLES = { tape: 'a tape', artifact: 'an artifact' } as const;

/** Compares any two recordings. Throws a `UserError` where one is a tape and the other an artifact. */
export function compareRecorded(before: NamedRecording, after: NamedRecording, normaliser: Normaliser): ChangeSet {
  const [old, now] = [before.file, after.file];
  if (old.kind === 'tape' && now.kind === 'tape') return compareTapes(old.tape, now.tape, normaliser);
  if (old.kind === 'artifact' && now.kind === 'artifact') return compareRuns(old.artifact, now.artifact, normaliser);
  throw new UserError(
    `${before.name} is ${ARTICLES[old.kind]} and ${after.name} ${ARTICLES[now.kind]}`,
    'Compare two tapes, or two artifacts.',
  );
}

/** Refuses a tape that can be read only in part: the rest would appear as removed. */
export function requireWhole({ name, file }: NamedRecording, fix: string): void {
  const problem = file.kind === 'tape' ? file.tape.problems.find(({ severity }) => severity === 'error') : undefined;
  if (problem !== undefined) throw new UserError(`${name}: ${problem.message}`, fix);
}
