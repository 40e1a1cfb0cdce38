import type { VNode } from 'preact';
import type { CurrentTape, TrialAdvance } from '../../../src/contracts/pages/trialPage';
import type { TrialCase, TrialCell, TrialSummary } from '../../../src/core/model/trial';
import { counted, grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { shareDelta } from '../../base/numbers';
import type { Reached } from './gridFocus';
import { MEASURES, type Measure, rangeText } from './measures';
import { MissingMeasure } from './missingMeasure';
import type { Shown } from './order';
import { PassRate } from './passRate';

interface TrialCellViewProps {
  /** Absent only if the trial is inconsistent. */
  readonly cell: TrialCell | undefined;
  readonly one: TrialCase;
  readonly model: string;
  /** How many samples it is to have. */
  readonly wanted: number;
  readonly shown: Shown;
  readonly current: CurrentTape | undefined;
  readonly progress: TrialAdvance | undefined;
  readonly reached: Reached;
  onOpen(cell: TrialCell): void;
}

/** A case with a model: how often it passed, and its measures. It opens its samples. */
export function TrialCellView(props: TrialCellViewProps): VNode {
  const { cell, one, model, wanted, shown, current, progress, reached, onOpen } = props;
  const there = cell?.samples.length ?? 0;
  const isRunning = progress?.running.some((at) => at.casePath === one.casePath && at.model === model) ?? false;
  return (
    <td>
      <button
        type="button"
        class="trial-cell"
        {...reached}
        aria-disabled={there === 0}
        onClick={() => cell !== undefined && onOpen(cell)}
      >
        <span class="visually-hidden">{`${one.name}, ${model}: `}</span>
        {cell !== undefined && there > 0 && (
          <>
            <PassRate {...cell.summary} needed={cell.needed} />
            <SummaryMeasures summary={cell.summary} shown={shown} current={current} />
          </>
        )}
        {there < wanted && <span class="missing">{missingText(there, wanted, isRunning, one)}</span>}
      </button>
    </td>
  );
}

function missingText(there: number, wanted: number, isRunning: boolean, { refusal }: TrialCase): string {
  if (refusal !== undefined) return t('not recorded');
  const rest = wanted - there;
  if (there > 0) return t(isRunning ? message('recording {0} more…') : message('{0} more to record'), grouped(rest));
  return isRunning ? counted(rest, 'recording {0} sample…', 'recording {0} samples…') : t('not recorded yet');
}

interface SummaryMeasuresProps {
  readonly summary: TrialSummary;
  readonly shown: Shown;
  readonly current: CurrentTape | undefined;
}

function SummaryMeasures({ summary, shown, current }: SummaryMeasuresProps): VNode {
  const own = MEASURES.filter(({ name }) => shown === 'all' || shown === name);
  return (
    <>
      {own.map((measure) => (
        <SummaryMeasure
          key={measure.name}
          measure={measure}
          summary={summary}
          {...(shown !== 'all' && current && { current })}
        />
      ))}
    </>
  );
}

interface SummaryMeasureProps {
  readonly measure: Measure;
  readonly summary: TrialSummary;
  /** What it is compared with. */
  readonly current?: CurrentTape;
}

function SummaryMeasure({ measure, summary, current }: SummaryMeasureProps): VNode | null {
  const { name } = measure;
  const spread = summary[name];
  if (spread === undefined) return <MissingMeasure name={name} />;
  const range = rangeText(measure, spread);
  // The time on a tape is only that of its responses.
  const isComparable = name === 'tokens' || name === 'dollars';
  const delta = isComparable ? shareDelta(spread.median, current?.[name]) : undefined;
  return (
    <span class="measure">
      {measure.text(spread.median)}
      {range !== undefined && <span class="quiet">{` ${range}`}</span>}
      {delta !== undefined && <span class="delta">{` ${delta}`}</span>}
    </span>
  );
}
