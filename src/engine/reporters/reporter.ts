import { prettyJson } from '../../core/json/json';
import type { RunResult } from '../../core/model/run';
import { encodeLine } from '../../protocol/ndjson';

/** Reports a set of runs. Cases finish in any order; `index` is their position in the list. */
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

/** One JSON document: `{summary: {total, passed, failed, cancelled, durationMs}, results: RunResult[]}`. */
export function jsonReporter(print: (text: string) => void): Reporter {
  return {
    finished: () => undefined,
    done(results, durationMs) {
      print(`${prettyJson({ summary: { ...runTotals(results), durationMs }, results })}\n`);
    },
  };
}

/** One JSON object per line, as events occur: `started`, `interaction` and `finished` for each case, and a `summary`. */
export function ndjsonReporter(print: (text: string) => void): Reporter {
  return {
    started: (_, casePath) => print(encodeLine({ type: 'started', casePath })),
    interaction: (_, casePath, index, summary) => print(encodeLine({ type: 'interaction', casePath, index, summary })),
    finished: (_, result) => print(encodeLine({ type: 'finished', casePath: result.casePath, result })),
    done: (results, durationMs) => print(encodeLine({ type: 'summary', ...runTotals(results), durationMs })),
  };
}
