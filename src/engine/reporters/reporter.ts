import { encodeLine } from '../../contracts/rpc/ndjson';
import { exitCode } from '../../core/cases/runOutcome';
import type { RunResult } from '../../core/model/run';
import type { Shard } from '../../core/project/shard';
import { projectPath } from '../files/projectPaths';
import { jsonDocument } from './jsonDocument';
import type { RunDocument, RunTotals } from './jsonDocuments';
import { runResultJson } from './runResultJson';

/** Reports a set of runs. Cases finish in any order; `index` is their position in the list. */
export interface Reporter {
  started?(index: number, casePath: string): void;
  interaction?(index: number, casePath: string, interaction: number, summary: string): void;
  finished(index: number, result: RunResult): void;
  /** Called once, with all results in the order of the list. */
  done(results: readonly RunResult[], durationMs: number): void;
}

export function runTotals(results: readonly RunResult[]): RunTotals {
  const count = (wanted: RunResult['status']): number => results.filter(({ status }) => status === wanted).length;
  return { total: results.length, passed: count('passed'), failed: count('failed'), cancelled: count('cancelled') };
}

type Print = (text: string) => void;
/** The root of the project that a case belongs to. */
type RootOf = (casePath: string) => string;

/** One JSON document: `{ok, shard?, summary: {total, passed, failed, cancelled, durationMs}, results: RunResult[]}`. */
export function jsonReporter(print: Print, rootOf: RootOf, shard?: Shard): Reporter {
  return {
    finished: () => undefined,
    done(results, durationMs) {
      const summary = { ...runTotals(results), durationMs };
      const shown = results.map((result) => runResultJson(result, rootOf(result.casePath)));
      print(jsonDocument<RunDocument>(isOk(results), { shard, summary, results: shown }));
    },
  };
}

/** One JSON object per line, as events occur: `started`, `interaction` and `finished` for each case, and a `summary`. */
export function ndjsonReporter(print: Print, rootOf: RootOf): Reporter {
  const short = (casePath: string): string => projectPath(rootOf(casePath), casePath);
  return {
    started: (_, casePath) => print(encodeLine({ type: 'started', casePath: short(casePath) })),
    interaction: (_, casePath, index, summary) =>
      print(encodeLine({ type: 'interaction', casePath: short(casePath), index, summary })),
    finished(_, { casePath, ...result }) {
      const shown = runResultJson({ casePath, ...result }, rootOf(casePath));
      print(encodeLine({ type: 'finished', casePath: shown.casePath, result: shown }));
    },
    done: (results, durationMs) =>
      print(encodeLine({ type: 'summary', ok: isOk(results), ...runTotals(results), durationMs })),
  };
}

function isOk(results: readonly RunResult[]): boolean {
  return exitCode(results) === 0;
}
