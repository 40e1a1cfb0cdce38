import type { Trial, TrialCell, TrialSample, TrialSummary } from '../model/trial';
import { spreadOf } from './spread';

/** The numbers of a cell. */
export function summarise(samples: readonly TrialSample[]): TrialSummary {
  const count = (verdict: TrialSample['verdict']): number => samples.filter((one) => one.verdict === verdict).length;
  const of = samples.length;
  const passed = count('passed');
  const changes = spreadOf(samples.flatMap((one) => one.changes ?? []));
  const tokens = spreadOf(samples.flatMap((one) => (one.tokens ? one.tokens.prompt + one.tokens.completion : [])));
  const dollars = spreadOf(samples.flatMap((one) => one.dollars ?? []));
  // The time until an error is not the latency of the model.
  const durationMs = spreadOf(samples.flatMap((one) => (one.verdict === 'error' ? [] : one.durationMs)));
  return {
    passed,
    errors: count('error'),
    of,
    ...(of > 0 && { passRate: passed / of }),
    changes,
    tokens,
    dollars,
    durationMs,
  };
}

/** Whether enough of its samples pass. False for a cell without a sample. */
export function isReached({ summary, needed }: Pick<TrialCell, 'summary' | 'needed'>): boolean {
  return summary.passRate !== undefined && summary.passRate >= needed;
}

/** A trial with what follows from its cases. */
export function trialOf(trial: Omit<Trial, 'baselineModel'>): Trial {
  const [model, ...others] = new Set(trial.cases.flatMap(({ tapeModel }) => tapeModel ?? []));
  const { models, samples, ...rest } = trial;
  return { models, samples, ...(model !== undefined && others.length === 0 && { baselineModel: model }), ...rest };
}

/** The numbers of a model over all cases. */
export interface ModelTotals extends TrialSummary {
  readonly model: string;
  /** The cost of all its samples, in US dollars; absent if that of one is unknown. */
  readonly totalDollars?: number;
}

export function totalsOf({ models, cells }: Pick<Trial, 'models' | 'cells'>): readonly ModelTotals[] {
  return models.map((model) => {
    const samples = cells.filter((cell) => cell.model === model).flatMap((cell) => cell.samples);
    const recorded = samples.filter(({ tapePath }) => tapePath !== undefined);
    const isKnown = recorded.length > 0 && recorded.every(({ dollars }) => dollars !== undefined);
    const totalDollars = recorded.reduce((sum, { dollars = 0 }) => sum + dollars, 0);
    return { model, ...summarise(samples), ...(isKnown && { totalDollars }) };
  });
}
