import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readArtifact } from '../../core/cases/artifactFile';
import { formatJsonPath } from '../../core/json/jsonPath';
import { differenceLine } from '../../core/match/driftLine';
import type { Artifact } from '../../core/model/artifact';
import type { Change } from '../../core/model/change';
import type { BaselineComparison, Failure } from '../../core/model/run';
import { compareRuns, type RunComparison } from '../../core/review/compare/compareRuns';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { t } from '../../core/text/l10n';
import { noticesIn, says } from '../../core/text/notice';
import { caseFailure, failureOf, failureText, problemFailures } from '../errors/failures';
import { isSystemError, systemReason } from '../errors/systemError';
import { readBytesIfThere } from '../files/readFile';
import type { Recorder } from '../recording/recorder';
import { writeRecorded } from '../recording/writeRecorded';

export type BaselineState = 'none' | 'compared' | 'unreadable' | 'written';

/** The file at the path of an artifact or baseline: one of these, nothing, or a file that is neither. */
export type StoredArtifact =
  | { readonly type: 'artifact'; readonly artifact: Artifact; readonly bytes: Uint8Array }
  | { readonly type: 'none' }
  | { readonly type: 'unreadable'; readonly failures: readonly Failure[] };

/** Reads an artifact or baseline; messages call it `name`. */
export async function readStoredArtifact(path: string, name: string): Promise<StoredArtifact> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readBytesIfThere(path, FILE_LIMITS.artifact);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return {
      type: 'unreadable',
      failures: [
        caseFailure(
          () => `${name}: ${systemReason(error)}`,
          () => t('Check the file and its permissions.'),
        ),
      ],
    };
  }
  if (bytes === undefined) return { type: 'none' };
  const text = bytes.toString('utf8');
  const { value } = readArtifact(text);
  if (value !== undefined) return { type: 'artifact', artifact: value, bytes };
  return { type: 'unreadable', failures: problemFailures(name, text, () => readArtifact(text).problems) };
}

/** Makes an artifact the baseline of its case, atomically: for a decision, and for `run --update-baselines`. */
export async function replaceBaseline(
  root: string,
  path: string,
  artifact: Artifact,
  recorder: Recorder,
): Promise<void> {
  await writeRecorded(root, path, recorder.baseline(artifact));
}

interface BaselineCheck {
  readonly state: BaselineState;
  readonly failures: readonly Failure[];
  readonly comparison?: BaselineComparison;
}

/**
 * Compares a run with its baseline. With `replace`, a run that does not match is to replace it (`written`), unless the
 * file is not a baseline.
 */
export function compareWithBaseline(
  stored: StoredArtifact,
  artifact: Artifact,
  normaliser: Normaliser,
  replace: boolean,
): BaselineCheck {
  const found = stored.type === 'artifact' ? compareRuns(stored.artifact, artifact, normaliser) : undefined;
  const comparison = found && comparisonOf(found);
  if (replace && stored.type !== 'unreadable' && comparison?.matches !== true)
    return { state: 'written', failures: [] };
  if (stored.type === 'none') return { state: 'none', failures: [] };
  if (stored.type === 'unreadable') {
    const fix = () => t('Correct or remove the file: a run only replaces a valid baseline.');
    return {
      state: 'unreadable',
      failures: replace
        ? stored.failures.map((one) => caseFailure(() => failureText(one, 'message'), fix))
        : stored.failures,
    };
  }
  return {
    state: 'compared',
    failures: differenceFailures(found?.changes ?? [], () => compareRuns(stored.artifact, artifact, normaliser)),
    comparison,
  };
}

/** The changes as reports of runs list them: by place, with the values of both sides. */
function comparisonOf({ changes, hidden, sources }: RunComparison): BaselineComparison {
  const differences = changes.map(({ id, place }) => {
    const [source] = sources.get(id) ?? [];
    return { field: formatJsonPath(place.path), expected: source?.before ?? null, actual: source?.after ?? null };
  });
  const ignored = hidden.filter(({ rules }) => rules.some((rule) => !DIFFER_ALWAYS.includes(rule))).length;
  return { matches: differences.length === 0, differences, ...(ignored > 0 && { ignored }) };
}

/** Rules of the fields that differ in every run, such as its duration. */
const DIFFER_ALWAYS: readonly string[] = ['run', 'timing', 'usage'];

/** The titles are found once more as notices; all else is what was compared. */
function differenceFailures(changes: readonly Change[], compare: () => RunComparison): readonly Failure[] {
  if (changes.length === 0) return [];
  const { made, saidIn } = noticesIn(() => compare().changes.map(({ title }) => title));
  return changes.map((change, index) => differenceFailure(change, () => says(saidIn(made[index] ?? change.title))));
}

function differenceFailure({ kind, before, after }: Change, title: () => string): Failure {
  return {
    ...failureOf('difference', {
      message: () =>
        kind === 'edited' ? t('{0} differs from the baseline', title()) : t('{0}, unlike the baseline', title()),
      fix: () => t('Accept the change if it is intended; otherwise fix the agent or re-record.'),
      line: () => differenceLine(title(), before, after),
    }),
    expected: before,
    actual: after,
  };
}
