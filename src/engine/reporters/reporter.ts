import type { RunResult } from '../../core/model/run';

/** Tells about a set of runs. Cases finish in any order; `index` is their place in the list. */
export interface Reporter {
  started?(index: number, casePath: string): void;
  interaction?(index: number, casePath: string, interaction: number, summary: string): void;
  finished(index: number, result: RunResult): void;
  /** Called once, with all results in the order of the list. */
  done(results: readonly RunResult[], durationMs: number): void;
}

export interface RunTotals {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly cancelled: number;
}

export function runTotals(results: readonly RunResult[]): RunTotals {
  const count = (wanted: RunResult['status']): number => results.filter(({ status }) => status === wanted).length;
  return { total: results.length, passed: count('passed'), failed: count('failed'), cancelled: count('cancelled') };
}
