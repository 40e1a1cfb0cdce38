import type { Artifact } from '../model/artifact';
import type { ChangeSet } from '../model/change';
import type { NormaliseRules } from '../model/normalise';
import type { PriceTable } from '../prices/priceTable';
import { decodeTapeFile } from '../tapes/tapeFile';
import { message, t } from '../text/l10n';
import { readLfsPointer } from '../verify/lfsPointer';
import { compareRuns } from './compare/compareRuns';
import { Normaliser } from './compare/normaliser';
import { type Measure, runMeasures } from './measures';
import {
  COMPARED_GZIP,
  isSameFile,
  type NamedRecording,
  NO_CHANGES,
  partlyRead,
  type RecordedFile,
  type Refusal,
  readRecording,
  tooLargeToCompare,
} from './recordings';
import { tapeMeasures } from './tapeMeasures';
import { compareTapeFiles } from './unread/compareTapeFiles';

const ARTICLES = { tape: message('a tape'), artifact: message('an artifact') } as const;

/** Compares any two recordings; refused where one is a tape and the other an artifact. */
export function compareRecorded(
  before: NamedRecording,
  after: NamedRecording,
  normaliser: Normaliser,
): ChangeSet | Refusal {
  const [old, now] = [before.file, after.file];
  if (isSameFile(old, now)) return NO_CHANGES;
  if (old.kind === 'tape' && now.kind === 'tape') return compareTapeFiles(old, now, normaliser);
  if (old.kind === 'artifact' && now.kind === 'artifact') return compareRuns(old.artifact, now.artifact, normaliser);
  return {
    refused: t('{0} is {1} and {2} {3}', before.name, t(ARTICLES[old.kind]), after.name, t(ARTICLES[now.kind])),
    fix: t('Compare two tapes, or two artifacts.'),
  };
}

/** One side of a comparison that an editor shows. */
export interface RecordingBytes {
  /** For messages. */
  readonly name: string;
  /** With `/`: formats are recognised by it, too. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A project's rules and prices for comparisons. */
export interface ComparisonRules {
  readonly normalise: NormaliseRules;
  readonly prices?: PriceTable | undefined;
}

/** Two recordings, compared by the rules and prices of their project. */
export interface ComparedRecordings extends ChangeSet {
  readonly kind: 'tape' | 'run';
  readonly measures: readonly Measure[];
}

/** Compares what two files hold, for an editor. */
export function compareRecordings(
  before: RecordingBytes,
  after: RecordingBytes,
  rules: ComparisonRules,
): ComparedRecordings | Refusal {
  const tooLarge = tooLargeToCompare(before.bytes.length + after.bytes.length);
  if (tooLarge !== undefined) return tooLarge;
  const old = wholeRecording(before);
  const now = wholeRecording(after);
  if ('refused' in old) return old;
  if ('refused' in now) return now;
  const compared = compareRecorded(old, now, new Normaliser(rules.normalise));
  if ('refused' in compared) return compared;
  const { changes, hidden, notices } = compared;
  return { changes, hidden, notices, ...measured(old.file, now.file, rules) };
}

function measured(
  before: RecordedFile,
  after: RecordedFile,
  { prices }: ComparisonRules,
): Pick<ComparedRecordings, 'kind' | 'measures'> {
  if (before.kind === 'tape' && after.kind === 'tape')
    return { kind: 'tape', measures: tapeMeasures(before.tape, after.tape, prices) };
  return { kind: 'run', measures: runMeasures(artifactOf(before), artifactOf(after)) };
}

function artifactOf(file: RecordedFile): Artifact | undefined {
  return file.kind === 'artifact' ? file.artifact : undefined;
}

/** A side that can be read as a whole. */
function wholeRecording({ name, path, bytes }: RecordingBytes): NamedRecording | Refusal {
  if (readLfsPointer(bytes) !== undefined)
    return { refused: t('{0} is a Git LFS pointer', name), fix: t('Fetch its content with `git lfs pull`.') };
  const file = readRecording(name, decodeTapeFile(path, bytes, COMPARED_GZIP));
  if ('refused' in file) return file;
  return partlyRead({ name, file }, t('Open it to see its problems.')) ?? { name, file };
}
