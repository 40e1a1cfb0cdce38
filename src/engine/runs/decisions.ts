import { readFile } from 'node:fs/promises';
import { prettyJson } from '../../core/json/json';
import { acceptFields, type Change, type Decision, readDecision, reviewChanges } from '../../core/review/changes';
import { type Artifact, writeBaseline } from '../../core/runs/artifact';
import type { DecideParams } from '../../protocol/engine';
import { asideFolder, type CaseFiles, caseFiles, fromRoot } from '../project/caseFiles';
import { isSystemError, UserError } from '../project/userError';
import { writeAtomically } from '../recording/atomicWrite';
import { readStoredArtifact } from './baseline';

/** What is to be decided about the last run of a case. */
export interface OpenReview {
  readonly files: CaseFiles;
  readonly artifact: Artifact;
  readonly baseline: Artifact | undefined;
  readonly changes: readonly Change[];
  readonly decision: Decision | undefined;
}

/**
 * Reads the last run of a case and its baseline; undefined when the case has not been run. Rejects with a `UserError`
 * when a file cannot be read.
 */
export async function openReview(root: string, casePath: string): Promise<OpenReview | undefined> {
  const files = caseFiles(root, casePath);
  const artifact = await readOne(root, files.artifact);
  if (artifact === undefined) return undefined;
  const baseline = await readOne(root, files.baseline);
  const decision = await readDecisionFile(files.decision);
  return { files, artifact, baseline, changes: reviewChanges(baseline, artifact), decision };
}

/** Makes the fields of the case's last run its baseline, atomically. Refuses when that is not the run that was reviewed. */
export async function acceptCase({ root, casePath, fields, executionId }: DecideParams): Promise<void> {
  const review = await reviewOf(root, casePath, executionId);
  const { files, artifact, baseline, decision } = review;
  const text = writeBaseline(acceptFields(baseline, artifact, fields));
  await writeAtomically(files.baseline, text, { asideFolder: asideFolder(root) });
  const rejected = rejectedFields(review).filter((field) => !fields.includes(field));
  if (decision !== undefined) await writeDecision(root, files, executionId, rejected);
}

/** Remembers that the fields of the case's last run are not wanted. The baseline stays. */
export async function rejectCase({ root, casePath, fields, executionId }: DecideParams): Promise<void> {
  const review = await reviewOf(root, casePath, executionId);
  await writeDecision(root, review.files, executionId, [...new Set([...rejectedFields(review), ...fields])]);
}

/** The review of the very run that was decided about. */
async function reviewOf(root: string, casePath: string, executionId: string): Promise<OpenReview> {
  const review = await openReview(root, casePath);
  if (review === undefined) throw notRun(fromRoot(root, casePath));
  if (review.artifact.execution_id === executionId) return review;
  throw new UserError(
    `${review.files.name}: the case has run again since this review`,
    'Look at the new result and decide about that.',
  );
}

export function notRun(name: string): UserError {
  return new UserError(`${name} has not been run`, 'Run it; then there is something to decide.');
}

/** What has been rejected of this very run. */
function rejectedFields({ artifact, decision }: OpenReview): readonly string[] {
  return decision?.execution_id === artifact.execution_id ? decision.rejected : [];
}

async function readOne(root: string, path: string): Promise<Artifact | undefined> {
  const stored = await readStoredArtifact(path, fromRoot(root, path));
  if (stored.type === 'artifact') return stored.artifact;
  const [failure] = stored.type === 'unreadable' ? stored.failures : [];
  if (failure === undefined) return undefined;
  throw new UserError(failure.message, failure.fix);
}

async function readDecisionFile(path: string): Promise<Decision | undefined> {
  try {
    return readDecision(await readFile(path, 'utf8'));
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDecision(
  root: string,
  { decision: path }: CaseFiles,
  execution_id: string,
  rejected: readonly string[],
): Promise<void> {
  const decision: Decision = { execution_id, rejected };
  await writeAtomically(path, prettyJson(decision), { asideFolder: asideFolder(root) });
}
