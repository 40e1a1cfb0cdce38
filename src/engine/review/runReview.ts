import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { writeBaseline } from '../../core/cases/artifactFile';
import type { Artifact } from '../../core/model/artifact';
import { compareRuns, type RunComparison } from '../../core/review/compare/compareRuns';
import { Normaliser } from '../../core/review/compare/normaliser';
import {
  type Decision,
  type Decisions,
  decide,
  readDecisions,
  reviewStamp,
  writeDecisions,
} from '../../core/review/decisions';
import { mergeRuns } from '../../core/review/merge/mergeRuns';
import type { DecideParams } from '../../protocol/engine';
import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { writeInProject } from '../files/writeFile';
import { type CaseFiles, caseFiles } from '../project/caseFiles';
import { projectConfig } from '../project/projectConfig';
import { readStoredArtifact } from './baseline';

/** What is to be decided about the last run of a case. */
export interface OpenRunReview {
  readonly files: CaseFiles;
  readonly artifact: Artifact;
  readonly baseline: Artifact | undefined;
  readonly comparison: RunComparison;
  readonly decisions: Decisions;
  /** Of the files as they were read: see `reviewStamp`. */
  readonly stamp: string;
}

/**
 * Reads the last run of a case and its baseline; undefined when the case has not been run. Rejects with a `UserError`
 * when a file cannot be read.
 */
export async function openRunReview(root: string, casePath: string): Promise<OpenRunReview | undefined> {
  const files = caseFiles(root, casePath);
  const artifact = await readOne(root, files.artifact);
  if (artifact === undefined) return undefined;
  const baseline = await readOne(root, files.baseline);
  const stamp = await stampOf(files);
  const decisions = readDecisions((await textOf(files.decision)) ?? '');
  const normaliser = new Normaliser((await projectConfig(root)).normalise);
  return { files, artifact, baseline, comparison: compareRuns(baseline, artifact, normaliser), decisions, stamp };
}

/** Carries changes of the case's last run into its baseline, atomically. Refuses when the files are not those that were reviewed. */
export async function acceptRun(params: DecideParams): Promise<void> {
  const { root, ids } = params;
  const { files, artifact, baseline, comparison, decisions, stamp } = await requireReview(params);
  const accepted = baseline === undefined ? artifact : mergeRuns(baseline, artifact, comparison, new Set(ids));
  await assertRunUnchanged(files, stamp);
  await writeInProject(root, files.baseline, writeBaseline(accepted));
  await writeRunDecisions(params, files, decisions, 'accepted');
}

/** Remembers that changes are not wanted, in this run and in later ones that differ in the same. The baseline stays. */
export async function rejectRun(params: DecideParams): Promise<void> {
  const { files, decisions } = await requireReview(params);
  await writeRunDecisions(params, files, decisions, 'rejected');
}

/** The review of the very files that were decided about. */
async function requireReview({ root, casePath, stamp }: DecideParams): Promise<OpenRunReview> {
  const review = await openRunReview(root, casePath);
  if (review === undefined) throw notRunError(fromRoot(root, casePath));
  if (review.stamp !== stamp) throw runChangedError(review.files.name);
  return review;
}

function runChangedError(name: string): UserError {
  return new UserError(
    `${name}: its run or its baseline has changed since this review`,
    'Look at the new result and decide about that.',
  );
}

export function notRunError(name: string): UserError {
  return new UserError(`${name} has not been run`, 'Run it; then there is something to decide.');
}

async function stampOf({ artifact, baseline }: CaseFiles): Promise<string> {
  return reviewStamp(await textOf(artifact), await textOf(baseline));
}

/** Right before writing, because others write, too. */
async function assertRunUnchanged(files: CaseFiles, stamp: string): Promise<void> {
  if ((await stampOf(files)) !== stamp) throw runChangedError(files.name);
}

async function textOf(path: string): Promise<string | undefined> {
  return readTextIfThere(path, FILE_LIMITS.artifact);
}

async function readOne(root: string, path: string): Promise<Artifact | undefined> {
  const stored = await readStoredArtifact(path, fromRoot(root, path));
  if (stored.type === 'artifact') return stored.artifact;
  const [failure] = stored.type === 'unreadable' ? stored.failures : [];
  if (failure === undefined) return undefined;
  throw new UserError(failure.message, failure.fix);
}

async function writeRunDecisions(
  { root, ids, reason }: DecideParams,
  { decision }: CaseFiles,
  decisions: Decisions,
  verdict: Decision,
): Promise<void> {
  const text = writeDecisions(decide(decisions, ids, verdict, reason));
  await writeInProject(root, decision, text);
}
