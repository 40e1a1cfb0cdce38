import { pendingChanges, readDecision, reviewChanges } from '../../core/review/changes';
import { type Artifact, readArtifact } from '../../core/runs/artifact';
import { LineIndex } from '../../core/text/source';
import type { ReviewedChange } from '../../protocol/review';

/** A file of a review, named as the user knows it. */
export interface ReviewFile {
  readonly name: string;
  readonly text: string;
}

export interface ReviewContent {
  /** The last run; absent when its file could not be read, which `problem` then says. */
  readonly artifact?: Artifact;
  readonly baseline?: Artifact;
  readonly changes: readonly ReviewedChange[];
  /** How many of the changes are still to be decided. */
  readonly pending: number;
  /** Why there can be no review: the file, the place and the way out. */
  readonly problem?: string;
}

/** What is to be reviewed, from the texts of a run's artifact, its baseline and the decisions so far. Total. */
export function readReview(artifactFile: ReviewFile, baselineFile?: ReviewFile, decisionText?: string): ReviewContent {
  const artifact = readOne(artifactFile);
  if (typeof artifact === 'string') return nothing(artifact);
  const baseline = baselineFile && readOne(baselineFile);
  if (typeof baseline === 'string') return { ...nothing(baseline), artifact };
  const changes = reviewChanges(baseline, artifact);
  const decision = decisionText === undefined ? undefined : readDecision(decisionText);
  const pending = new Set(pendingChanges(changes, artifact, decision));
  return {
    artifact,
    ...(baseline && { baseline }),
    changes: changes.map((change) => ({ ...change, decision: pending.has(change) ? 'open' : 'rejected' })),
    pending: pending.size,
  };
}

function nothing(problem: string): ReviewContent {
  return { changes: [], pending: 0, problem };
}

/** The artifact, or what is wrong with its file. */
function readOne({ name, text }: ReviewFile): Artifact | string {
  const { value, problems } = readArtifact(text);
  if (value !== undefined) return value;
  const problem = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  if (problem === undefined) return `${name} cannot be read.`;
  const { line, column } = new LineIndex(text).position(problem.span.start);
  const fix = problem.fix ?? 'Repair the file, or delete it and run the case again.';
  return `${name}, line ${line}, column ${column}: ${problem.message}. ${fix}`;
}
