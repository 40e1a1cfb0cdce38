import { relative } from 'node:path';
import type { RunResult } from '../../core/model/run';
import type { Terminal } from '../commands/terminal';
import { caseText } from './caseText';
import type { Reporter } from './reporter';
import { summaryText } from './summaryText';
import { escapeInvisible } from './visible';

/** For people: a line for each case in the order of the list, below it why it failed, and what it all rests on. */
export function textReporter(terminal: Terminal, total: number): Reporter {
  const waiting = new Map<number, RunResult>();
  let next = 0;
  let finished = 0;
  const progress = (casePath: string, what = ''): void =>
    terminal.progress(
      `${finished}/${total} ${relative(terminal.cwd, casePath)}${escapeInvisible(what).replaceAll('\n', ' ')}`,
    );
  return {
    started: (_, casePath) => progress(casePath),
    interaction: (_, casePath, __, summary) => progress(casePath, `: ${summary}`),
    finished(index, result) {
      finished += 1;
      waiting.set(index, result);
      for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
        terminal.print(caseText(ready, terminal));
        waiting.delete(next);
        next += 1;
      }
    },
    done: (results, durationMs) => terminal.print(summaryText(results, durationMs, terminal)),
  };
}
