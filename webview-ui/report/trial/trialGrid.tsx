import type { VNode } from 'preact';
import type { CurrentTape, ShownTrial, TrialAdvance } from '../../../src/contracts/pages/trialPage';
import type { Trial, TrialCase, TrialCell, TrialSummary } from '../../../src/core/model/trial';
import { counted, grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { shareDelta } from '../../base/numbers';
import { type GridFocus, type Reached, useGridFocus } from './gridFocus';
import { MEASURES, type Measure, rangeText } from './measures';
import { MissingMeasure } from './missingMeasure';
import { cellOf, type Order, orderedCases, type Shown } from './order';
import { PassRate } from './passRate';
import { type ModelTotals, totalsOf } from './totals';

interface TrialGridProps {
  readonly state: ShownTrial;
  readonly trial: Trial;
  readonly order: Order | undefined;
  readonly shown: Shown;
  onOrder(model: string | undefined): void;
  onOpenCase(casePath: string): void;
  onOpen(cell: TrialCell): void;
  onAdopt(model: string): void;
}

/** The cases by the models, with their totals first. It scrolls by itself, so that its headers stay. */
export function TrialGrid(props: TrialGridProps): VNode {
  const { state, trial, order, shown, onOrder, onAdopt } = props;
  const cases = orderedCases(trial, order, shown);
  const focus = useGridFocus(
    cases.flatMap(({ casePath }) => [casePath, ...trial.models.map((model) => keyOf(casePath, model))]),
  );
  const hasCurrent = state.current.length > 0;
  return (
    <section class="trial-grid" aria-label={t('Results')}>
      <table {...focus.table}>
        <caption class="visually-hidden">
          {t(
            '{0} by {1}',
            counted(trial.cases.length, '{0} case', '{0} cases'),
            counted(trial.models.length, '{0} model', '{0} models'),
          )}
        </caption>
        <thead>
          <tr>
            <th scope="col" aria-sort={sortOf(order, undefined)}>
              <SortButton label={t('Case')} title={t('Sort by name')} order={order} onSort={() => onOrder(undefined)} />
            </th>
            {hasCurrent && (
              <th scope="col" class="current">
                {t('Tape')}
                {trial.baselineModel !== undefined && <span class="quiet">{trial.baselineModel}</span>}
              </th>
            )}
            {trial.models.map((model) => (
              <ModelHeader
                key={model}
                model={model}
                isCurrent={model === trial.baselineModel}
                order={order}
                shown={shown}
                onSort={() => onOrder(model)}
                {...(canAdopt(state, trial, model) && { onAdopt: () => onAdopt(model) })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {cases.length > 1 && <TotalsRow {...props} hasCurrent={hasCurrent} />}
          {cases.map((one) => (
            <CaseRow key={one.casePath} {...props} one={one} hasCurrent={hasCurrent} focus={focus} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function keyOf(casePath: string, model: string): string {
  return JSON.stringify([casePath, model]);
}

function canAdopt({ canRun, progress }: ShownTrial, { cells }: Trial, model: string): boolean {
  const isThere = cells.some((cell) => cell.model === model && cell.samples.some(({ verdict }) => verdict !== 'error'));
  return canRun && progress === undefined && isThere;
}

function TotalsRow({ trial, shown, hasCurrent }: TrialGridProps & { readonly hasCurrent: boolean }): VNode {
  return (
    <tr class="totals">
      <th scope="row">{counted(trial.cases.length, 'All {0} case', 'All {0} cases')}</th>
      {hasCurrent && <td />}
      {totalsOf(trial).map((totals) => (
        <TotalsCell key={totals.model} totals={totals} shown={shown} />
      ))}
    </tr>
  );
}

interface CaseRowProps extends TrialGridProps {
  readonly one: TrialCase;
  readonly hasCurrent: boolean;
  readonly focus: GridFocus;
}

function CaseRow({ one, state, trial, shown, hasCurrent, focus, onOpenCase, onOpen }: CaseRowProps): VNode {
  const { casePath, name, refusal } = one;
  const current = state.current.find((tape) => tape.casePath === casePath);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="link"
          {...focus.reach(casePath)}
          title={casePath}
          onClick={() => onOpenCase(casePath)}
        >
          {name.split(/(?<=[_./-])/).flatMap((part) => [part, <wbr key={part} />])}
        </button>
        {refusal !== undefined && <span class="refusal">{refusal}</span>}
      </th>
      {hasCurrent && <CurrentCell current={current} shown={shown} />}
      {trial.models.map((model) => (
        <TrialCellView
          key={model}
          cell={cellOf(trial, casePath, model)}
          one={one}
          model={model}
          wanted={trial.samples}
          shown={shown}
          current={current}
          progress={state.progress}
          reached={focus.reach(keyOf(casePath, model))}
          onOpen={onOpen}
        />
      ))}
    </tr>
  );
}

interface CurrentCellProps {
  /** Absent if the case has no tape. */
  readonly current: CurrentTape | undefined;
  readonly shown: Shown;
}

/** What is on the tape of a case, to compare the models with. */
function CurrentCell({ current, shown }: CurrentCellProps): VNode {
  if (current === undefined) return <td class="current quiet">{t('no tape')}</td>;
  return (
    <td class="current">
      {MEASURES.filter(({ name }) => shown === 'all' || shown === name).map(({ name, text }) => {
        const value = name === 'changes' ? undefined : current[name];
        return (
          value !== undefined && (
            <span key={name} class="measure">
              {text(value)}
              {name === 'durationMs' && <span class="quiet"> {t('of responses')}</span>}
            </span>
          )
        );
      })}
    </td>
  );
}

interface TotalsCellProps {
  readonly totals: ModelTotals;
  readonly shown: Shown;
}

/** All samples of a model: how many passed, the sums of their measures, and the median latency. */
function TotalsCell({ totals, shown }: TotalsCellProps): VNode {
  const { of, sums, medianMs } = totals;
  if (of === 0) return <td class="quiet">{t('not recorded yet')}</td>;
  return (
    <td>
      <PassRate {...totals} needed={1} />
      {MEASURES.filter(({ name }) => shown === 'all' || shown === name).map((measure) => {
        const isMedian = measure.name === 'durationMs';
        const value = isMedian ? medianMs : sums[measure.name];
        if (value === undefined) return <MissingMeasure key={measure.name} name={measure.name} />;
        return (
          <span key={measure.name} class="measure">
            {measure.text(value)} <span class="quiet">{isMedian ? t('median') : t('in all')}</span>
          </span>
        );
      })}
    </td>
  );
}

interface ModelHeaderProps {
  readonly model: string;
  /** The tapes were recorded with it. */
  readonly isCurrent: boolean;
  readonly order: Order | undefined;
  readonly shown: Shown;
  onSort(): void;
  /** Absent if there is nothing to adopt. */
  onAdopt?(): void;
}

/** The name of a model, which sorts the rows, and what makes its recordings the tapes. */
function ModelHeader({ model, isCurrent, order, shown, onSort, onAdopt }: ModelHeaderProps): VNode {
  return (
    <th scope="col" aria-sort={sortOf(order, model)}>
      <SortButton label={model} title={t(SORT_TITLES[shown])} model={model} order={order} onSort={onSort} />
      {isCurrent && <span class="quiet">{t('the tapes’ model')}</span>}
      <button
        type="button"
        class="button-secondary adopt"
        aria-label={t('Adopt {0}…', model)}
        title={t('Make the recordings of {0} the tapes of the cases', model)}
        disabled={onAdopt === undefined}
        onClick={onAdopt}
      >
        {t('Adopt…')}
      </button>
    </th>
  );
}

interface SortButtonProps {
  readonly label: string;
  readonly title: string;
  readonly model?: string;
  readonly order: Order | undefined;
  onSort(): void;
}

function SortButton({ label, title, model, order, onSort }: SortButtonProps): VNode {
  const sort = sortOf(order, model);
  return (
    <button type="button" class="sort" title={title} onClick={onSort}>
      <span>{label}</span>
      {sort !== 'none' && <Icon name={sort === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
    </button>
  );
}

function sortOf(order: Order | undefined, model: string | undefined): 'ascending' | 'descending' | 'none' {
  if (order === undefined || order.model !== model) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}

const SORT_TITLES: Readonly<Record<Shown, string>> = {
  all: message('Sort by pass rate'),
  changes: message('Sort by changes'),
  tokens: message('Sort by tokens'),
  dollars: message('Sort by cost'),
  durationMs: message('Sort by latency'),
};

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
function TrialCellView(props: TrialCellViewProps): VNode {
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
