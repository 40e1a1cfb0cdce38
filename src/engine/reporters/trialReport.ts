import { EXIT_CODES, exitCodeOf } from '../../core/cases/runOutcome';
import type { Spread, Trial, TrialCell, TrialSummary } from '../../core/model/trial';
import { formatDollars } from '../../core/prices/formatDollars';
import type { Shard } from '../../core/project/shard';
import { grouped, plural } from '../../core/text/counts';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { isReached, type ModelTotals, totalsOf } from '../../core/trials/summary';
import type { Paint } from '../terminal/paint';
import { duration } from '../terminal/visibleText';
import { jsonDocument } from './jsonDocument';
import type { TrialDocument } from './jsonDocuments';
import { classNameOf, junitDocument, type Xml, xmlElement, xmlText } from './junitXml';

/** The cells of cases that can be recorded. */
export function recordable({ cases, cells }: Trial): readonly TrialCell[] {
  const refused = new Set(cases.flatMap(({ casePath, refusal }) => (refusal === undefined ? [] : [casePath])));
  return cells.filter(({ casePath }) => !refused.has(casePath));
}

/** 0 if enough samples of each case pass with each model. */
export function trialExitCode(trial: Trial): number {
  if (trial.cases.some(({ isInvalid }) => isInvalid)) return EXIT_CODES.notUnderstood;
  const missed = recordable(trial).filter((cell) => !isReached(cell));
  if (missed.length === 0) return EXIT_CODES.ok;
  return (
    exitCodeOf(missed.flatMap(({ samples }) => samples.flatMap(({ failureKind }) => failureKind ?? []))) ||
    EXIT_CODES.failed
  );
}

/** The JSON that `tapedeck trial --help` describes. */
export function trialJson(trial: Trial, shard?: Shard): string {
  const { models, samples, baselineModel, isComplete, cases, cells } = trial;
  return jsonDocument<TrialDocument>(trialExitCode(trial) === EXIT_CODES.ok, {
    ...(shard && { shard }),
    ...{ models, samples },
    baselineModel,
    isComplete,
    totals: totalsOf(trial),
    cases: cases.map(({ said: _, ...one }) => one),
    cells: cells.map((cell) => ({ ...cell, samples: cell.samples.map(({ said: _, ...sample }) => sample) })),
  });
}

/** The cells by case, with the failures of each sample, then the models over all cases. */
export function trialText(trial: Trial, paint: Paint): string {
  const blocks = trial.cases.map(({ casePath, name, refusal }) => {
    const title = `${paint.bold(escapeInvisible(name))} ${paint.dim(escapeInvisible(casePath))}`;
    if (refusal !== undefined) return `${title}\n  left out: ${escapeInvisible(refusal).replaceAll('\n', '\n    ')}`;
    const own = trial.cells.filter((cell) => cell.casePath === casePath);
    const rows = columns(own.map(({ model, summary }) => [escapeInvisible(model), ...summaryWords(summary)]));
    const lines = own.flatMap((cell, index) => [
      coloured(cell, `  ${rows[index]}`, paint),
      ...failureLines(cell, paint),
    ]);
    return [title, ...lines].join('\n');
  });
  return `${[...blocks, totalsText(trial, paint)].join('\n\n')}\n`;
}

function coloured(cell: TrialCell, row: string, { green, red }: Paint): string {
  if (cell.summary.of === 0) return row;
  return isReached(cell) ? green(row) : red(row);
}

/** More failures of a cell than these are in the JSON. */
const MOST_FAILURES = 3;
const FAILURE_LENGTH = 160;

function failureLines({ samples }: TrialCell, { dim }: Paint): readonly string[] {
  const failed = samples.flatMap(({ sample, failure }) => (failure === undefined ? [] : [{ sample, failure }]));
  const shown = failed.slice(0, MOST_FAILURES).map(({ sample, failure }) => {
    const line = escapeInvisible(failure).replace(/\s+/g, ' ').trim();
    return dim(`    sample ${sample}: ${line.length > FAILURE_LENGTH ? `${line.slice(0, FAILURE_LENGTH)}…` : line}`);
  });
  const more = failed.length - shown.length;
  return more > 0 ? [...shown, dim(`    … and ${plural(more, 'other failure')}`)] : shown;
}

