import type { Said } from '../text/notice';
import type { FailureKind } from './run';

/** A trial: cases recorded with several models, each several times, apart from their tapes. */
export interface Trial {
  readonly models: readonly string[];
  readonly samples: number;
  /** The model of all tapes, if they share one. */
  readonly baselineModel?: string;
  readonly cases: readonly TrialCase[];
  /** Each case with each model, ordered by case, then by model, even without a sample. */
  readonly cells: readonly TrialCell[];
  /** Whether every sample was recorded. */
  readonly isComplete: boolean;
}

export interface TrialCase {
  readonly casePath: string;
  readonly name: string;
  /** From the root; absent if the case cannot be recorded. */
  readonly tapePath?: string;
  /** The model of its tape; absent if there is none, or it is not known. */
  readonly tapeModel?: string;
  /** How many samples its tape holds, where that is not one: `[assert] samples`. */
  readonly sampled?: number;
  /** Why the case cannot be recorded. */
  readonly refusal?: string;
  /** What the refusal says. */
  readonly said?: Said;
  /** Set with a refusal: the case is invalid, rather than only left out. */
  readonly isInvalid?: true;
}

export interface TrialCell {
  readonly casePath: string;
  readonly model: string;
  /** By their numbers. */
  readonly samples: readonly TrialSample[];
  readonly summary: TrialSummary;
  /** The share of samples that must pass: the `pass_rate` of the case, or 1. */
  readonly needed: number;
}

export interface TrialSample {
  /** From 1. */
  readonly sample: number;
  /** `error`: the run ended without a result to judge. */
  readonly verdict: TrialVerdict;
  /** What failed first. */
  readonly failure?: string;
  /** What the failure says. */
  readonly said?: Said;
  readonly failureKind?: FailureKind;
  /** The number of changes against the case's baseline, or against its tape if it has none. */
  readonly changes?: number;
  /** The two files that were compared, from the root: of a `RecordingSide` each. */
  readonly compared?: { readonly before: string; readonly after: string };
  /** Sums over the calls that report them. */
  readonly tokens?: TrialTokens;
  /** Absent if the model has no price. */
  readonly dollars?: number;
  readonly durationMs: number;
  /** From the root; absent if nothing was recorded. */
  readonly tapePath?: string;
  /** From the root; absent for a sample that could not begin, which is not kept. */
  readonly artifactPath?: string;
}

export type TrialVerdict = 'passed' | 'failed' | 'error';

export interface TrialTokens {
  readonly prompt: number;
  readonly completion: number;
  /** Within `prompt`. */
  readonly cached?: number;
}

export interface TrialSummary {
  readonly passed: number;
  readonly errors: number;
  /** How many samples there are. */
  readonly of: number;
  /** Of those; absent for none. */
  readonly passRate?: number;
  readonly changes?: Spread;
  /** Prompt and completion together. */
  readonly tokens?: Spread;
  readonly dollars?: Spread;
  readonly durationMs?: Spread;
}

/** The median with the first and third quartiles, interpolated linearly. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}
