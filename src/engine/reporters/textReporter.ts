import type { RunResult } from '../../core/model/run';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { shellWord } from '../../core/text/shellWord';
import { COMPARED_NOTHING } from '../cases/describeComparison';
import { fromRoot, shownPath } from '../files/projectPaths';
import { ProgressLine } from '../terminal/progress';
import type { Terminal } from '../terminal/terminal';
import { duration, quantity } from '../terminal/visibleText';
import { caseText } from './caseText';
import { type Reporter, runTotals } from './reporter';

/** The report for a terminal: each case in the order of the list, with its failures, then a summary. */
export function textReporter(terminal: Terminal, total: number): Reporter {
  const waiting = new Map<number, RunResult>();
  let next = 0;
  let finished = 0;
  const line = new ProgressLine(terminal);
  const progress = (casePath: string, what = ''): void =>
    line.show(
      `running, ${finished} of ${total} done: ${shownPath(terminal.cwd, casePath)}${escapeInvisible(what).replaceAll('\n', ' ')}`,
    );
  return {
    started: (_, casePath) => progress(casePath),
    interaction: (_, casePath, __, summary) => progress(casePath, `: ${summary}`),
    finished(index, result) {
      finished += 1;
      waiting.set(index, result);
      for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
        // Those that had not begun are counted below.
        if (ready.status !== 'cancelled' || ready.durationMs > 0) terminal.print(caseText(ready, terminal));
        waiting.delete(next);
        next += 1;
      }
      if (finished < total) line.again();
    },
    done(results, durationMs) {
      line.end();
      terminal.print(summaryText(results, durationMs, terminal));
    },
  };
}

/** The last lines of a report: the outcomes, and what "passed" rests on. */
function summaryText(
  results: readonly RunResult[],
  durationMs: number,
  { paint, cwd }: Pick<Terminal, 'paint' | 'cwd'>,
): string {
  const { total, passed, failed, cancelled } = runTotals(results);
  const outcomes = [
    ...(passed > 0 ? [paint.green(`${passed} passed`)] : []),
    ...(failed > 0 ? [paint.red(`${failed} failed`)] : []),
    ...(cancelled > 0 ? [paint.yellow(`${cancelled} cancelled`)] : []),
  ];
  const head = `${quantity(total, 'case')}: ${outcomes.join(', ')} ${paint.dim(`in ${duration(Math.round(durationMs))}`)}`;
  return `\n${[head, basisText(results), ...differenceHint(results, cwd)].join('\n')}\n`;
}

function basisText(results: readonly RunResult[]): string {
  const compared = results.filter(({ comparison }) => comparison !== undefined).length;
  const nothing = results.filter(
    (result) => result.status === 'passed' && result.compared.startsWith(COMPARED_NOTHING),
  );
  const parts = [`Compared with baselines: ${compared} of ${results.length}.`];
  if (nothing.length > 0) {
    const [first] = nothing;
    const which = nothing.length === 1 ? first?.name : `${nothing.length} cases`;
    parts.push(`Nothing was checked in ${which}: add [assert], or accept a baseline.`);
  }
  return parts.join(' ');
}

/** More cases than this do not fit on a command line that someone reads. */
const MAX_NAMED = 5;

function differenceHint(results: readonly RunResult[], cwd: string): readonly string[] {
  const differ = results.filter(({ failures }) => failures.some(({ kind }) => kind === 'difference'));
  if (differ.length === 0) return [];
  if (differ.length > MAX_NAMED)
    return [
      `${differ.length} results differ from their baselines. To accept one: tapedeck accept, with the path of its case`,
    ];
  const paths = differ.map(({ casePath }) => shellWord(fromRoot(cwd, casePath)));
  return [`To accept the new results as baselines: tapedeck accept ${paths.join(' ')}`];
}
