import type { InvariantSeverity } from './contract';

/** The weight of a cell of the matrix by the severity of its invariant (`contracts/matrix.py`). */
const WEIGHTS: Record<InvariantSeverity, number> = { critical: 3, high: 2, medium: 1, low: 1 };

/** One invariant under one scenario. A cell whose `when` does not hold is not checked. */
export interface Cell {
  readonly invariantId: string;
  readonly scenario: string;
  readonly severity: InvariantSeverity;
  readonly outcome: 'passed' | 'failed' | 'not judged';
  readonly details: string;
}

export interface MatrixVerdict {
  /** 0 to 100, with two decimals; 100 where nothing was checked. */
  readonly resilienceScore: number;
  readonly criticalFailed: boolean;
  /** No critical invariant failed. */
  readonly passed: boolean;
}

export function judgeMatrix(cells: readonly Cell[]): MatrixVerdict {
  const judged = cells.filter(({ outcome }) => outcome !== 'not judged');
  const weigh = (some: readonly Cell[]): number => some.reduce((sum, { severity }) => sum + WEIGHTS[severity], 0);
  const total = weigh(judged);
  const won = weigh(judged.filter(({ outcome }) => outcome === 'passed'));
  const criticalFailed = judged.some(({ severity, outcome }) => severity === 'critical' && outcome === 'failed');
  const resilienceScore = total === 0 ? 100 : Math.round((won / total) * 10_000) / 100;
  return { resilienceScore, criticalFailed, passed: !criticalFailed };
}

export interface Scoring {
  readonly mutation: number;
  readonly chaos: number;
  readonly contract: number;
  readonly replay: number;
}
export type Phase = keyof Scoring;

export const DEFAULT_SCORING: Scoring = { mutation: 0.2, chaos: 0.35, contract: 0.35, replay: 0.1 };

/** Whether the weights add up to 1, or are all zero. */
export function isValidScoring({ mutation, chaos, contract, replay }: Scoring): boolean {
  const total = mutation + chaos + contract + replay;
  return total === 0 || Math.abs(total - 1) <= 0.001;
}

/** The weighted mean of the phases that ran, 0 to 1; 1 where none did. */
export function overallScore(scores: Partial<Record<Phase, number>>, weights: Scoring): number {
  const phases = (Object.keys(DEFAULT_SCORING) as Phase[]).filter((phase) => scores[phase] !== undefined);
  const total = phases.reduce((sum, phase) => sum + weights[phase], 0);
  if (total === 0) return 1;
  return phases.reduce((sum, phase) => sum + (scores[phase] ?? 0) * weights[phase], 0) / total;
}

interface CiInput {
  readonly scores: Partial<Record<Phase, number>>;
  readonly weights: Scoring;
  /** 0 to 1. */
  readonly minScore: number;
  readonly criticalFailed: boolean;
  /** The error with which the first golden prompt ended. */
  readonly firstError: string | undefined;
}

export interface CiVerdict {
  readonly overall: number;
  readonly passed: boolean;
  /** The reasons why it did not pass, in words. */
  readonly reasons: readonly string[];
}

const percent = (score: number): string => percentText(score * 100);

/**
 * Flakestorm's exit rules: the agent must respond to the first prompt, and each phase, the matrix and the weighted total must
 * reach the minimum.
 */
export function judgeCi({ scores, weights, minScore, criticalFailed, firstError }: CiInput): CiVerdict {
  const overall = overallScore(scores, weights);
  const low = Object.entries(scores).filter(([phase, score]) => isBelow(phase, score, minScore));
  const reasons = [
    ...(firstError === undefined ? [] : [`the first golden prompt ended in an error: ${firstError}`]),
    ...low.map(([phase, score]) => `${phase} scored ${percent(score)}, below ${percent(minScore)}`),
    ...(criticalFailed ? ['a critical invariant of the contract failed'] : []),
    ...(overall < minScore ? [`overall ${percent(overall)}, below ${percent(minScore)}`] : []),
  ];
  return { overall, passed: reasons.length === 0, reasons };
}

/** The score of a contract has two decimals as a percentage, and is compared as one: 83.33 % is not below 0.8333. */
function isBelow(phase: string, score: number, minScore: number): boolean {
  return phase === 'contract' ? Math.round(score * 10_000) / 100 < minScore * 100 : score < minScore;
}

/** A score as Flakestorm prints it, with four decimals. */
export function roundedScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/** A percentage with one decimal as Python writes it: of two that are as near, the even one. */
export function percentText(percentage: number): string {
  // Only quarters lie exactly between two tenths.
  const isTie = percentage % 0.5 === 0.25;
  const tenths = isTie ? 2 * Math.round(percentage * 5) : undefined;
  return `${tenths === undefined ? percentage.toFixed(1) : (tenths / 10).toFixed(1)}%`;
}
