import type { ReviewedChange } from '../../../contracts/engine/review';
import type { Artifact } from '../../../core/model/artifact';
import type { Change } from '../../../core/model/change';
import type { Measure } from '../../../core/review/measures';
import { t } from '../../../core/text/l10n';
import { LineIndex } from '../../../core/text/source';
import { type LazyCore, loadCore } from '../../../reader/loadCore';

/** A file of a review. */
export interface ReviewFile {
  /** The name for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files from which the review of a run is made. */
export interface ReviewFiles {
  readonly artifact: ReviewFile;
  readonly baseline?: ReviewFile;
  readonly decisions?: ReviewFile;
  /** `tapedeck.toml`, whose rules ignore differences. */
  readonly config?: ReviewFile;
  /** The case, if it is in TOML: its rules do so as well. */
  readonly case?: ReviewFile;
}

export interface ReviewContent {
  /** The last run; absent when its file could not be read, as `problem` explains. */
  readonly artifact?: Artifact;
  readonly baseline?: Artifact;
  readonly changes: readonly ReviewedChange[];
  /** Differences that the rules ignore. */
  readonly hidden: readonly Change[];
  readonly measures: readonly Measure[];
  /** How many changes are pending. */
  readonly pending: number;
  /** The stamp of the files as they were read: see `reviewStamp`. */
  readonly stamp: string;
  /** Why there can be no review: the file, the position and how to fix it. */
  readonly problem?: string;
}

/** Reads the review of a run from its artifact, baseline and decisions. Never rejects because of their content. */
export async function readReview(files: ReviewFiles): Promise<ReviewContent> {
  const core = await loadCore();
  const artifact = readArtifactFile(files.artifact, core);
  if (typeof artifact === 'string') return unreadableReview(artifact);
  const baseline = files.baseline && readArtifactFile(files.baseline, core);
  if (typeof baseline === 'string') return { ...unreadableReview(baseline), artifact };
  const problem = core.errorInReview(artifact);
  if (problem !== undefined) return { ...unreadableReview(problem), artifact, ...(baseline && { baseline }) };
  const { compareRuns, DEFAULT_RULES, Normaliser, readConfig, reviewStamp, seenSides, sha256Hex } = core;
  const { pendingInRun, readCase, readDecisions, runMeasures, withCaseRules, withDecisions } = core;
  const project = files.config && readConfig(textOf(files.config)).value?.normalise;
  const own = files.case && readCase(textOf(files.case)).value?.normalise;
  const normaliser = new Normaliser(withCaseRules(project ?? DEFAULT_RULES, own));
  const { changes, hidden } = compareRuns(baseline, artifact, normaliser);
  const decisions = readDecisions(files.decisions === undefined ? '' : textOf(files.decisions));
  const pending = pendingInRun(changes, decisions);
  const sides = { ...(files.baseline && { before: files.baseline.bytes }), after: files.artifact.bytes };
  return {
    artifact,
    baseline,
    changes: withDecisions(changes, pending, decisions),
    hidden,
    measures: runMeasures(baseline, artifact),
    pending: pending.length,
    stamp: reviewStamp(seenSides(sides, sha256Hex), normaliser.rules, sha256Hex),
  };
}

function textOf({ bytes }: ReviewFile): string {
  return new TextDecoder().decode(bytes);
}

/** A review that only explains why there is none. */
export function unreadableReview(problem: string): ReviewContent {
  return { changes: [], hidden: [], measures: [], pending: 0, stamp: '', problem };
}

/** The artifact, or the problem of its file. */
function readArtifactFile(file: ReviewFile, { readArtifact }: LazyCore): Artifact | string {
  const { name } = file;
  const text = textOf(file);
  const { value, problems } = readArtifact(text);
  if (value !== undefined) return value;
  const problem = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  if (problem === undefined) return t('{0} cannot be read.', name);
  const { line, column } = new LineIndex(text).position(problem.span.start);
  const fix = problem.fix ?? t('Fix the file, or delete it and run the case again.');
  return t('{0}, line {1}, column {2}: {3}. {4}', name, line, column, problem.message, fix);
}
