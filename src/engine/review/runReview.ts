import type { Artifact } from '../../core/model/artifact';
import type { RunComparison } from '../../core/review/compare/compareRuns';
import { errorInReview, reviewRun } from '../../core/review/compare/reviewRun';
import { pendingInRun } from '../../core/review/decisions';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import { caseFiles } from '../project/caseFiles';
import { OwnState } from '../project/ownState';
import { readStoredArtifact, type StoredArtifact } from './baseline';
import { OwnDecisions } from './decisionFile';
import { ReviewRules } from './reviewRules';
import { seenOf, stampOf } from './stamp';
import type { SubjectReview } from './subject';

/** The review of a case's last run. */
export interface RunReview extends SubjectReview {
  readonly kind: 'run';
  readonly artifact: Artifact;
  /** Undefined before the first run was accepted. */
  readonly baseline: Artifact | undefined;
  readonly comparison: RunComparison;
}

/**
 * Compares the last run of a case with its baseline; undefined when the case has not been run. Rejects with a `UserError`
 * when a file cannot be read. The path is absolute.
 */
export async function openRunReview(
  root: string,
  casePath: string,
  own = new OwnDecisions(root),
  rules?: ReviewRules,
): Promise<RunReview | undefined> {
  const files = caseFiles(root, casePath);
  if (!(await new OwnState(root).has(fromRoot(root, files.artifact)))) return undefined;
  const artifact = await readOne(root, files.artifact);
  if (artifact === undefined) return undefined;
  const baseline = await readOne(root, files.baseline);
  const normaliser = await (rules ?? (await ReviewRules.of(root))).ofCase(files.name);
  const comparison = reviewRun(baseline?.artifact, artifact.artifact, normaliser);
  const { changes, hidden, notices } = comparison;
  const error = errorInReview(artifact.artifact);
  const decisions = await own.read(files.decision);
  const sides = seenOf({ ...(baseline && { before: baseline.bytes }), after: artifact.bytes });
  return {
    kind: 'run',
    path: files.name,
    against: 'baseline',
    sides,
    artifact: artifact.artifact,
    baseline: baseline?.artifact,
    comparison,
    changes,
    hidden,
    notices,
    decisions,
    pending: pendingInRun(changes, decisions),
    stamp: stampOf(sides, normaliser),
    error,
  };
}

export function notRunError(name: string): UserError {
  return new UserError(t('{0} has not been run', name), t('Run it first, so that there is a result to review.'));
}

async function readOne(root: string, path: string): Promise<Extract<StoredArtifact, { type: 'artifact' }> | undefined> {
  const stored = await readStoredArtifact(path, fromRoot(root, path));
  if (stored.type === 'artifact') return stored;
  const [failure] = stored.type === 'unreadable' ? stored.failures : [];
  if (failure === undefined) return undefined;
  throw new UserError(failure.message, failure.fix);
}
