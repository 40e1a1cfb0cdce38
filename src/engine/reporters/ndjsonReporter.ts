import { frame } from '../../protocol/ndjson';
import { type Reporter, runTotals } from './reporter';

/** One JSON object a line, as it happens: `started`, `interaction` and `finished` of each case, and a `summary`. */
export function ndjsonReporter(print: (text: string) => void): Reporter {
  return {
    started: (_, casePath) => print(frame({ type: 'started', casePath })),
    interaction: (_, casePath, index, summary) => print(frame({ type: 'interaction', casePath, index, summary })),
    finished: (_, result) => print(frame({ type: 'finished', casePath: result.casePath, result })),
    done: (results, durationMs) => print(frame({ type: 'summary', ...runTotals(results), durationMs })),
  };
}