function totalsText(trial: Trial, paint: Paint): string {
  const rows = columns(totalsOf(trial).map((totals) => [escapeInvisible(totals.model), ...totalWords(totals)]));
  const stopped = trial.isComplete ? [] : ['Incomplete: run the same command again to record what is missing.'];
  return [paint.bold('All cases'), ...rows.map((row) => `  ${row}`), ...stopped].join('\n');
}

const UNKNOWN = '-';

/** Such as `4 of 5 passed`, `1 error`, `2 changes (1–3)`, `1,204 tokens`, `$0.0031`, `1.2 s (0.9 s–1.4 s)`; `-` for what is not known. */
export function summaryWords({
  passed,
  of,
  errors,
  changes,
  tokens,
  dollars,
  durationMs,
}: TrialSummary): readonly string[] {
  const verdict = `${passed} of ${of} passed`;
  return [
    errors === 0 ? verdict : `${verdict}, ${plural(errors, 'error')}`,
    spreadText(changes, (count) => grouped(round(count)), 'change'),
    spreadText(tokens, (count) => grouped(Math.round(count)), 'token'),
    spreadText(dollars, formatDollars),
    spreadText(durationMs, (ms) => duration(Math.round(ms))),
  ];
}

function totalWords({ passRate, totalDollars, ...summary }: ModelTotals): readonly string[] {
  const rate = passRate === undefined ? UNKNOWN : percent(passRate);
  const cost = totalDollars === undefined ? 'cost unknown' : `${formatDollars(totalDollars)} together`;
  const [verdict = '', , , , latency = ''] = summaryWords(summary);
  return [verdict, rate, cost, latency];
}

function spreadText(spread: Spread | undefined, format: (value: number) => string, unit = ''): string {
  if (spread === undefined) return UNKNOWN;
  const [median, low, high] = [format(spread.median), format(spread.low), format(spread.high)];
  const words = unit === '' ? median : `${median} ${unit}${median === '1' ? '' : 's'}`;
  return low === high ? words : `${words} (${low}–${high})`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function percent(rate: number): string {
  return `${round(rate * 100)}%`;
}

/** The rows as aligned columns. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widthAt = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((word, at) => word.padEnd(widthAt(at)))
      .join('  ')
      .trimEnd(),
  );
}

/** JUnit, in which each case with each model is a test case. */
export function trialJunit(trial: Trial): string {
  const names = new Map(trial.cases.map(({ casePath, name }) => [casePath, name]));
  const cells = recordable(trial);
  const count = (isWanted: (cell: TrialCell) => boolean): number => cells.filter(isWanted).length;
  const isSkipped = ({ samples }: TrialCell): boolean => samples.length === 0;
  const counts = {
    tests: cells.length,
    failures: count((cell) => !isSkipped(cell) && !isReached(cell)),
    skipped: count(isSkipped),
    time: seconds(cells),
  };
  return junitDocument(
    'tapedeck trial',
    counts,
    cells.map((cell) => cellXml(cell, names.get(cell.casePath) ?? '')),
  );
}

function cellXml(cell: TrialCell, name: string): Xml {
  const { casePath, model, summary, samples } = cell;
  const folder = classNameOf(casePath);
  const attributes = { classname: folder, name: `${name} [${model}]`, file: casePath, time: seconds([cell]) };
  const failures = samples.flatMap(({ sample, failure }) =>
    failure === undefined ? [] : [`sample ${sample}: ${failure}`],
  );
  const message = `${summary.passed} of ${summary.of} samples passed, ${percent(cell.needed)} needed`;
  const failed = xmlElement('failure', { type: 'trial', message }, [xmlText(failures.join('\n'))]);
  const skipped = xmlElement('skipped', { message: 'cancelled' });
  const outcome = samples.length === 0 ? [skipped] : isReached(cell) ? [] : [failed];
  return xmlElement('testcase', attributes, [
    ...outcome,
    xmlElement('system-out', {}, [
      xmlText(
        summaryWords(summary)
          .filter((word) => word !== UNKNOWN)
          .join('; '),
      ),
    ]),
  ]);
}

function seconds(cells: readonly TrialCell[]): string {
  const all = cells.flatMap(({ samples }) => samples.map(({ durationMs }) => durationMs));
  return (all.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(3);
}
