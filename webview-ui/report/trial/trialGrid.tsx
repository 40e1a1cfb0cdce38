import type { VNode } from 'preact';
import type { CurrentTape, ShownTrial } from '../../../src/contracts/pages/trialPage';
import type { Trial, TrialCase, TrialCell } from '../../../src/core/model/trial';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { type GridFocus, useGridFocus } from './gridFocus';
import { MEASURES } from './measures';
import { MissingMeasure } from './missingMeasure';
import { ModelHeader, SortButton, sortOf } from './modelHeader';
import { cellOf, type Order, orderedCases, type Shown } from './order';
import { PassRate } from './passRate';
import { type ModelTotals, totalsOf } from './totals';
import { TrialCellView } from './trialCellView';

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
