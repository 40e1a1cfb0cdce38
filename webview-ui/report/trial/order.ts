import type { Trial, TrialCase, TrialCell } from '../../../src/core/model/trial';
import type { MeasureName } from './measures';

/** How the rows are sorted: by the names of the cases, or by the cells of a model. */
export interface Order {
  /** Absent for the names. */
  readonly model?: string;
  readonly isDescending: boolean;
}

/** What the cells of a model are sorted by: what they show. */
export type Shown = MeasureName | 'all';

/** The order after a click on a header: the worst first, then the best first. */
export function nextOrder(order: Order | undefined, model: string | undefined, shown: Shown): Order {
  const isSame = order !== undefined && order.model === model;
  const isFirstDescending = model !== undefined && shown !== 'all';
  return { ...(model !== undefined && { model }), isDescending: isSame ? !order.isDescending : isFirstDescending };
}

/** The rows in this order, by default that of the trial. Cases without a value come last. */
export function orderedCases(trial: Trial, order: Order | undefined, shown: Shown): readonly TrialCase[] {
  if (order === undefined) return trial.cases;
  const turn = order.isDescending ? -1 : 1;
  const { model } = order;
  if (model === undefined)
    return [...trial.cases].sort((left, right) => turn * left.name.localeCompare(right.name, 'en', { numeric: true }));
  const values = new Map(
    trial.cases.map(({ casePath }) => [casePath, shownValue(cellOf(trial, casePath, model), shown)]),
  );
  return [...trial.cases].sort((left, right) => compared(values.get(left.casePath), values.get(right.casePath), turn));
}

export function cellOf({ cells }: Trial, casePath: string, model: string): TrialCell | undefined {
  return cells.find((cell) => cell.casePath === casePath && cell.model === model);
}

function shownValue(cell: TrialCell | undefined, shown: Shown): number | undefined {
  return shown === 'all' ? cell?.summary.passRate : cell?.summary[shown]?.median;
}

function compared(left: number | undefined, right: number | undefined, turn: number): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return turn * (left - right);
}
