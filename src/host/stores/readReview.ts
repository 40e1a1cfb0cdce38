import { readArtifact } from '../../core/cases/artifactFile';
import type { Artifact } from '../../core/model/artifact';
import type { Change } from '../../core/model/change';
import { pendingInRun, readDecisions, reviewStamp, withDecisions } from '../../core/review/decisions';
import { type Measure, runMeasures } from '../../core/review/measures';
import { LineIndex } from '../../core/text/source';
import type { ReviewedChange } from '../../protocol/review';
import { loadCore } from '../../reader/loadCore';

/** A file of a review, named as the user knows it. */
export interface ReviewFile {
  readonly name: string;
  readonly text: string;
}

/** The files that a review is made of. */
export interface ReviewFiles {
  readonly artifact: ReviewFile;
  readonly baseline?: ReviewFile;
  readonly decisions?: ReviewFile;
  /** `tapedeck.toml`, which says what counts as a difference. */
  readonly config?: ReviewFile;
}

export interface ReviewContent {
  /** The last run; absent when its file could not be read, which `problem` then says. */
  readonly artifact?: Artifact;
  readonly baseline?: Artifact;
  readonly changes: readonly ReviewedChange[];
  /** What normalising rules hide. */
  readonly hidden: readonly Change[];
  readonly measures: readonly Measure[];
  /** How many of the changes are still to be decided. */
  readonly pending: number;
  /** Of the files as they were read: what is decided about others is refused. */
  readonly stamp: string;
  /** Why there can be no review: the file, the place and the way out. */
  readonly problem?: string;
}

/** What is to be reviewed, from the texts of a run's artifact, its baseline and the decisions so far. Total. */
export async function readReview(files: ReviewFiles): Promise<ReviewContent> {
  const artifact = readArtifactFile(files.artifact);
  if (typeof artifact === 'string') return unreadableReview(artifact);
  const baseline = files.baseline && readArtifactFile(files.baseline);
  if (typeof baseline === 'string') return { ...unreadableReview(baseline), artifact };
  const { compareRuns, Normaliser, readConfig } = await loadCore();
  const rules = files.config && readConfig(files.config.text).value?.normalise;
  const { changes, hidden } = compareRuns(baseline, artifact, new Normaliser(rules));
  const decisions = readDecisions(files.decisions?.text ?? '');
  const pending = pendingInRun(changes, decisions);
  return {
    artifact,
    ...(baseline && { baseline }),
    changes: withDecisions(changes, pending, decisions),
    hidden,
    measures: runMeasures(baseline, artifact),
    pending: pending.length,
    stamp: reviewStamp(files.artifact.text, files.baseline?.text),
  };
}

export function unreadableReview(problem: string): ReviewContent {
  return { changes: [], hidden: [], measures: [], pending: 0, stamp: '', problem };
}

/** The artifact, or what is wrong with its file. */
function readArtifactFile({ name, text }: ReviewFile): Artifact | string {
  const { value, problems } = readArtifact(text);
  if (value !== undefined) return value;
  const problem = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  if (problem === undefined) return `${name} cannot be read.`;
  const { line, column } = new LineIndex(text).position(problem.span.start);
  const fix = problem.fix ?? 'Repair the file, or delete it and run the case again.';
  return `${name}, line ${line}, column ${column}: ${problem.message}. ${fix}`;
}
