import type { RunResult } from '../../core/model/run';
import type { Terminal } from '../commands/terminal';
import { COMPARED_NOTHING, counted } from '../runs/describeComparison';
import { runTotals } from './reporter';
import { duration } from './visible';

/** The last lines of a run: how many went how, and what "passed" rests on. */
export function summaryText(
  results: readonly RunResult[],
  durationMs: number,
  { paint }: Pick<Terminal, 'paint'>,
): string {
  const { total, passed, failed, cancelled } = runTotals(results);
  const outcomes = [
    ...(passed > 0 ? [paint.green(`${passed} passed`)] : []),
    ...(failed > 0 ? [paint.red(`${failed} failed`)] : []),
    ...(cancelled > 0 ? [paint.yellow(`${cancelled} cancelled`)] : []),
  ];
  const head = `${counted(total, 'case')}: ${outcomes.join(', ')} ${paint.dim(`in ${duration(Math.round(durationMs))}`)}`;
  return `\n${[head, basisText(results), ...differenceHint(results)].join('\n')}\n`;
}

function basisText(results: readonly RunResult[]): string {
  const compared = results.filter(({ comparison }) => comparison !== undefined).length;
  const nothing = results.filter(
    (result) => result.status === 'passed' && result.compared.startsWith(COMPARED_NOTHING),
  );
  const parts = [`Compared with a baseline: ${compared} of ${results.length}.`];
  if (nothing.length > 0) {
    const [first] = nothing;
    const which = nothing.length === 1 ? first?.name : `${nothing.length} cases`;
    parts.push(`Nothing was checked in ${which}: add [assert], or accept a baseline.`);
  }
  return parts.join(' ');
}

function differenceHint(results: readonly RunResult[]): readonly string[] {
  const differ = results.some(({ failures }) => failures.some(({ kind }) => kind === 'difference'));
  return differ ? ['To make the new results the baseline: tapedeck accept CASE…'] : [];
}
