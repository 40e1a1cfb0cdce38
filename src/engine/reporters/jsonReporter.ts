import { prettyJson } from '../../core/json/json';
import { type Reporter, runTotals } from './reporter';

/** One JSON document: `{summary: {total, passed, failed, cancelled, durationMs}, results: RunResult[]}`. */
export function jsonReporter(print: (text: string) => void): Reporter {
  return {
    finished: () => undefined,
    done(results, durationMs) {
      print(`${prettyJson({ summary: { ...runTotals(results), durationMs }, results })}\n`);
    },
  };
}
